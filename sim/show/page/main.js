/* The clock, the selection, and the actions of all controls. */

import {Trace, distinct, ps} from "./trace.js";
import {NONE} from "./network.js";
import {firstPieces, largest, momentOf} from "./moment.js";
import {readTheme} from "./canvas.js";
import {GRAPH_MAX, GraphView} from "./graph.js";
import {ArrivalsView, followBlock} from "./arrivals.js";
import {found} from "./find.js";
import {HeatMaps} from "./heat.js";
import {MatrixView} from "./matrix.js";
import {BlocksView, tellBlocks} from "./blocks.js";
import {Panel, predicts} from "./panel.js";
import {SizeChart} from "./size.js";
import {Pace, storyOf} from "./story.js";
import {connectTip, linkText, readLink, savePicture} from "./share.js";
import {EDGE, Timeline, drawWaitMarks} from "./timeline.js";
import {$, element, linkTables} from "./facts.js";

const SLOW = 3;                         /* seconds from one step of the story to the next */

const page = JSON.parse($("data").textContent);
const runs = page.runs.map((data, number) => new Trace(data, number, page));
const playable = runs.filter(run => run.playable);

/* A run's label is its name without the parts that all runs share. Its size keeps its unit. */
const partsOf = run => run.name.split(/, | (?=of |on )/);
for (const run of runs)
    run.label = partsOf(run).filter((part, i) => i === 0 || runs.length === 1
        || !runs.every(other => partsOf(other).includes(part))).join(", ").replace(/ (?=bytes?\b)/, "\u00a0");

/* The state of the page. `shown` are one or two runs, on one clock; the selection is in one of them. */
const state = {
    t: 0, end: 1, playing: false, shown: [], selected: null, selection: null, path: false,
    view: {from: 0, to: 1}, theme: readTheme(), last: 0, told: 0, asked: false, story: [], step: -1, until: 0, seconds: 0,
};
const panel = new Panel(state, select), heats = new HeatMaps($("heats"), select);
const sizes = new SizeChart(page);

$("figure0").insertAdjacentHTML("afterend", $("figure0").outerHTML
    .replace(/(id|describedby)="(\w+)0"/g, '$1="$21"').replaceAll('aria-label="', 'aria-label="Second run: '));
const Cube = page.processors > GRAPH_MAX ? MatrixView : GraphView;
const views = [0, 1].map(i => ({cube: new Cube(), timeline: new Timeline($("timeline" + i)), figure: $("figure" + i),
                                blocks: new BlocksView($("blocks" + i)), arrivals: new ArrivalsView($("arrivals" + i))}));

/* --- drawing --- */

function draw() {
    const {t, theme, view} = state, race = document.querySelector(".race");
    state.shown.forEach((run, i) => {
        const selection = state.selected === run ? state.selection : null;
        views[i].cube.draw($("cube" + i), momentOf(run, t), selection, theme);
        views[i].blocks.draw(momentOf(run, t), selection, theme);
        views[i].arrivals.draw(momentOf(run, t), selection, theme);
        views[i].timeline.draw(run, t, view, {path: state.path, selection, theme});
        $("now" + i).textContent = panel.now(run);
    });
    heats.show([...state.shown, ...runs.filter(run => run.totals && run.waiting)], state);
    race?.querySelector(".clock").setAttribute("x", 100 * Math.min(1, t / race.dataset.end) + "%");
    drawTale(t);
    $("clock").value = t;
    $("clock").setAttribute("aria-valuetext", ps(t));
    $("time").textContent = ps(t);
}

/* Shows the sentence of the story's step: grey, with its time, when the clock is elsewhere. */
function drawTale(t) {
    const {t: at = t, text = ""} = state.story[state.step] ?? {}, stale = Math.round(at) !== Math.round(t);
    $("tale").classList.toggle("stale", stale);
    $("tale").textContent = (stale && !/^At \d/.test(text) ? "(At " + ps(at) + ") " : "") + text;
}

