/* The story that asks before it answers: nothing is revealed until its last page, and after it all is there again. */
const shown = id => byId(id).checkVisibility({visibilityProperty: true}), all = ["verdict", "timeline0", "marks", "race", "words"];
const {state} = ecube, seen = () => all.filter(shown).length, time = () => /\d+\.\d+ \u00b5s/.test(text("name0"));
const leaks = () => [0, 1].some(i => /No message waits|so far/.test(text("now" + i)));
tell("before", seen(), time(), state.story.some(step => step.asks));
location.hash = "predict";
await drawn();
await drawn();
state.reduced = true;
while (state.step < state.story.length - 1) {
    ecube.draw();
    tell(text("chapter"), text("tale").startsWith("Predict: "), seen(), time(), leaks());
    await press("]");
}
tell(text("chapter"), text("tale") === text("words"), seen(), time());
return lines.join("\n");
