/* Pictures with processors across, and dimensions and ports down: a grid for them, and the cube at one moment, if it is
 * too large for a graph. */

import {NODE, WAIT} from "./trace.js";
import {NONE, channelWay, channelWays} from "./network.js";
import {FOOT, openCanvas, paintBox, paintText, wholeCells} from "./canvas.js";

const LEFT = 62;                        /* of the cells, for the names of the rows */

export const rowOf = ({from, to}, page) => from === NODE ? page.dimension + 4 : to === NODE ? page.dimension + 3
    : from === NONE ? page.dimension + 2 : to === NONE ? page.dimension + 1
    : from === to ? page.dimension : channelWay(page, from, to);

/* A cell stands for a channel, {from, to}; a receive port, with from = to; or a processor: its `to` or, in a row below
 * that, its `from` is NONE. */
export class Grid {
    /* `names` are the headings of the rows below the dimensions. */
    constructor(canvas, run, names, theme) {
        const {pen, width, height, ratio} = openCanvas(canvas), {nodes, page} = run;
        const rows = channelWays(page).map(way => way.name).concat(names);
        const {group, size: w} = wholeCells(width - LEFT, nodes, ratio);
        const h = Math.min(60, wholeCells(height - FOOT, rows.length, ratio).size);
        Object.assign(this, {pen, page, theme, group, w, h});
        Object.assign(pen, {font: "11px system-ui, sans-serif", textBaseline: "middle"});
        rows.forEach((name, row) => {
            paintText(pen, theme.text, name, 0, (row + 0.5) * h);
            paintBox(pen, theme.node, LEFT, row * h, w * Math.ceil(nodes / group), h - 1);
        });
        paintText(pen, theme.faint, "processor", 0, h * rows.length + FOOT / 2);
        for (let node = 0; node < nodes; node += Math.max(group, Math.ceil(nodes / 8)))
            paintText(pen, theme.text, node, LEFT + node / group * w, h * rows.length + FOOT / 2);
    }

    /* Return [column, row] of a channel or port, and of a point. */
    cellOf(place) {
        return [Math.floor((place.from < 0 ? place.to : place.from) / this.group), rowOf(place, this.page)];
    }

    cellAt(x, y) {
        return [Math.floor((x - LEFT) / this.w), Math.floor(y / this.h)];
    }

    boxOf(place, share = 1) {
        const [column, row] = this.cellOf(place), {w, h} = this;
        return [LEFT + column * w, row * h + (h - 1) * (1 - share), w - (w > 3 ? 1 : 0), (h - 1) * share];
    }

    /* Paints the lower share of a cell. */
    paint(from, to, fill, share) {
        paintBox(this.pen, fill, ...this.boxOf({from, to}, share));
    }

    frame(from, to) {
        Object.assign(this.pen, {strokeStyle: this.theme.text, lineWidth: 2});
        this.pen.strokeRect(...this.boxOf({from, to}));
    }
}

export class MatrixView {
    /* `selection` is {message}, {node}, {from, to} or null. */
    draw(canvas, moment, selection, theme) {
        const {trace, trace: {activities: a, holds: h}} = moment;
        const grid = new Grid(canvas, trace, ["receives", "does"], theme), {kinds, pattern} = theme;
        Object.assign(this, {moment, grid});
        moment.nodeStates().forEach(({kind, receives, reached}, node) => {
            if (kind !== undefined || reached)
                grid.paint(node, NONE, kind === WAIT ? pattern : kinds[kind] ?? theme.grown);
            if (receives)
                grid.paint(node, node, theme.receive);
        });
        for (const hold of moment.held)
            grid.paint(h.from[hold], h.to[hold], kinds[moment.holdPhase(hold).kind] ?? theme.circuit);
        for (const i of moment.waits.filter(one => a.from[one] >= 0 && a.to[one] >= 0))
            grid.paint(a.from[i], a.to[i], pattern, 0.5);
        for (const message of moment.chosen(selection?.message))
            trace.route(message).forEach((to, i, nodes) => i && grid.frame(nodes[i - 1], to));
        const {node, from = node, to = NONE} = selection ?? {};
        grid.frame(from, to);
    }

    /* What is under the pointer: {node}, {from, to} or null. */
    hit(x, y) {
        const {grid: {group, page}, moment: {trace}} = this, [column, row] = this.grid.cellAt(x, y);
        const from = column * group, ways = channelWays(page), {length} = ways;
        if (from < 0 || from >= trace.nodes || row < 0 || row > length + 1 || ways[row]?.next(from) === NONE)
            return null;
        return row > length ? {node: from} : {from, to: ways[row]?.next(from) ?? from};
    }
}
