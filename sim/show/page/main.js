/* The clock, what is selected, and what all controls do. */

import {NONE, Trace, placeName, ps} from "./trace.js";
import {momentOf} from "./moment.js";
import {readTheme} from "./canvas.js";
import {GRAPH_DIMENSION_MAX, GraphView} from "./graph.js";
import {HeatMaps} from "./heat.js";
import {MatrixView} from "./matrix.js";
import {EDGE, Timeline, drawWaitMarks} from "./timeline.js";
import {$, action, element, showHead, showHull, showKey, showRuns} from "./facts.js";

const page = JSON.parse($("data").textContent);
const runs = page.runs.map((data, number) => new Trace(data, number, page));
const playable = runs.filter(run => run.playable);

/* A run's label is its name without what is said of all runs. */
const partsOf = run => run.name.split(/, | (?=of |on )/);
for (const run of runs)
    run.label = partsOf(run).filter((part, i) => i === 0 || runs.length === 1
        || !runs.every(other => partsOf(other).includes(part))).join(", ");

/* All that can change. `shown` are one or two runs, on one clock; the selection is of one of them. */
const state = {
    t: 0, end: 1, playing: false, shown: [], selected: null, selection: null, layout: "nested", path: false,
    view: {from: 0, to: 1}, theme: readTheme(), last: 0, told: 0, asked: false,
};

const Cube = page.dimension > GRAPH_DIMENSION_MAX ? MatrixView : GraphView;
const views = [0, 1].map(i => ({
    cube: new Cube(), timeline: new Timeline($("timeline" + i)), figure: $("figure" + i),
    diagram: $("diagram" + i), names: [$("name" + i), $("row" + i)],
}));

const heats = new HeatMaps($("heats"), (...chosen) => select(...chosen));

/* --- drawing --- */

function draw() {
    const {t, theme, view} = state;
    state.shown.forEach((run, i) => {
        const selection = state.selected === run ? state.selection : null;
        views[i].cube.draw($("cube" + i), momentOf(run, t), selection, theme, state.layout);
        views[i].timeline.draw(run, t, view, {path: state.path, selection, theme});
    });
    heats.show([...state.shown, ...runs.filter(run => run.totals)], state);
    $("clock").value = t;
    $("clock").setAttribute("aria-valuetext", ps(t));
    $("time").textContent = ps(t);
    $("now").textContent = state.shown.map(nowText).join("\n");
}

/* Draws once before the next frame, however often it is asked for. */
function redraw() {
    if (!state.asked)
        requestAnimationFrame(() => { state.asked = false; draw(); });
    state.asked = true;
}

/* What a screen reader is to say. */
const say = text => { $("said").textContent = text; };

/* Which run is meant, where there are two. */
const which = run => state.shown.length > 1 ? run.label + ": " : "";

function nowText(run) {
    const now = momentOf(run, state.t).counts();
    const over = run.simulated !== undefined && state.t >= run.simulated ? ", over after " + ps(run.simulated) : "";
    return which(run) + (run.fault ? run.fault + " " : "") + now.delivered + " of " + run.messages.n
        + " messages delivered, " + now.waitingNow + " waiting now; " + now.blocked + " have had to wait, "
        + ps(now.waited) + " in all" + over + ".";
}

const drawMarks = () => drawWaitMarks($("marks"), state.shown, state.end, state.theme);

/* --- the clock --- */

function seek(t) {
    state.t = Math.max(0, Math.min(state.end, t));
    if (state.t > state.view.to || state.t < state.view.from)
        lookAt(state.t - (state.view.to - state.view.from) / 4);
    tellSelection();
    redraw();
}

/* To the next instant at which anything begins or ends, or the last one. */
function step(direction) {
    play(false);
    seek(direction > 0 ? Math.min(...state.shown.map(run => run.instants.find(t => t > state.t) ?? state.end))
        : Math.max(...state.shown.map(run => run.instants.findLast(t => t < state.t) ?? 0)));
    say($("now").textContent);
}

