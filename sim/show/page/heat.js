/* Heat maps: how long each channel and port was held in the window of the diagram, and how many messages waited for it.
 * Maps of runs that the page cannot play cover the whole run. */

import {NODE, placeName, ps} from "./trace.js";
import {NONE} from "./network.js";
import {largest} from "./moment.js";
import {FOOT, mix} from "./canvas.js";
import {Grid, rowOf} from "./matrix.js";
import {element} from "./facts.js";

const PORTS = ["receives", "sends", "port", "node, out", "node, in"];

/* The two maps of a run: the quantity, its colour, and its amount in words. */
const HEATS = [
    {what: "held", colour: "transmit", words: "held", amount: share => (100 * share).toFixed(1) + "\u00a0% of the time"},
    {what: "waited", colour: "wait", words: "waited for", amount: share => share.toFixed(3) + " messages on average"},
];

/* Whether it is a channel or port, and not a transmission the other way. */
const isPlace = ({from, to}) => from !== NONE || to !== NONE;

/* Returns the use of places between two instants: [{from, to, held, waited}], in ps. */
function usesOf(run, begin, end) {
    const uses = new Map();
    const add = ({from, to, start, end: ends, number}, i, what) => {
        const place = run.place(from[i], to[i]), time = Math.min(end, ends[i]) - Math.max(begin, start[i]);
        if (!uses.has(place))
            uses.set(place, {from: from[i], to: to[i], held: 0, waited: 0, dead: 0});
        uses.get(place)[what] += Math.max(0, time);
        if (what === "held" && time > 0)
            uses.get(place).dead += run.deadTime(number[i], Math.max(begin, start[i]), Math.min(end, ends[i]));
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

    /* Draws the map; `most` ends the scale. Names waits for transmissions the other way, which have no channel,
     * apart. */
    draw(run, {from, to, uses}, most, selection, theme) {
        const {what, words, amount, ramp, canvas} = this, time = Math.max(1, to - from), places = uses.filter(isPlace);
        const name = run.label + ", " + ps(from) + " to " + ps(to) + ": " + words;
        const top = largest(places, use => use[what]), other = uses.find(use => !isPlace(use))?.[what] / time;
        Object.assign(this, {run, time});
        ramp.style.background = "linear-gradient(90deg, " + theme.node + ", " + theme[this.colour] + ")";
        this.caption.replaceChildren(name, ...most > 0 ? [", from 0 ", ramp, " to " + amount(most)] : [": nothing"],
                                     other > 0 ? "; " + amount(other) + " for the end of " + placeName(NONE, NONE) : "");
        if (what === "held" && places.some(use => use.dead > 0))
            this.caption.append("; height of the stripes: the share of that in which it carries nothing");
        canvas.setAttribute("aria-label", this.caption.textContent
            + (top?.[what] ? ", most " + placeName(top.from, top.to) + ", " + amount(top[what] / time) : ""));
        canvas.hidden = most === 0;
        this.figure.hidden = most === 0 && !(other > 0);
        if (most > 0)
            this.drawCells(places, most, selection, theme);
    }

    /* Draws the cells. A cell has the largest value of its channels. */
    drawCells(places, most, selection, theme) {
        const {canvas, run, run: {page}, what, time, colour} = this;
        const rows = places.reduce((n, use) => Math.max(n, 1 + rowOf(use, page)), page.dimension);
        canvas.style.height = rows * Math.max(11, Math.min(18, Math.floor(120 / rows))) + FOOT + "px";
        const grid = this.grid = new Grid(canvas, run, PORTS.slice(0, rows - page.dimension), theme);
        places.sort((one, other) => one[what] - other[what]);
        this.cells = new Map(places.map(use => [grid.cellOf(use).join(), use]));
        for (const use of this.cells.values())
            if (use[what] > 0) {
                grid.paint(use.from, use.to, mix(theme.node, theme[colour], 0.12 + 0.88 * use[what] / time / most));
                if (what === "held" && use.dead > 0)
                    grid.paint(use.from, use.to, theme.pattern, use.dead / use.held);
            }
        grid.frame(selection?.from, selection?.to);
    }

    useAt(x, y) {
        return this.cells.get(this.grid.cellAt(x, y).join());
    }

    /* Returns the selection at a point: {from, to}, the {node} of a port that does not receive, or null. */
    hit(x, y) {
        const {from, to} = this.useAt(x, y) ?? {};
        return from === undefined || from === NODE || to === NODE ? null : to === NONE ? {node: from} : from === NONE ? {node: to} : {from, to};
    }

    describe(x, y) {
        const use = this.useAt(x, y), line = ({what, words, amount}) => words + " " + ps(use[what]) + ", "
            + amount(use[what] / this.time);
        return use ? [placeName(use.from, use.to) + (this.grid.group > 1 ? ", the most of " + this.grid.group : ""),
                      ...HEATS.map(line), ...use.dead ? ["carrying nothing " + ps(use.dead)] : []].join("\n") : "";
    }
}

/* All maps. They follow the window a little later than other pictures, and not in every frame. */
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

    /* Draws all maps. Maps of the same quantity have one scale. */
    draw() {
        const {runs, state: {selected, selection, theme}} = this, heats = runs.map(run => this.heatOf(run));
        this.timer = undefined;
        this.holder.hidden = runs.length === 0;
        while (this.maps.length < 2 * runs.length)
            this.maps.push(new HeatMap(this.holder, HEATS[this.maps.length % 2], this.select));
        this.maps.forEach((map, k) => {
            const run = runs[k >> 1], most = heats.flatMap(({from, to, uses}) => uses.filter(isPlace)
                .map(use => use[map.what] / Math.max(1, to - from))).reduce((one, other) => Math.max(one, other), 0);
            map.figure.hidden = !run;
            if (run)
                map.draw(run, heats[k >> 1], most, selected === run ? selection : null, theme);
        });
    }

    heatOf(run) {
        const {from, to} = run.playable ? this.state.view : {from: 0, to: run.time};
        return {from, to, uses: run.playable ? usesOf(run, from, to) : run.totals};
    }
}
