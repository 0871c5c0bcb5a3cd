/* The heat maps against what --explain adds up, which is the text `explained`; and the diagram: rows of whole pixels, a
 * pixel for every wait, marks that count each message once, words for what is under the pointer, and the arrow. */
const {state, runs: [run], heats, views: [{timeline}]} = ecube, differences = [];
const equal = (what, page, truth) => page === truth || differences.push([what, "page:", page, "expected:", truth].join(" "));
const number = ps => ps === 0 ? "0" : (ps / 1e6).toFixed(3), sum = (list, what) => list.reduce((n, use) => n + use[what], 0);
const nameOf = ({from, to}) => from === to ? from < 0 ? "" : "receive port of " + to : to < 0 ? "send port of " + from
    : from < 0 ? "port of " + to : "channel " + from + "->" + to;

heats.draw();
const uses = heats.heatOf(run).uses, shown = [...explained.matchAll(
    /^(\w[\w ]*?[\w>-]+?) +(\d+) +([\d.]+) +[\d.]+ % +(\d+) +([\d.]+)(?: +[\d.]+)?$/gm)];
equal("lines", shown.length > 0, true);
for (const [, name, , held, , waited] of shown) {
    const use = uses.find(one => nameOf(one) === name) ?? {};
    equal(name, [number(use.held), number(use.waited)].join(), [held, waited].join());
}
equal("waiting", number(sum(uses, "waited")), number(run.waiting));
const map = heats.maps[0], most = uses.filter(one => nameOf(one))
    .reduce((best, use) => use.held > best.held ? use : best);
equal("cells", Number.isInteger(map.grid.w * window.devicePixelRatio), true);
const [x, y, w, h] = map.grid.boxOf(most);
equal("described", map.describe(x + w / 2, y + h / 2).includes("held " + number(most.held)), true);
if (!run.playable)
    return "differences: " + differences.join("; ");

await click(map.canvas, x + w / 2, y + h / 2);
const {from, to} = most, port = from < 0 ? to : from;
equal("selected", JSON.stringify(state.selection), JSON.stringify(from < 0 || to < 0 ? {node: port} : {from, to}));
state.view = {from: 0, to: state.end / 3};
const first = sum(heats.heatOf(run).uses, "held");
state.view = {from: state.end / 3, to: state.end};
equal("parts of the run", Math.round(first + sum(heats.heatOf(run).uses, "held")), Math.round(sum(uses, "held")));
state.view = {from: 0, to: state.end};

const {activities: a} = run, {ratio, strips, group} = (ecube.draw(), timeline), width = timeline.sheet.width;
for (const length of [timeline.rowHeight * ratio, ...strips.flatMap(({top, height}) => [top, height])])
    equal("whole pixels", Number.isInteger(length), true);
equal("rows are 3 pixels", timeline.rowHeight >= 3 && (group === 1 || timeline.rowHeight < 9), true);
equal("words", timeline.canvas.getAttribute("aria-label").endsWith("processors in a row: " + group), true);
const pixelOf = colour => parseInt("ff" + colour.slice(5, 7) + colour.slice(3, 5) + colour.slice(1, 3), 16);
const orange = [state.theme.wait, state.theme.tint, state.theme.edges[2]].map(pixelOf);
const isDrawn = i => {
    const [left, top, wide, high] = timeline.box(i).map(length => length * ratio), found = [];
    for (let row = Math.round(top); row < Math.round(top + high); row++)
        found.push(...timeline.pixels.slice(row * width + Math.floor(left), row * width + Math.ceil(left + wide)));
    return found.some(pixel => orange.includes(pixel));
};
for (const times of [1, 8]) {
    timeline.view = {from: 0, to: times * state.end};
    timeline.drawSheet();
    equal("waits that are not drawn", run.waits.filter(i => !isDrawn(i)).length, 0);
}
timeline.view = state.view;

ecube.show(run, null);
const waiting = Math.max(0, ...run.waits.map(i => ecube.at(run, a.start[i]).waits.length));
equal("marks", byId("marks").getAttribute("aria-label").includes(waiting ? "up to " + waiting + " " : "no messages"), true);
const wait = run.waits[run.waits.length >> 1];
if (wait !== undefined) {
    const message = a.message[wait], sent = run.packetsOf[message][0].transmit;
    ecube.select(run, {message});
    ecube.draw();
    const [left, top, wide, high] = timeline.box(wait), at = [left + wide / 2, top + high / 2];
    equal("under the pointer", timeline.describe(...at).includes("waiting: " + run.messageName(message)), true);
    const ends = [[timeline.x(a.start[sent]), timeline.middle(a.processor[sent])],
                  [timeline.x(a.end[sent]), timeline.middle(run.receiver(sent))]];
    const [middleX, middleY] = [0, 1].map(axis => Math.floor((ends[0][axis] + ends[1][axis]) / 2 * ratio));
    const {data} = timeline.sheet.getContext("2d").getImageData(middleX - 1, middleY - 1, 3, 3);
    const text = new Uint8Array(new Uint32Array([pixelOf(state.theme.text)]).buffer);
    const near = k => text.every((part, i) => Math.abs(data[4 * k + i] - part) < 64);
    equal("the arrow", [...Array(9).keys()].some(near), true);
}
return "differences: " + differences.join("; ");