/* Hides the names of parts for which a bar has no room. */
function fitBars() {
    for (const text of document.querySelectorAll("header .bar text"))
        text.toggleAttribute("hidden", text.getComputedTextLength() + 8 > text.parentNode.getBoundingClientRect().width);
}

/* Draws once before the next frame, however often it is asked for. */
function redraw() {
    if (!state.asked)
        requestAnimationFrame(() => { state.asked = false; draw(); });
    state.asked = true;
}

/* Makes a screen reader say a text. */
const say = text => { $("said").textContent = text; };
const sayNow = () => say(state.shown.map(run => panel.which(run) + panel.now(run)).join("\n"));

const drawMarks = () => drawWaitMarks($("marks"), state.shown, state.end, state.theme);

/* --- the clock --- */

function seek(t) {
    state.t = Math.max(0, Math.min(state.end, Math.round(t)));
    if (state.t > state.view.to || state.t < state.view.from)
        lookAt(state.t - (state.view.to - state.view.from) / 4);
    refreshPanel();
    redraw();
}

/* Moves the clock to the next instant at which anything begins or ends, or to the last one. */
function step(direction) {
    play(false);
    seek(direction > 0 ? Math.min(...state.shown.map(run => run.instants.find(t => t > state.t) ?? state.end))
        : Math.max(...state.shown.map(run => run.instants.findLast(t => t < state.t) ?? 0)));
    sayNow();
}

/* Starts or stops the clock. When it stops, the panel shows the same instant as the pictures. */
function play(on) {
    cancelAnimationFrame(state.request);
    state.playing = on && state.shown.length > 0;
    if (state.playing && state.t >= state.end)
        seek(0);
    state.until = state.end;
    state.seconds = Number($("speed").value);
    state.last = performance.now();
    $("play").textContent = state.playing ? "Pause" : "Play";
    if (state.playing)
        state.request = requestAnimationFrame(frame);
    state.t = Math.round(state.t);
    refreshPanel();
    redraw();
}

/* Draws a frame at the instant that it falls on. The run takes the chosen number of seconds, at the chosen pace. */
function frame(now) {
    const seconds = Math.max(0, now - state.last) / 1000, {pace, until} = state;
    state.last = now;
    state.t = Math.min(until, Math.max(state.t + 1, pace.at(pace.of(state.t) + seconds / state.seconds)));
    if (state.t > state.view.to)
        lookAt(state.t);
    draw();
    if (now - state.told > 250 && !$("selected").matches(":active")) {
        state.told = now;
        refreshPanel();
    }
    if (state.t < until)
        return void (state.request = requestAnimationFrame(frame));
    play(false);
    sayNow();
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
    seek(t ?? state.t);
    say($("selected").innerText.split(/\n+/).slice(0, 12).join("; "));
}

/* Refreshes the panel and keeps the focus in it. While the clock stands, the link to this page follows. If a block is
 * selected, so is the message that brings it on now. */
function refreshPanel() {
    if (state.selection?.block)
        state.selection.message = followBlock(momentOf(state.selected, state.t), state.selection.block).message;
    const within = $("selected").contains(document.activeElement);
    $("panel").classList.toggle("chosen", state.selection !== null);
    $("drop").hidden = !state.selection;
    $("selected").replaceChildren(...panel.tell());
    if (within)
        $("panel").focus({preventScroll: true});
    clearTimeout(state.linking);
    if (!state.playing && state.shown.length)
        state.linking = setTimeout(writeLink, 300);
}

const writeLink = () => history.replaceState(null, "", linkText(state));

/* Moves the clock to where the next message begins to wait, or after the last one to the first. */
function nextWait() {
    const waits = state.shown.flatMap(run => firstPieces(run).map(i => ({run, t: run.activities.start[i], i})));
    const first = list => largest(list, ({t}) => -t), next = first(waits.filter(({t}) => t > state.t)) ?? first(waits);
    play(false);
    return next ? select(next.run, {message: next.run.activities.message[next.i]}, next.t)
        : flash($("wait"), "no message waits");
}