function play(on) {
    cancelAnimationFrame(state.request);
    state.playing = on && state.shown.length > 0;
    if (state.playing && state.t >= state.end)
        seek(0);
    state.last = performance.now();
    $("play").textContent = state.playing ? "Pause" : "Play";
    if (state.playing)
        state.request = requestAnimationFrame(frame);
}

/* The whole takes so many seconds as are chosen; a frame shows the instant that it falls on. */
function frame(now) {
    const seconds = Math.max(0, now - state.last) / 1000;
    state.last = now;
    state.t = Math.min(state.end, state.t + seconds / Number($("speed").value) * state.end);
    if (state.t > state.view.to)
        lookAt(state.t);
    draw();
    if (now - state.told > 250 && !$("selected").matches(":active") || state.t === state.end) {
        state.told = now;
        tellSelection();
    }
    if (state.t < state.end)
        return void (state.request = requestAnimationFrame(frame));
    play(false);
    say($("now").textContent);
}

/* --- the window of the diagram --- */

/* Moves the window so that it begins at `from`, within the run. */
function lookAt(from) {
    const width = state.view.to - state.view.from, first = Math.max(0, Math.min(state.end - width, from));
    state.view = {from: first, to: first + width};
}

/* Zooms by a factor around an instant. */
function zoom(factor, around = state.t) {
    const {from, to} = state.view, width = Math.min(state.end, Math.max(state.end / 1e5, 1000, (to - from) * factor));
    const share = Math.max(0, Math.min(1, (around - from) / (to - from)));
    state.view = {from, to: from + width};
    lookAt(from + share * (to - from - width));
    redraw();
}

/* --- what is selected --- */

function select(run, selection, t) {
    state.selected = selection ? run : null;
    state.selection = selection;
    if (run && !state.shown.includes(run))
        show(run, null);
    if (t !== undefined)
        seek(t);
    tellSelection();
    say($("selected").innerText.split(/\n+/).slice(0, 12).join("; "));
    redraw();
}

/* Who is at a link in the panel stays at the panel. */
function tellSelection() {
    const {selected: run, selection} = state, within = $("selected").contains(document.activeElement);
    $("panel").classList.toggle("chosen", selection !== null);
    $("selected").replaceChildren(...!selection ? tellWaiting()
        : selection.message === undefined ? tellPlace(run, selection) : tellMessage(run, selection.message));
    if (within)
        $("panel").focus({preventScroll: true});
}

/* How many messages there are, and 30 of them to choose from; nothing if there is none. */
function tellMessages(words, run, messages) {
    return messages.length === 0 ? [] : [element("p", {}, which(run) + messages.length + " " + words), element("ul", {},
        ...messages.slice(0, 30).map(message => tellName(run, message)))];
}

function tellName(run, message, ...words) {
    return element("li", {}, action(run, run.messageName(message), () => select(run, {message})), ...words);
}

function tellWaiting() {
    const hint = "Choose a message, a node or a channel in the pictures, or find it: message 3, node 5, channel 0 1.";
    return [element("p", {}, hint), ...state.shown.flatMap(run => tellMessages("waiting now", run,
        momentOf(run, state.t).waits.map(wait => run.activities.message[wait])))];
}

