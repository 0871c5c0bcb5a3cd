/* Of every run: what has been counted at its end, and what the parts of its critical path add up to. */
for (const run of ecube.runs) {
    const end = run.counts(run.time), parts = Object.values(run.parts).reduce((sum, part) => sum + part, 0);
    tell([run.messages.n, end.blocked, us(end.waited), us(run.time), us(parts)].join(","));
    if (end.issued !== run.messages.n || end.delivered !== run.messages.n || end.waitingNow !== 0)
        tell("not all is over at the end:", JSON.stringify(end));
}
return lines.join("\n");
