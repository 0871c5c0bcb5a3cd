/* Blocks that have arrived, against the messages: a block has arrived when the last of its messages is delivered. In a run
 * whose messages are blocks, as many have arrived as messages without handshakes. Each block has one cell. */
const {runs, state, views: [{arrivals}]} = ecube, wrong = [];
for (const run of runs.filter(one => one.journeys)) {
    const blocks = arrivals.of(run), {source, destination, handshake} = run.messages, n = run.nodes;
    const ways = blocks.every(({origin, destination: end, messages}) => messages.every((message, k) =>
        source[message] === (k ? destination[messages[k - 1]] : origin)) && destination[messages.at(-1)] === end);
    const cells = new Set(blocks.map(block => block.origin * n + block.destination));
    tell(run.label, "blocks", blocks.length === n * (n - 1), "cells", cells.size === blocks.length, "ways", ways);
    for (let k = 0; k <= 40; k++) {
        const t = Math.round(run.time * k / 40), moment = ecube.at(run, t), counts = arrivals.count(moment);
        const there = blocks.filter(({messages}) => run.delivered[messages.at(-1)] <= t).length;
        const alone = run.delivered.filter((end, message) => end <= t && !handshake[message]).length;
        const straight = blocks.every(({messages}) => messages.length === 1);
        const waiting = new Set(moment.waits.map(i => run.activities.message[i]).filter(one => !handshake[one]));
        if (counts.reduce((sum, one) => sum + one) !== blocks.length || counts[4] !== there
            || straight && (alone !== there || counts[1] !== waiting.size))
            wrong.push(run.label + " at " + us(t));
    }
}
tell("wrong:", wrong.join() || "nothing");
const [run] = runs, middle = run.time / 2;
ecube.show(run, null);
ecube.seek(middle);
await drawn();
const {size, canvas} = arrivals, x = (5 + 0.5) * size, y = canvas.clientHeight && 16 + (3 + 0.5) * size;
await click(canvas, x, y);
tell(arrivals.describe(x, y).split(":")[0], run.messageName(state.selection.message).replace(/.*, /, ""));
/* A block that is chosen is followed: the message that brings it on is the one of its way, at any time and in the link. */
const way = runs.find(one => one.label.startsWith("multiphase")), [, twice] = arrivals.of(way)
    .filter(({messages}) => messages.length === 2), follows = [];
ecube.show(way, null);
byId("find").value = "block " + twice.origin + " to " + twice.destination;
byId("find").dispatchEvent(new KeyboardEvent("keydown", {key: "Enter"}));
for (const t of [0, ...twice.messages.map(message => way.delivered[message]), way.time]) {
    ecube.seek(t - 1);
    await drawn();
    const next = twice.messages.find(message => way.delivered[message] > state.t) ?? twice.messages.at(-1);
    follows.push(state.selection.message === next, byId("selected").querySelectorAll("ol")[0].children.length);
}
await new Promise(done => setTimeout(done, 400));
tell("followed:", follows.join(), location.hash.split("select=")[1] === "block-" + twice.origin + "-" + twice.destination);
return lines.join("\n");