/* What a message is doing, the chain of those that it waits for, and who waits behind it. */
function tellMessage(run, message) {
    const moment = momentOf(run, state.t), chain = moment.chain(message), behind = moment.behind(message);
    const m = run.messages, a = run.activities, delivered = run.delivered[message];
    const bytes = run.packetsOf[message].map(packet => packet.transmit).filter(i => i !== NONE
        && (a.from[i] === NONE || a.from[i] === m.source[message])).reduce((sum, i) => sum + a.bytes[i], 0);
    const list = [element("h2", {}, which(run) + run.messageName(message)),
        element("p", {}, bytes + " bytes, step " + m.step[message] + ", route " + run.route(message).join(" \u2192 ")
            + ". Issued at " + ps(m.issued[message]) + ", delivered "
            + (delivered < Infinity ? "at " + ps(delivered) : "never") + "."),
        element("p", {class: "phase"}, "Now: " + moment.phase(message).text + ".")];
    const last = chain.at(-1)?.holder ?? NONE;
    if (chain.length)
        list.push(element("p", {}, "Each waits for what the next one has:"), element("ol", {}, ...chain.map(
            ({message: one, wait}) => tellName(run, one, " waits for ", placeName(a.from[wait], a.to[wait]))),
            last === NONE ? "" : tellName(run, last, last === message ? ", of which this is another packet"
                : ": " + moment.phase(last).text)));
    return [...list, ...tellMessages("waiting behind it", run, behind)];
}

/* The history of a node or of a channel, around the present instant. */
function tellPlace(run, {node, from, to}) {
    const lines = run.history(node, from, to), over = lines.findIndex(line => line.end > state.t);
    const first = Math.max(0, (over < 0 ? lines.length : over) - 4);
    return [element("h2", {}, which(run) + (node !== undefined ? "processor " + node : placeName(from, to))),
        element("p", {}, "entries: " + lines.length + "; around now:"),
        element("ol", {start: first + 1}, ...lines.slice(first, first + 24).map(({start, end, message, what}) =>
            element("li", start <= state.t && state.t < end ? {class: "current"} : {},
                action(run, ps(start) + " " + what + (message === NONE ? "" : " " + run.messageName(message)),
                       () => select(run, message === NONE ? {node} : {message}, start)))))];
}

/* --- which runs --- */

function show(first, second) {
    state.shown = [...new Set([first, second])].filter(run => run?.playable);
    if (!state.shown.includes(state.selected))
        state.selection = state.selected = null;
    state.end = Math.max(1, ...state.shown.map(run => run.time));
    state.view = {from: 0, to: state.end};
    state.t = Math.min(state.t, state.end);
    $("clock").max = state.end;
    views.forEach((view, i) => {
        const run = state.shown[i];
        view.figure.hidden = view.diagram.hidden = !run;
        if (run)
            for (const name of view.names)
                name.textContent = run.label + ", " + ps(run.time) + (run.fault ? " \u2013 FAILED" : "");
    });
    ["first", "second"].forEach((id, i) => { $(id).value = state.shown[i]?.number ?? ""; });
    $("stage").hidden = state.shown.length === 0;
    document.body.classList.toggle("two", state.shown.length > 1);
    drawMarks();
    tellSelection();
    redraw();
}

/* At first the slowest and the fastest of the runs of the first size. */
function showAtFirst() {
    const same = playable.filter(run => run.size === playable[0].size).sort((a, b) => b.time - a.time);
    show(same[0], same.at(-1));
}

/* --- controls --- */

/* "message 3", "node 5", "channel 0 1", "receive port of 5", or a message's number. The browser shows and says why
 * nothing is found. */
function find(run = state.shown[0]) {
    const text = $("find").value, [one, other] = (text.match(/\d+/g) ?? []).map(Number);
    const to = /^ *(the +)?r/i.test(text) ? one : other;
    $("find").setCustomValidity("");
    if (/^ *[np]/i.test(text) && one < run.nodes)
        select(run, {node: one});
    else if (/^ *(the +)?[cr]/i.test(text) && run.places.has(run.place(one, to)))
        select(run, {from: one, to});
    else if (/^ *[hm\d]/i.test(text) && one < run.messages.n)
        select(run, {message: one}, Math.max(state.t, run.messages.issued[one]));
    else
        $("find").setCustomValidity(which(run) + "this is not in the run, which has " + run.messages.n
            + " messages and " + run.nodes + " nodes, counted from 0, and channels and receive ports that were used.");
    $("find").reportValidity();
}

