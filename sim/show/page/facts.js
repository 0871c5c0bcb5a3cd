/* What is written beside the pictures: what was run, tables, bars and the hull. All text goes through textContent, so
 * that no title or path can be anything but text. */

function fill(node, attributes, children) {
    for (const [key, value] of Object.entries(attributes))
        node.setAttribute(key, value);
    node.append(...children.filter(child => child !== null));
    return node;
}

const element = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
const svg = (name, attributes, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

/* Text that does something when it is chosen. */
function action(text, act) {
    const button = element("button", {class: "link"}, text);
    button.onclick = act;
    return button;
}

function table(caption, heads, rows) {
    const line = (name, cells) => element("tr", {}, ...cells.map(cell => element(name, {}, cell)));
    return element("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
        element("table", {}, element("caption", {}, caption), element("thead", {}, line("th", heads)),
            element("tbody", {}, ...rows.map(row => line("td", row)))));
}

/* --- what was run --- */

function showHead(page) {
    for (const name of ["title", "words", "command"])
        document.getElementById(name).textContent = page[name];
    const {machine} = page, rows = machine.constants.map(one =>
        [one.name, isNaN(one.value) ? one.value : Number(one.value), one.unit, one.meaning, one.source]);
    document.getElementById("machine").append(
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

function showKey(page) {
    const kinds = {startup: "start-up", circuit: "setting up a circuit", hatch: "waiting, and what is held meanwhile",
                   transmit: "transmission", receive: "reception", shuffle: "shuffle", compute: "arithmetic",
                   barrier: "barrier", ...page.source === null ? {} : {grown: "where the data has been"}};
    document.getElementById("key").append(...Object.entries(kinds).map(([name, text]) =>
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
        piece.style.width = 100 * part.value / (most || 1) + "%";
        piece.style.background = part.colour;
        line.append(piece);
    }
    return element("div", {class: "measure"}, element("span", {class: "label"}, label), line,
                   element("span", {class: "value"}, ps(whole)));
}

const PART_COLOURS = {"start-ups": "startup", circuits: "circuit", transmissions: "transmit", shuffles: "shuffle",
                      barriers: "barrier", arithmetic: "compute", "late start": "line"};

/* The three times of a run, and what the critical path consists of. */
function bars(run) {
    const times = [["published", run.published], ["contention-free", run.contentionFree], ["simulated", run.simulated]]
        .filter(([, value]) => value !== undefined);
    const most = Math.max(1, ...times.map(([, value]) => value));
    const parts = Object.entries(run.parts ?? {}).filter(([, value]) => value > 0)
        .map(([name, value]) => ({name, value, colour: "var(--" + PART_COLOURS[name] + ")"}));
    return element("div", {}, ...times.map(([name, value]) => bar(name, [{name, value, colour: "var(--bar)"}], most)),
        parts.length ? bar("critical path", parts, most) : null,
        element("ul", {class: "key"}, ...parts.map(part => sample(part.colour, part.name + " " + ps(part.value)))));
}

/* --- a run's card --- */

function usesTable(run, choose) {
    const rows = (run.uses ?? []).slice(0, 10).map(use => [
        action(use.what, () => choose(run, use.from !== NONE && use.to !== NONE ? {from: use.from, to: use.to}
            : {node: use.to !== NONE ? use.to : use.from})),
        use.uses, ps(use.held), (100 * use.held / (run.time || 1)).toFixed(1) + " %", use.waits, ps(use.waited)]);
    const more = (run.used ?? 0) - rows.length;
    return rows.length === 0 ? element("p", {}, run.uses ? "No channel was used." : "There is no trace of it.")
        : table("Channels and ports by waiting" + (more > 0 ? " (" + more + " more were used)" : ""),
                ["what", "uses", "held", "of the run", "waits", "waiting for it"], rows);
}

function pathTable(run, choose) {
    const rows = (run.path ?? []).map(one => [ps(one.start), action(one.what, () => choose(run, one.message === NONE
        ? {node: one.processor} : {message: one.message}, one.start)), ps(one.end - one.start), one.why]);
    const shown = run.links > rows.length ? " (the first " + rows.length + " links)" : "";
    return rows.length === 0 ? null
        : element("details", {}, element("summary", {}, "Critical path, " + run.links + " links" + shown),
                  table("Links of the critical path", ["start", "what", "takes", "begins because"], rows));
}

function leftOut(run) {
    return run.playable || run.intervals === undefined ? null : element("p", {},
        "This run has " + run.intervals.toLocaleString("en") + " intervals, more than this page has room for. They are "
        + "left out here; ecube run --trace writes them for Perfetto.");
}

function showRuns(runs, choose) {
    const time = value => value === undefined ? "\u2013" : ps(value);
    document.getElementById("runs").replaceChildren(table("The runs", ["run", "published", "contention-free",
        "simulated", "messages", "blocked", "waiting", "data"], runs.map(run => [run.name, time(run.published),
        time(run.contentionFree), time(run.simulated), run.messageCount ?? "\u2013", run.blocked ?? "\u2013",
        time(run.waiting), run.fault ? "FAILED" : "ok"])));
    document.getElementById("cards").replaceChildren(...runs.map(run => element("section", {class: "card"},
        element("h3", {}, run.name), run.fault ? element("p", {class: "fault"}, run.fault) : null, leftOut(run),
        bars(run), usesTable(run, choose), pathTable(run, choose))));
}

/* --- the hull --- */

/* The lines of the hull's faces over the block size, and the simulated times of the runs. */
function showHull(page, runs) {
    const points = runs.filter(run => run.simulated !== undefined && run.bytes !== undefined);
    const holder = document.getElementById("hull"), {hull} = page;
    holder.hidden = hull.length === 0 || points.length === 0;
    if (holder.hidden)
        return;
    const most = 1.15 * Math.max(1, ...points.map(run => run.bytes), ...hull.map(face => face.from));
    const faces = hull.map(face => ({...face, end: Math.min(face.to ?? most, most)}));
    const at = (face, bytes) => face.intercept + face.slope * bytes;
    const high = 1.1 * Math.max(1, ...points.map(run => run.simulated), ...faces.map(face => at(face, face.end)));
    const x = bytes => 60 + bytes / most * 560, y = time => 260 - time / high * 240;
    const picture = svg("svg", {viewBox: "0 0 640 300", role: "img", "aria-label": "Best partitions: "
        + hull.map(face => "(" + face.partition + ") from " + face.from.toFixed(1) + " bytes").join(", ")});
    const text = (left, top, words, anchor = "middle") => picture.append(svg("text", {x: left, y: top,
        "text-anchor": anchor}, words));
    for (let share = 0; share <= 4; share++) {
        text(x(most * share / 4), 278, (most * share / 4).toFixed(most < 100 ? 1 : 0));
        text(54, y(high * share / 4) + 4, tickText(high * share / 4, high / 100), "end");
    }
    text(340, 296, "bytes in a block");
    for (const face of faces) {
        const {from, end} = face, middle = (from + end) / 2;
        const start = {x1: x(from), y1: y(at(face, from))};
        picture.append(svg("line", {...start, x2: x(end), y2: y(at(face, end)), class: "face"}),
                       svg("circle", {cx: start.x1, cy: start.y1, r: 2.5, class: "vertex"}));
        if (x(end) - x(from) > 30)
            text(x(middle), y(at(face, middle)) + 18, "(" + face.partition + ")");
    }
    picture.append(...points.map(run => svg("circle", {cx: x(run.bytes), cy: y(run.simulated), r: 4.5, class: "run"},
        svg("title", {}, run.name + ": " + ps(run.simulated)))));
    holder.replaceChildren(element("h2", {}, "The hull of optimality"), picture, element("p", {},
        "Line: the time of the best partition for each block size if nothing blocks, as ecube hull --model "
        + "contention-free has it. Points: the runs of this page."));
}