/* Returns the first run in which messages wait now, or undefined. */
const waitingRun = () => state.shown.find(run => momentOf(run, state.t).waits.length);

/* Selects the end of a chain of waits: that of the selected message, or else the longest. */
function rootCause() {
    play(false);
    const run = state.selected ?? waitingRun() ?? state.shown[0], moment = momentOf(run, state.t);
    const last = moment.chain(state.selection?.message).at(-1) ?? moment.chain(moment.longest()).at(-1);
    return last ? select(run, {message: last.holder === NONE ? last.message : last.holder})
        : flash($("root"), "no message waits now");
}

/* --- the story --- */

function tellStory() {
    const {story, step} = state;
    $("chapter").textContent = story.length ? step + 1 + " of " + story.length : "";
    drawTale(state.t);
    $("back").disabled = step <= 0;
    $("on").disabled = step >= story.length - 1;
    if (step === story.length - 1 && predicts())
        reveal();
}

/* Begins the story with nothing revealed: its pages ask before they answer, and the last one shows all again. */
function predict() {
    document.body.classList.add("predict");
    show(...state.shown);
    makeStory();
    state.step = -1;
    turnTo(0);
}

function reveal() {
    document.body.classList.remove("predict");
    show(...state.shown);
    fitBars();
}

/* Goes to a step of the story: in slow motion if it lies ahead in the run that is shown, else at once. */
function turnTo(step) {
    const to = state.story[step];
    if (!to)
        return;
    const {reduced, pace} = state, ahead = to.t - state.t, slow = ahead > 0 && !reduced && state.step >= 0;
    play(false);
    state.step = step;
    $("path").checked = state.path = Boolean(to.path);
    if (!state.shown.includes(to.run))
        show(to.run, runs[page.pair[1]]);
    tellStory();
    select(to.run, to.selection, slow ? undefined : to.t);
    say(to.text);
    if (!slow)
        return;
    play(true);
    Object.assign(state, {until: Math.round(to.t), seconds: SLOW / Math.max(1e-9, pace.of(to.t) - pace.of(state.t))});
}

/* Shows a result on a button for a while. */
function flash(button, text) {
    const before = button.dataset.text ??= button.textContent;
    button.textContent = text;
    say(text);
    setTimeout(() => { button.textContent = before; }, 2000);
}

/* --- which runs --- */

function show(first, second) {
    state.shown = [...new Set([first, second])].filter(run => run?.playable);
    if (!state.shown.includes(state.selected))
        state.selection = state.selected = null;
    state.end = Math.max(0, ...state.shown.map(run => run.time)) || 1e6;
    state.view = {from: 0, to: state.end};
    state.pace = new Pace(distinct(...state.shown.map(run => run.instants)), state.end);
    state.t = Math.min(state.t, state.end);
    $("clock").max = state.end;
    views.forEach((view, i) => {
        const run = state.shown[i];
        view.figure.hidden = !run;
        view.figure.classList.toggle("with-blocks", Boolean(run && view.blocks.of(run)));
        view.figure.classList.toggle("with-arrivals", Boolean(run && view.arrivals.shows(run)));
        $("name" + i).textContent = !run ? "" : run.label + (predicts() ? "" : ", " + ps(run.time)) + (run.fault ? " \u2013 FAILED" : "");
    });
    ["first", "second"].forEach((id, i) => { $(id).value = state.shown[i]?.number ?? ""; });
    $("stage").hidden = state.shown.length === 0;
    document.body.classList.toggle("two", state.shown.length > 1);
    drawMarks();
    refreshPanel();
    redraw();
}

