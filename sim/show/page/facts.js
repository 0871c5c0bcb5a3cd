/* What is written beside the pictures: what was run, tables, bars and the hull. All text goes through textContent, so
 * that no title or path can be anything but text. */

import {NONE, ps} from "./trace.js";
import {GRAPH_DIMENSION_MAX} from "./graph.js";
import {tickStep, tickText} from "./timeline.js";

export const $ = id => document.getElementById(id);

function fill(node, attributes, children) {
    for (const [key, value] of Object.entries(attributes))
        node.setAttribute(key, value);
    node.append(...children.filter(child => child !== null));
    return node;
}

export const element = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
const svg = (name, attributes, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

/* Text that does something when it is chosen, if the page can play the run that it is about. */
export function action(run, text, act) {
    if (!run.playable)
        return text;
    const button = element("button", {class: "link"}, text);
    button.onclick = act;
    return button;
}

function table(name, heads, rows) {
    const line = (name, cells) => element("tr", {}, ...cells.map(cell => element(name, {}, cell)));
    return element("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": name}, element("table", {},
        element("thead", {}, line("th", heads)), element("tbody", {}, ...rows.map(row => line("td", row)))));
}

/* A table about a run that can be folded away. */
function folded(run, summary, open, heads, rows) {
    return element("details", open ? {open: ""} : {}, element("summary", {}, summary),
                   table(summary + ", of " + run.name, heads, rows));
}

/* --- what was run --- */

export function showHead(page) {
    for (const name of ["title", "words", "command"])
        $(name).textContent = page[name];
    const {machine} = page, rows = machine.constants.map(one =>
        [one.name, isNaN(one.value) ? one.value : Number(one.value), one.unit, one.meaning, one.source]);
    $("machine").append(
        element("summary", {}, "The machine: " + machine.name + (machine.title ? ", " + machine.title : "")),
        table("Constants of " + machine.name, ["key", "value", "unit", "meaning", "where it is from"], rows),
        element("p", {}, machine.about ?? ""));
}

/* One line of a key of colours. */
function sample(colour, text) {
    const box = element("span", {class: "sample"});
    box.style.background = colour;
    return element("li", {}, box, text);
}

export function showKey(page) {
    const waiting = page.dimension > GRAPH_DIMENSION_MAX ? "full cells are held, half cells waited for"
        : "dashed what is held, dotted what is waited for";
    const kinds = {startup: "start-up", circuit: "setting up a circuit", hatch: "waiting: " + waiting,
                   transmit: "transmission", receive: "reception", shuffle: "shuffle", compute: "arithmetic",
                   barrier: "barrier", ...page.source === null ? {} : {grown: "where the data has been"}};
    $("key").append(...Object.entries(kinds).map(([name, text]) =>
        sample("var(--" + name + ")", text)));
}

/* --- bars --- */

/* A bar of parts, each {name, value, colour}, against `most`; `value` is in ps. */
function bar(label, parts, most) {
    const whole = parts.reduce((sum, part) => sum + part.value, 0);
    const line = element("div", {class: "bar", role: "img", "aria-label": label + ": " + parts.map(part =>
        part.name + " " + ps(part.value)).join(", ")});
    for (const part of parts) {
        const piece = element("span", {title: part.name + ": " + ps(part.value)});
        Object.assign(piece.style, {width: 100 * part.value / (most || 1) + "%", background: part.colour});
        line.append(piece);
    }
    return element("div", {class: "measure"}, element("span", {class: "label"}, label), line,
                   element("span", {class: "value"}, ps(whole)));
}

const PART_COLOURS = {"start-ups": "startup", circuits: "circuit", transmissions: "transmit", shuffles: "shuffle",
                      barriers: "barrier", arithmetic: "compute", "late start": "line"};

const timesOf = run => Object.entries({published: run.published, "contention-free": run.contentionFree,
                                       simulated: run.simulated}).filter(([, value]) => value !== undefined);

/* The three times of a run, and what the critical path consists of, to the scale of the runs of its size. */
function bars(run, alike) {
    const times = timesOf(run), most = Math.max(1, ...alike.flatMap(timesOf).map(([, time]) => time));
    const parts = Object.entries(run.parts ?? {}).filter(([, value]) => value > 0)
        .map(([name, value]) => ({name, value, colour: "var(--" + PART_COLOURS[name] + ")"}));
    return element("div", {}, ...times.map(([name, value]) => bar(name, [{name, value, colour: "var(--bar)"}], most)),
        parts.length ? bar("critical path", parts, most) : null,
        element("ul", {class: "key"}, ...parts.map(part => sample(part.colour, part.name + " " + ps(part.value)))));
}

/* --- a run's card --- */

