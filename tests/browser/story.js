/* The story, step by step: every number of its sentences is counted again from the trace, by other means than the page's.
 * The first step is where messages set out, the last where the run ends; a link leads to a step, keys turn the pages. */
const {state, runs, page} = ecube, [slow, fast] = page.pair.map(number => runs[number]), {story} = state;
const a = slow.activities, WAIT = 2, waitingAt = (run, t) => [...run.activities.kind.keys()].filter(i =>
    run.activities.kind[i] === WAIT && run.activities.start[i] <= t && t < run.activities.end[i]);
tell("steps", story.length, "opens at", state.step + 1, text("chapter"), text("tale") === plain(story[state.step].text));
ecube.seek(slow.time / 3);
ecube.draw();
tell("stale", text("tale") === "(At " + (story[0].t / 1e6).toFixed(3) + " \u00b5s) " + plain(story[0].text),
     byId("tale").matches(".stale"));
const numbers = words => (words.match(/\d+(\.\d+)?/g) ?? []).map(Number);
const [first, chain, root, where, race, end] = story;
const out = [...slow.messages.issued.keys()].filter(i => slow.messages.issued[i] <= first.t), {destination, handshake} = slow.messages;
tell("first", numbers(first.text)[0] === out.length, numbers(first.text)[1] === out.filter(i => destination[i] === numbers(first.text)[2]).length);
const most = Math.max(...[...a.kind.keys()].filter(i => a.kind[i] === WAIT)
    .map(i => new Set(waitingAt(slow, a.start[i]).map(k => a.message[k])).size));
tell("most wait", chain.text.startsWith("At " + (chain.t / 1e6).toFixed(3) + "\u00a0µs " + most + " messages wait,"),
     waitingAt(slow, chain.t).length === most);
const {message} = chain.selection, wait = waitingAt(slow, chain.t).find(i => a.message[i] === message), h = slow.holds;
const place = (from, to) => from === to ? "the receive port of " + to : "channel " + from + "\u2192" + to;
const held = [...h.from.keys()].filter(i => h.message[i] === message && h.start[i] <= chain.t && chain.t < h.end[i]
    && h.from[i] !== h.to[i]);
tell("waits for", chain.text.endsWith("waits for " + place(a.from[wait], a.to[wait]) + "."),
     "holds", held.length > 0 && held.every(i => chain.text.includes(place(h.from[i], h.to[i]))));
tell("root", waitingAt(slow, root.t).every(i => a.message[i] !== root.selection.message),
     root.text.includes(slow.messageName(root.selection.message)));
let total = 0, dead = 0;
for (const i of [...h.from.keys()].filter(k => h.from[k] >= 0 && h.to[k] >= 0 && h.from[k] !== h.to[k])) {
    total += h.end[i] - h.start[i];
    for (const k of slow.packets.get(h.number[i]).rows.filter(row => a.kind[row] === WAIT))
        dead += Math.max(0, Math.min(h.end[i], a.end[k]) - Math.max(h.start[i], a.start[k]));
}
tell("dead", numbers(where.text.slice(where.text.indexOf("Of the time")))[0] === Number((100 * dead / total).toFixed(1)));
const [, most_, share, done, port, idle, all] = /No receive port is busy for more than ([\d.]+) \u00b5s, ([\d.]+) % of the run, but at ([\d.]+) \u00b5s, when that of (\d+) has received all, (\d+) of (\d+) have/
    .exec(plain(where.text)).map(Number), sent = [...a.kind.keys()].filter(i => a.kind[i] === 3 && !handshake[a.message[i]]);
const received = [...Array(slow.nodes).keys()].map(node => sent.filter(i => destination[a.message[i]] === node));
const busy = received.map(rows => rows.reduce((sum, i) => sum + a.end[i] - a.start[i], 0));
const ends = received.map(rows => Math.max(...rows.map(i => a.end[i])));
tell("ports", us(Math.max(...busy)) === most_.toFixed(6), (100 * Math.max(...busy) / slow.time).toFixed(1) === share.toFixed(1),
     us(Math.min(...ends)) === done.toFixed(6) && us(ends[port]) === done.toFixed(6), all === slow.nodes,
     received.filter(rows => rows.every(i => a.start[i] > ends[port])).length === idle);
const dataOf = run => [...run.delivered.keys()].filter(i => !run.messages.handshake[i]);
tell("race", [slow, fast].every(run => plain(race.text).includes(run.label + " has delivered " + dataOf(run).filter(i =>
    run.delivered[i] <= race.t).length + " of " + dataOf(run).length + " blocks")));
tell("end", plain(end.text) === text("words"), end.t === slow.time);
const goTo = async hash => {
    const changed = new Promise(done => addEventListener("hashchange", done, {once: true}));
    location.hash = hash;
    await changed;
    await drawn();
    await new Promise(done => setTimeout(done, 500));
};
await goTo("step=1");
tell("link", text("chapter"), state.t === first.t, JSON.stringify(state.selection));
state.reduced = true;
await press("]");
tell("key", text("chapter"), state.t === chain.t, JSON.stringify(state.selection));
state.reduced = false;
await goTo("step=1");
await press("]");
tell("slow motion", state.playing, state.t < chain.t || state.t === chain.t);
const begun = performance.now();
while (state.playing && performance.now() - begun < 8000)
    await drawn();
tell("arrives", state.t === chain.t, performance.now() - begun > 2000);
return lines.join("\n");