/* Shows the pair of runs that the verdict compares, at the first step of their story. */
function showAtFirst() {
    const [slow, fast] = page.pair.map(number => runs[number]).map(run => run?.playable ? run : undefined);
    const run = slow ?? largest(playable, one => one.waiting ?? 0), others = playable.filter(one => one !== run
        && one.size === run.size);
    show(run, fast && fast !== run ? fast : largest(others, one => -one.time));
    makeStory();
    if (run)
        select(run, state.story[0].selection, state.story[0].t);
    clearTimeout(state.linking);
    say("");
}

/* Makes the story of the pair of runs. It begins with the first step. */
function makeStory() {
    const run = state.shown[0];
    state.story = run ? storyOf(run, state.shown[1], $("words").textContent, predicts()) : [];
    state.step = Math.min(0, state.story.length - 1);
    tellStory();
}

/* Shows the moment in the address, if it has one. */
function follow() {
    const link = readLink(runs), step = /^#step=(\d+)$/.exec(location.hash)?.[1];
    if (location.hash === "#predict") {
        predict();
    } else if (step) {
        state.step = -1;
        turnTo(Math.min(Math.max(step, 1), state.story.length) - 1);
    } else if (link) {
        play(false);
        show(...link.shown);
        select(link.selected, link.selection, link.t);
        $("stage").scrollIntoView();
    }
    return step ?? link;
}

/* Finds the words in a run. The browser shows why nothing is found. A message is shown while it is under way. */
function find(run) {
    const selection = found(run, $("find").value, state.selected === run ? state.selection.message : undefined);
    const {n, issued: {[selection?.message]: issued}} = run.messages;
    $("find").setCustomValidity(selection ? "" : panel.which(run) + "not in this run, which has " + n + " messages and "
        + run.nodes + " processors, counted from 0.");
    if (selection)
        select(run, selection, issued > state.t || state.t >= run.delivered[selection.message] ? issued : undefined);
    $("find").reportValidity();
}

function connectControls() {
    for (const id of ["first", "second"]) {
        $(id).append(...playable.map(run => new Option(run.label, run.number)));
        $(id).onchange = () => show(runs[$("first").value], runs[$("second").value]);
    }
    $("second").parentElement.hidden = playable.length < 2;
    $("clock").oninput = () => { play(false); seek(Number($("clock").value)); };
    $("path").onchange = () => { state.path = $("path").checked; redraw(); };
    $("find").onkeydown = event => { if (event.key === "Enter") find(state.shown[Number(event.shiftKey)]); };
    $("link").onclick = copyLink;
    $("guess").onclick = predict;
    $("save").onclick = () => savePicture(views.map(view => view.figure).slice(0, state.shown.length), state.theme,
                                          $("title").textContent + ", at " + ps(state.t));
}

/* Copies the link to this moment. If the browser forbids it, the address has the link as well. */
function copyLink() {
    writeLink();
    (navigator.clipboard?.writeText(location.href) ?? Promise.reject()).then(
        () => flash($("link"), "copied"), () => flash($("link"), "see the address bar"));
}

/* Connects keys, which act while the focus is in the stage, except keys that the focused element needs itself. */
function connectKeys() {
    const keys = {
        " ": () => play(!state.playing), ArrowRight: () => step(1), ArrowLeft: () => step(-1),
        Home: () => seek(0), End: () => seek(state.end), "+": () => zoom(0.5), "-": () => zoom(2),
        "[": () => turnTo(state.step - 1), "]": () => turnTo(state.step + 1), Escape: () => select(null, null),
        c: () => $("path").click(), n: nextWait, r: rootCause,
    };
    for (const button of document.querySelectorAll("[data-key]"))
        button.onclick = keys[button.dataset.key];
    $("stage").addEventListener("keydown", event => {
        const within = event.target.closest("input:not([type=range]), select, summary, .scroll")
            ?? (/^( |Home|End)$/.test(event.key) ? event.target.closest("button, aside") : null);
        if (event.ctrlKey || event.altKey || event.metaKey || within || !keys[event.key])
            return;
        event.preventDefault();
        keys[event.key]();
    });
}

