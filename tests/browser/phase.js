/* What a step is beside its number, of multiphase (1,2) and of naive. */
const [run, naive] = ecube.runs, {step} = run.messages;
ecube.show(run, null);
for (const k of new Set(step)) {
    ecube.select(run, {message: step.indexOf(k)}, run.messages.issued[step.indexOf(k)]);
    await drawn();
    tell(text("selected").match(/step [^;]*(; phase[^;]*)?/)[0], "-", text("now0").match(/Step .*/)[0]);
}
ecube.select(naive, {message: 0}, 0);
tell(text("selected").match(/step [^;]*/)[0]);
return lines.join("\n");
