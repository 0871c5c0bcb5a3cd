/* Heat maps: how long each channel and port was held in the window of the diagram, and how many messages waited for it.
 * Processors are across; dimensions and ports are down. Of runs that the page cannot play they are about the whole. */

import {NONE, placeName, ps} from "./trace.js";
import {FOOT, mix, openCanvas, paintBox, paintText, wholeCells} from "./canvas.js";
import {element} from "./facts.js";

const HEAT_EDGE = 58;                   /* for the names of the rows */
const PORTS = ["receives", "sends", "port"];

/* The two maps of a run: what they count, their colours, and how much there is of it. */
const HEATS = [
    {what: "held", colour: "transmit", words: "held", amount: share => (100 * share).toFixed(1) + " % of the time"},
    {what: "waited", colour: "wait", words: "waited for", amount: share => share.toFixed(3) + " messages on average"},
];

/* Not a transmission the other way, which some wait for, too. */
const isPlace = ({from, to}) => from !== NONE || to !== NONE;

/* [{from, to, held, waited}], in ps, of what was used between two instants. */
function usesOf(run, begin, end) {
    const uses = new Map();
    const add = ({from, to, start, end: ends}, i, what) => {
        const place = run.place(from[i], to[i]), time = Math.min(end, ends[i]) - Math.max(begin, start[i]);
        if (!uses.has(place))
            uses.set(place, {from: from[i], to: to[i], held: 0, waited: 0});
        uses.get(place)[what] += Math.max(0, time);
    };
    for (let i = 0; i < run.holds.n; i++)
        add(run.holds, i, "held");
    run.waits.forEach(i => add(run.activities, i, "waited"));
    return [...uses.values()];
}

class HeatMap {
    constructor(holder, heat, select) {
        Object.assign(this, heat, {canvas: element("canvas", {class: "heat", role: "img"}),
                                   caption: element("figcaption"), ramp: element("span", {class: "sample ramp"})});
        this.figure = holder.appendChild(element("figure", {}, this.caption, this.canvas));
        this.canvas.onclick = ({offsetX, offsetY}) => this.run.playable && select(this.run, this.hit(offsetX, offsetY));
        this.canvas.onpointermove = ({offsetX, offsetY}) => {
            this.canvas.dataset.tip = this.describe(offsetX, offsetY);
        };
    }

    /* Waits for a transmission the other way are for no channel: they are said apart. */
    draw(run, {from, to, uses}, most, selection, theme) {
        const {what, words, amount, ramp} = this, time = Math.max(1, to - from), places = uses.filter(isPlace);
        const name = run.label + ", " + ps(from) + " to " + ps(to) + ": " + words;
        const top = places.reduce((best, use) => use[what] > (best?.[what] ?? 0) ? use : best, null);
        const other = uses.find(use => !isPlace(use))?.[what] / time;
        Object.assign(this, {run, time, cells: new Map()});
        ramp.style.background = "linear-gradient(90deg, " + theme.node + ", " + theme[this.colour] + ")";
        this.caption.replaceChildren(name, ...most > 0 ? [", 0 ", ramp, " " + amount(most)] : [": nothing"],
                                     other > 0 ? "; " + amount(other) + " for a transmission the other way" : "");
        this.canvas.setAttribute("aria-label", name + (top ? ", most " + placeName(top.from, top.to) + ", "
            + amount(top[what] / time) : ": nothing"));
        this.canvas.hidden = most === 0;
        if (most > 0)
            this.drawCells(places, most, selection, theme);
    }

    /* A cell has the most that any of its channels has. */
    drawCells(places, most, selection, theme) {
        this.layOut(places, theme);
        for (const use of places) {
            const at = this.cellOf(use).join();
            if (!(this.cells.get(at)?.[this.what] > use[this.what]))
                this.cells.set(at, use);
        }
        for (const use of this.cells.values())
            if (use[this.what] > 0)
                paintBox(this.pen, mix(theme.node, theme[this.colour], 0.12 + 0.88 * use[this.what] / this.time / most),
                         ...this.boxOf(use));
        Object.assign(this.pen, {strokeStyle: theme.text, lineWidth: 2});
        if (selection?.from !== undefined)
            this.pen.strokeRect(...this.boxOf(selection));
    }

