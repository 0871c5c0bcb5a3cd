/* The cube as a matrix at one moment, for cubes too large for a graph. Nodes are across; dimensions, the receive port,
 * and what the node does, are down. */

import {NONE, WAIT} from "./trace.js";
import {FOOT, openCanvas, paintBox, paintText, wholeCells} from "./canvas.js";

export class MatrixView {
    /* `selection` is {message}, {node}, {from, to} or null. */
    draw(canvas, moment, selection, theme) {
        const {trace, trace: {activities: a, holds}} = moment, {pen, width, height} = openCanvas(canvas);
        const rows = [...Array(trace.page.dimension).keys()].map(bit => "dim. " + bit).concat("receives", "does");
        const left = 62, {size: w, group} = wholeCells(width - left, trace.nodes);
        const h = Math.min(60, wholeCells(height - FOOT, rows.length).size);
        Object.assign(this, {pen, trace, theme, moment, cell: {left, w, h, group}});
        Object.assign(pen, {font: "12px system-ui, sans-serif", textBaseline: "middle"});
        rows.forEach((name, row) => {
            paintText(pen, theme.text, name, 2, (row + 0.5) * h);
            paintBox(pen, theme.node, left, row * h + 1, w * trace.nodes / group, h - 2);
        });
        for (let node = 0; node < trace.nodes; node += Math.ceil(trace.nodes / 8))
            paintText(pen, theme.text, node, left + node * w / group, h * rows.length + FOOT / 2);
        moment.nodeStates().forEach(({kind, receives, reached}, node) => {
            if (kind !== undefined || reached)
                this.drawCell(node, undefined, kind === WAIT ? theme.pattern : theme.kinds[kind] ?? theme.grown);
            if (receives)
                this.drawCell(node, node, theme.receive);
        });
        for (const hold of moment.held)
            this.drawCell(holds.from[hold], holds.to[hold], theme.kinds[moment.holdPhase(hold).kind] ?? theme.circuit);
        for (const i of moment.waits)
            if (a.from[i] !== NONE && a.to[i] !== NONE)
                this.drawCell(a.from[i], a.to[i], theme.pattern, 0.5);
        for (const message of moment.chosen(selection?.message))
            trace.route(message).forEach((to, i, nodes) => i && this.frameCell(nodes[i - 1], to));
        const {node, from = node, to} = selection ?? {};
        this.frameCell(from, to);
    }

    /* Of a channel, of a receive port, or without `to` of a node. */
    cellOf(from, to) {
        const {left, w, h, group} = this.cell, {dimension} = this.trace.page;
        const row = to === undefined ? dimension + 1 : from === to ? dimension : Math.log2(from ^ to);
        return [left + Math.floor(from / group) * w, row * h + 1, w - (w > 3 ? 1 : 0), h - 2];
    }

    drawCell(from, to, fill, share = 1) {
        const [x, y, w, h] = this.cellOf(from, to);
        paintBox(this.pen, fill, x, y + h * (1 - share), w, h * share);
    }

    frameCell(from, to) {
        const [x, y, w, h] = this.cellOf(from, to);
        Object.assign(this.pen, {strokeStyle: this.theme.text, lineWidth: 2});
        this.pen.strokeRect(x - 1, y, w + 2, h);
    }

    /* What is under the pointer: {node}, {from, to} or null. */
    hit(x, y) {
        const {left, w, h, group} = this.cell, from = Math.floor((x - left) / w) * group, row = Math.floor(y / h);
        if (from < 0 || from >= this.trace.nodes || row > this.trace.page.dimension + 1)
            return null;
        return row > this.trace.page.dimension ? {node: from}
            : {from, to: row < this.trace.page.dimension ? from ^ 2 ** row : from};
    }

    /* The same in words. */
    describe(x, y) {
        const what = this.hit(x, y);
        return what && this.moment.describe(what);
    }
}