/* Describes {message}, {node} or {from, to}; returns null for null. */
const describe = (moment, what) => what && [what.message === undefined ? moment.describe(what)
    : moment.trace.messageName(what.message), tellBlocks(moment, what)].filter(Boolean).join("\n");

/* Connects the pictures: a click selects, and the tooltip describes the point. */
function connectPictures() {
    const tips = new Map([[$("marks"), {describe: describeMarks}]]);
    views.forEach(({cube, timeline, blocks, arrivals}, i) => {
        for (const [canvas, view] of [[$("cube" + i), cube], ...[blocks, arrivals, timeline].map(one => [one.canvas, one])]) {
            tips.set(canvas, view.describe ? view : {describe: (x, y) => describe(view.moment, view.hit(x, y))});
            canvas.onclick = ({offsetX: x, offsetY: y}) => view.moved
                || select(state.shown[i], view.hit(x, y), view === timeline && x >= EDGE ? view.time(x) : undefined);
        }
        connectWindow(timeline.canvas, timeline);
    });
    $("marks").onclick = selectMark;
    document.querySelector(".race")?.addEventListener("click", ({clientX, currentTarget: chart}) => {
        const {left, width} = chart.getBoundingClientRect();
        seek((clientX - left) / width * chart.dataset.end);
    });
    connectTip(tips);
}

/* Connects the diagram: a drag moves the window, and the wheel with Ctrl zooms. */
function connectWindow(canvas, timeline) {
    let grabbed = null;
    canvas.onpointerdown = ({button, offsetX: x, pointerId}) => {
        grabbed = button === 0 ? {x, from: state.view.from} : null;
        timeline.moved = false;
        canvas.setPointerCapture(pointerId);
    };
    canvas.onpointermove = ({offsetX: x}) => {
        timeline.moved ||= grabbed && Math.abs(x - grabbed.x) >= 4;
        if (!grabbed || !timeline.moved)
            return;
        lookAt(grabbed.from - timeline.time(x) + timeline.time(grabbed.x));
        redraw();
    };
    canvas.onpointerup = canvas.onpointercancel = () => { grabbed = null; };
    canvas.onwheel = event => {
        if (event.ctrlKey) {
            event.preventDefault();
            zoom(1.0022 ** event.deltaY, timeline.time(event.offsetX));
        }
    };
}

/* The marks under the slider: the instant of a point, its description, and the selection by a click there. */
const markAt = x => Math.round(Math.max(0, Math.min(1, x / $("marks").clientWidth)) * state.end);
const describeMarks = x => [ps(markAt(x)), ...state.shown.map(run =>
    panel.which(run) + momentOf(run, markAt(x)).waits.length + " waiting")].join("\n");

function selectMark({offsetX}) {
    play(false);
    seek(markAt(offsetX));
    const run = waitingRun();
    return run ? select(run, {message: momentOf(run, state.t).longest()}) : nextWait();
}

/* Connects the colours to the system's theme; paper is light. */
function connectTheme() {
    const refresh = () => { state.theme = readTheme(); drawMarks(); draw(); sizes.show(state.theme); fitBars(); };
    for (const query of ["(prefers-color-scheme: dark)", "print"])
        matchMedia(query).addEventListener("change", refresh);
    new ResizeObserver(() => { drawMarks(); redraw(); fitBars(); }).observe(document.body);
    window.addEventListener("resize", () => sizes.show(state.theme));
    state.reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
}

linkTables(runs, (...chosen) => { select(...chosen); $("panel").focus(); });
connectControls();
connectKeys();
connectPictures();
connectTheme();
document.body.classList.toggle("large", page.processors > 128);
document.body.style.setProperty("--most", 200 + 140 * Math.log2(page.processors) + "px");
window.addEventListener("hashchange", follow);
showAtFirst();
follow();
sizes.show(state.theme);
$("stage").focus({preventScroll: true});

/* For tests, and to try things in the browser's console. */
window.ecube = {page, runs, state, views, heats, sizes, turnTo, seek, step, play, zoom, draw, show, select, at: momentOf};