function fillChoices() {
    for (const id of ["first", "second"])
        $(id).append(...playable.map(run => new Option(run.label, run.number)));
    $("first").onchange = $("second").onchange = () => show(runs[$("first").value], runs[$("second").value]);
    $("second").parentElement.hidden = playable.length < 2;
}

function connectControls() {
    $("play").onclick = () => play(!state.playing);
    $("back").onclick = () => step(-1);
    $("forward").onclick = () => step(1);
    $("clock").oninput = () => { play(false); seek(Number($("clock").value)); };
    $("layout").onchange = () => { state.layout = $("layout").value; redraw(); };
    $("layout").parentElement.hidden = page.dimension > GRAPH_DIMENSION_MAX;
    $("path").onchange = () => { state.path = $("path").checked; redraw(); };
    $("in").onclick = () => zoom(0.5);
    $("out").onclick = () => zoom(2);
    $("find").onkeydown = event => { if (event.key === "Enter") find(state.shown[Number(event.shiftKey)]); };
}

function connectKeys() {
    const keys = {
        " ": () => play(!state.playing), ArrowRight: () => step(1), ArrowLeft: () => step(-1),
        Home: () => seek(0), End: () => seek(state.end), "+": () => zoom(0.5), "-": () => zoom(2),
        Escape: () => select(null, null), c: () => $("path").click(),
    };
    document.addEventListener("keydown", event => {
        const within = event.target.closest("input:not([type=range]), select, button, summary, .scroll");
        const typing = within && !(within.matches("button") && event.key !== " ");
        if (event.ctrlKey || event.altKey || event.metaKey || typing || !keys[event.key])
            return;
        event.preventDefault();
        keys[event.key]();
    });
}

/* A click selects; in the diagram a drag moves the window, and the wheel with Ctrl zooms. */
function connectPictures() {
    views.forEach((view, i) => {
        $("cube" + i).onclick = event => select(state.shown[i], view.cube.hit(event.offsetX, event.offsetY));
        const canvas = view.timeline.canvas;
        let grabbed = null;
        canvas.onpointerdown = event => {
            grabbed = event.button === 0 ? {x: event.offsetX, from: state.view.from, moved: false} : null;
            canvas.setPointerCapture(event.pointerId);
        };
        canvas.onpointermove = event => {
            if (!grabbed || Math.abs(event.offsetX - grabbed.x) < 4 && !grabbed.moved)
                return;
            grabbed.moved = true;
            lookAt(grabbed.from - (view.timeline.time(event.offsetX) - view.timeline.time(grabbed.x)));
            redraw();
        };
        canvas.onpointerup = event => {
            const x = event.offsetX, t = x < EDGE ? undefined : view.timeline.time(x);
            if (grabbed && !grabbed.moved)
                select(state.shown[i], view.timeline.hit(x, event.offsetY), t);
            grabbed = null;
        };
        canvas.onpointercancel = () => { grabbed = null; };
        canvas.onwheel = event => {
            if (event.ctrlKey) {
                event.preventDefault();
                zoom(1.0022 ** event.deltaY, view.timeline.time(event.offsetX));
            }
        };
    });
}

/* Colours follow the system's; paper is light. */
function connectTheme() {
    const refresh = () => { state.theme = readTheme(); drawMarks(); draw(); };
    for (const query of ["(prefers-color-scheme: dark)", "print"])
        matchMedia(query).addEventListener("change", refresh);
    new ResizeObserver(() => { drawMarks(); redraw(); }).observe(document.body);
}

showHead(page);
showKey(page);
showRuns(runs, (...chosen) => { select(...chosen); $("panel").focus(); });
showHull(page, runs);
fillChoices();
connectControls();
connectKeys();
connectPictures();
connectTheme();
showAtFirst();

/* For tests, and to try things in the browser's console. */
window.ecube = {page, runs, state, views, heats, seek, step, play, zoom, draw, show, select, at: momentOf};