    layOut(places, theme) {
        const {page: {dimension}, nodes} = this.run, used = new Set(places.map(use => this.rowOf(use)));
        this.rows = [...Array(dimension + PORTS.length).keys()].filter(row => row < dimension || used.has(row));
        this.high = Math.max(11, Math.min(18, Math.floor(120 / this.rows.length)));
        this.canvas.style.height = this.rows.length * this.high + FOOT + "px";
        const {pen, width} = openCanvas(this.canvas), {group, size} = wholeCells(width - HEAT_EDGE, nodes);
        Object.assign(this, {pen, group, wide: size});
        Object.assign(pen, {font: "11px system-ui, sans-serif", textBaseline: "middle"});
        this.rows.forEach((row, k) => {
            paintText(pen, theme.text, PORTS[row - dimension] ?? "dim. " + row, 0, (k + 0.5) * this.high);
            paintBox(pen, theme.node, HEAT_EDGE, k * this.high, size * nodes / group, this.high - 1);
        });
        for (let node = 0; node < nodes; node += Math.max(group, Math.ceil(nodes / 8)))
            paintText(pen, theme.text, node, HEAT_EDGE + node / group * size, this.rows.length * this.high + FOOT / 2);
    }

    rowOf({from, to}) {
        const {dimension} = this.run.page;
        return from === NONE ? dimension + 2 : to === NONE ? dimension + 1 : from === to ? dimension
            : Math.log2(from ^ to);
    }

    cellOf(use) {
        return [Math.floor((use.from === NONE ? use.to : use.from) / this.group), this.rows.indexOf(this.rowOf(use))];
    }

    boxOf(use) {
        const [column, row] = this.cellOf(use), gap = this.wide > 3 ? 1 : 0;
        return [HEAT_EDGE + column * this.wide, row * this.high, this.wide - gap, this.high - 1];
    }

    useAt(x, y) {
        return this.cells.get([Math.floor((x - HEAT_EDGE) / this.wide), Math.floor(y / this.high)].join());
    }

    /* What to select at a point, {from, to}, the {node} of other ports than for receiving, or null; and in words. */
    hit(x, y) {
        const {from, to} = this.useAt(x, y) ?? {};
        return from === undefined ? null : to === NONE ? {node: from} : from === NONE ? {node: to} : {from, to};
    }

    describe(x, y) {
        const use = this.useAt(x, y), line = ({what, words, amount}) => words + " " + ps(use[what]) + ", "
            + amount(use[what] / this.time);
        return use ? [placeName(use.from, use.to) + (this.group > 1 ? ", the most of " + this.group : ""),
                      ...HEATS.map(line)].join("\n") : "";
    }
}

/* All maps. They follow the window a little later, and not in every frame. */
export class HeatMaps {
    constructor(holder, select) {
        Object.assign(this, {holder, select, maps: []});
    }

    /* `runs` are those that have maps; `state` is the page's. */
    show(runs, state) {
        const {view, theme, selection, selected} = state;
        const key = [...runs.map(run => run.number), view.from, view.to, theme.id, selected?.number,
                     JSON.stringify(selection), window.innerWidth].join();
        Object.assign(this, {runs, state});
        if (key !== this.key)
            this.timer ??= setTimeout(() => this.draw(), 150);
        this.key = key;
    }

    draw() {
        const {runs, state: {selected, selection, theme}} = this, heats = runs.map(run => this.heatOf(run));
        this.timer = undefined;
        this.holder.hidden = runs.length === 0;
        while (this.maps.length < 2 * runs.length)
            this.maps.push(new HeatMap(this.holder, HEATS[this.maps.length % 2], this.select));
        this.maps.forEach((map, k) => {
            const run = runs[k >> 1], shares = ({from, to, uses}) => uses.filter(isPlace)
                .map(use => use[map.what] / Math.max(1, to - from));
            const most = heats.flatMap(shares).reduce((one, other) => Math.max(one, other), 0);
            map.figure.hidden = !run;
            if (run)
                map.draw(run, heats[k >> 1], most, selected === run ? selection : null, theme);
        });
    }

    /* Computed once for a window. */
    heatOf(run) {
        const {from, to} = run.playable ? this.state.view : {from: 0, to: run.time};
        if (run.heat?.from !== from || run.heat.to !== to)
            run.heat = {from, to, uses: run.playable ? usesOf(run, from, to) : run.totals};
        return run.heat;
    }
}