function usesTable(run, choose) {
    const rows = (run.uses ?? []).map(use => [
        action(run, use.what, () => choose(run, use.from !== NONE && use.to !== NONE ? {from: use.from, to: use.to}
            : {node: use.to !== NONE ? use.to : use.from})),
        use.uses, ps(use.held), (100 * use.held / (run.time || 1)).toFixed(1) + " %", use.waits, ps(use.waited)]);
    const more = (run.used ?? 0) - rows.length;
    return rows.length === 0 ? element("p", {}, run.uses ? "No channel was used." : "There is no trace of it.")
        : folded(run, "Channels and ports by waiting" + (more > 0 ? " (" + more + " more were used)" : ""),
                 run.blocked > 0, ["what", "uses", "held", "of the run", "waits", "waiting for it"], rows);
}

function pathTable(run, choose) {
    const whose = one => one.message === NONE ? {node: one.processor} : {message: one.message};
    const rows = (run.path ?? []).map(one => [ps(one.start), action(run, one.what,
        () => choose(run, whose(one), one.start)), ps(one.end - one.start), one.why]);
    const shown = run.links > rows.length ? " (the first " + rows.length + " links)" : "";
    return rows.length === 0 ? null : folded(run, "Critical path, " + run.links + " links" + shown, false,
                                             ["start", "what", "takes", "begins because"], rows);
}

function leftOut(run) {
    return run.playable || run.intervals === undefined ? null : element("p", {},
        "This run has " + run.intervals.toLocaleString("en") + " intervals, more than this page has room for. They are "
        + "left out here; ecube run --trace writes them for Perfetto.");
}

export function showRuns(runs, choose) {
    const time = value => value === undefined ? "\u2013" : ps(value);
    $("runs").replaceChildren(table("The runs", ["run", "published", "contention-free",
        "simulated", "messages", "blocked", "waiting", "data"], runs.map(run => [run.name, time(run.published),
        time(run.contentionFree), time(run.simulated), run.messageCount ?? "\u2013", run.blocked ?? "\u2013",
        time(run.waiting), run.fault ? "FAILED" : "ok"])));
    $("cards").replaceChildren(...runs.map(run => element("section", {class: "card"},
        element("h3", {}, run.name), run.fault ? element("p", {class: "fault"}, run.fault) : null, leftOut(run),
        bars(run, runs.filter(other => other.size === run.size)), usesTable(run, choose), pathTable(run, choose))));
}

/* --- the hull --- */

/* The lines of the hull's faces over the block size, and the simulated times of the runs. */
export function showHull(page, runs) {
    const points = runs.filter(run => run.simulated !== undefined && run.bytes !== undefined);
    const holder = $("hull"), {hull} = page;
    holder.hidden = hull.length === 0 || points.length === 0;
    if (holder.hidden)
        return;
    const most = 1.45 * Math.max(1, ...points.map(run => run.bytes), ...hull.map(face => face.from));
    const faces = hull.map(({from, to, slope, intercept, partition}) => [from, Math.min(to ?? most, most)].map(bytes =>
        ({bytes, time: intercept + slope * bytes, partition})));
    const high = 1.1 * Math.max(1, ...points.map(run => run.simulated), ...faces.map(([, end]) => end.time));
    const x = bytes => 78 + bytes / most * 542, y = time => 260 - time / high * 240;
    const picture = svg("svg", {viewBox: "0 0 640 300", role: "img", "aria-label": "Best partitions: "
        + hull.map(face => "(" + face.partition + ") from " + face.from.toFixed(1) + " bytes").join(", ")});
    const text = (left, top, words, anchor = "middle") => picture.append(svg("text", {x: left, y: top,
        "text-anchor": anchor}, words));
    for (let bytes = 0; bytes <= most; bytes += tickStep(most / 6))
        text(x(bytes), 278, bytes);
    for (let time = 0; time <= high; time += tickStep(high / 6))
        text(72, y(time) + 4, tickText(time, tickStep(high / 6)), "end");
    text(340, 296, "bytes in a block");
    for (const [start, end] of faces) {
        const [x1, y1, x2, y2] = [x(start.bytes), y(start.time), x(end.bytes), y(end.time)];
        picture.append(svg("line", {x1, y1, x2, y2, class: "face"}),
                       svg("circle", {cx: x1, cy: y1, r: 2.5, class: "vertex"}));
        if (x2 - x1 > 50)
            text((x1 + x2) / 2, (y1 + y2) / 2 + 20, "(" + start.partition + ")");
    }
    let below = 0;
    for (const run of points.sort((one, other) => other.simulated - one.simulated)) {
        const [cx, cy] = [x(run.bytes), y(run.simulated)];
        picture.append(svg("circle", {cx, cy, r: 4.5, class: "run"},
                           svg("title", {}, run.name + ": " + ps(run.simulated))));
        if (!points.some(other => other.bytes > run.bytes))
            text(cx + 7, below = Math.max(below + 13, cy + 14), run.label.split(", ")[0], "start");
    }
    holder.replaceChildren(element("h2", {}, "The hull of optimality"), picture, element("p", {},
        "Line: the contention-free time of the best partition for each block size, as ecube hull --model "
        + "contention-free has it. Points: the runs of this page."));
}
