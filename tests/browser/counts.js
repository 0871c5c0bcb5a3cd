/* Of every run: what has been counted at its end, and what the links of its critical path add up to. What is looked up
 * of an instant is what a look at everything finds. As every run came to its end, somebody has whatever is waited for,
 * and no chain of waits closes. */
const covers = (table, i, t) => table.start[i] <= t && t < table.end[i];
const count = (table, t, counted) => {
    let n = 0;
    for (let i = 0; i < table.n; i++)
        n += covers(table, i, t) && counted(i);
    return n;
};
const checkInstant = (run, t) => {
    const a = run.activities, h = run.holds, moment = ecube.at(run, t);
    if (moment.active.length !== count(a, t, () => true))
        tell(run.name, "at", us(t), "not all that goes on is found");
    if (moment.held.length !== count(h, t, i => h.from[i] !== NONE && h.to[i] !== NONE && h.from[i] !== h.to[i]))
        tell(run.name, "at", us(t), "not all channels that are held are found");
};
const NONE = -1, WAIT = 2;
const checkWait = (run, wait) => {
    const t = run.activities.start[wait], message = run.activities.message[wait], moment = ecube.at(run, t);
    const last = moment.chain(message).at(-1), packet = last && moment.holder(last.wait).packet;
    if (!last || last.holder === NONE || packet && moment.packetPhase(packet).kind === WAIT)
        tell(run.name, "at", us(t), "no end of what", run.messageName(message), "waits for");
    const holder = moment.holder(wait).message;
    if (holder !== message && !moment.behind(holder).includes(message))
        tell(run.name, "at", us(t), "not behind:", run.messageName(message));
};
const some = list => Array.from(list).filter((_, i) => i % Math.ceil(list.length / 50) === 0);
for (const run of ecube.runs) {
    const end = ecube.at(run, run.time).counts();
    const parts = run.path.reduce((sum, link) => sum + link.end - link.start, run.path[0]?.start ?? run.time);
    tell([run.messages.n, end.blocked, us(end.waited), us(run.time), us(parts)].join(","));
    if (end.issued !== run.messages.n || end.delivered !== run.messages.n || end.waitingNow !== 0)
        tell("not all is over at the end:", JSON.stringify(end));
    some(run.instants).forEach(t => checkInstant(run, t));
    some(run.waits).forEach(wait => checkWait(run, wait));
    ecube.show(run, null);
    for (const key of ["Home", "ArrowRight", "ArrowRight", "+", "c", "End", "ArrowLeft", "c"]) {
        byId("cube0").dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
        ecube.draw();
    }
}
return lines.join("\n");
