/* The processors as a graph, with channels and circuits at one moment. */

import {BARRIER, COMPUTE, TRANSMIT, WAIT} from "./trace.js";
import {largest, phaseBits} from "./moment.js";
import {mix, openCanvas, paintDisc, paintEdged} from "./canvas.js";
import {NONE, pointOnMesh, channelWays} from "./network.js";

export const GRAPH_MAX = 64;            /* processors; above that there is a matrix */

/* Returns the places of the processors, x and y between 0 and 1. Three dimensions are an oblique cube, the next three
 * an oblique cube of cubes, such that no two points are close and few lines pass a third one. A mesh is a grid. Without
 * channels it is a circle. */
function layout({dimension, processors, mesh}) {
    const vectors = dimension < 6 ? [[1, -0.19], [0, 1], [0.4, -0.5], [2.21, 0.11], [0.48, 2.13]]
        : [[1, -0.07], [-0.19, 1], [0.43, -0.39], [1.92, 0.32], [0, 4.46], [0.09, -2.02]];
    const turn = 2 * Math.PI / processors;
    const pointOf = node => mesh ? pointOnMesh(mesh, node) : dimension === 0 ? [Math.sin(node * turn), -Math.cos(node * turn)]
        : [0, 1].map(axis => vectors.reduce((sum, vector, bit) => sum + vector[axis] * (node >> bit & 1), 0));
    return fit(Array.from({length: processors}, (_, node) => pointOf(node)));
}

/* Scales points to the unit square. On an axis on which they hardly differ, they stand in the middle. */
function fit(points) {
    const scales = [0, 1].map(axis => {
        const all = points.map(point => point[axis]), least = Math.min(...all), most = Math.max(...all);
        return value => most - least > 0.3 ? (value - least) / (most - least) : 0.5;
    });
    return points.map(point => point.map((value, axis) => scales[axis](value)));
}

export class GraphView {
    /* `selection` is {message}, {node}, {from, to} or null. */
    draw(canvas, moment, selection, theme) {
        Object.assign(this, openCanvas(canvas), {moment, trace: moment.trace, selection, theme});
        this.place();
        this.drawHosts();
        this.drawEdges();
        this.drawGrown();
        this.drawChosen();
        for (const hold of moment.held)
            this.drawHold(hold);
        if (moment.trace.page.dimension === 0)
            this.drawTransmissions();
        for (const wait of moment.waits)
            this.drawWanted(wait);
        this.drawNodes();
    }

    /* Sets the points of the processors, and the largest radius at which they do not come near each other. */
    place() {
        const edge = 24, width = Math.min(this.width, 1.7 * this.height), left = (this.width - width) / 2;
        this.points = layout(this.trace.page).map(([x, y]) =>
            [left + edge + x * (width - 2 * edge), edge + y * (this.height - 2 * edge)]);
        this.radius = this.points.reduce((least, [x, y], i) => this.points.slice(0, i).reduce((closest, [u, v]) =>
            Math.min(closest, 0.35 * Math.hypot(x - u, y - v)), least), 17);
    }

    /* Returns the ends of a channel's line, beside the line of the channel the other way. */
    lineOf(from, to) {
        const [x1, y1] = this.points[from], [x2, y2] = this.points[to], length = Math.hypot(x2 - x1, y2 - y1) || 1;
        const dx = (x2 - x1) / length, dy = (y2 - y1) / length, aside = Math.min(3, this.radius / 3), r = this.radius;
        return [x1 + dx * r - dy * aside, y1 + dy * r + dx * aside, x2 - dx * r - dy * aside, y2 - dy * r + dx * aside];
    }

    /* Draws a line (four numbers) or a circle (three). */
    stroke([x1, y1, x2, y2], colour, width, dash = []) {
        const {pen} = this;
        Object.assign(pen, {strokeStyle: colour, lineWidth: width});
        pen.setLineDash(dash);
        pen.beginPath();
        if (y2 === undefined)
            pen.arc(x1, y1, x2, 0, 2 * Math.PI);
        else
            pen.lineTo(x1, y1), pen.lineTo(x2, y2);
        pen.stroke();
        pen.setLineDash([]);
    }

    /* Draws broad lines between the processors of a node of the machine. */
    drawHosts() {
        const {pen, points, theme, radius, trace: {nodes, page: {host}}} = this;
        Object.assign(pen, {strokeStyle: theme.host, lineWidth: 3.2 * radius, lineCap: "round", lineJoin: "round"});
        for (let first = 0; host > 1 && first < nodes; first += host) {
            pen.beginPath();
            points.slice(first, first + host).forEach(([x, y]) => pen.lineTo(x, y));
            pen.stroke();
        }
        pen.lineCap = "butt";
    }

    /* Draws the network's lines: strong in the dimensions of the present phase, and broad in the subcube of the
     * selection. */
    drawEdges() {
        const {pen, points, selection, trace, theme} = this, step = trace.messages.step[selection?.message];
        const bits = phaseBits(trace, step ?? this.moment.step());
        const own = selection?.node ?? trace.messages.source[selection?.message];
        const isIn = (node, to) => !((node ^ to) & ~bits);
        const isOwn = (node, to) => isIn(node, to) && own !== undefined && isIn(node, own);
        for (const [strokeStyle, lineWidth, has] of [[theme.line, 1.5 * this.radius, isOwn],
            [theme.line, 1.5, (node, to) => !isIn(node, to)], [theme.faint, 1.5, isIn]]) {
            Object.assign(pen, {strokeStyle, lineWidth});
            pen.beginPath();
            for (let node = 0; node < trace.nodes; node++)
                for (const to of channelWays(trace.page).map(way => way.next(node)))
                    if (to > node && has(node, to))
                        pen.moveTo(...points[node]), pen.lineTo(...points[to]);
            pen.stroke();
        }
    }

    /* Draws the channels that data from the source has crossed, each tree of several in its colour. */
    drawGrown() {
        const {holds: h, messages: {tree}} = this.trace, {theme} = this, n = this.trace.trees ??= tree.reduce((most, one) => Math.max(most, one), 0);
        const colours = n > 1 ? theme.lines.map(colour => mix(colour, theme.back, 0.3)) : [theme.grown];
        for (const [first] of this.trace.page.source === null ? [] : this.trace.channels)
            if (h.end[first] <= this.moment.t)
                this.stroke(this.lineOf(h.from[first], h.to[first]),
                            colours[Math.max(0, tree[h.message[first]] - 1) % colours.length], n > 1 ? 7 : 3);
    }

    /* Draws broad lines under the routes of the chosen messages, and under the selected channel. */
    drawChosen() {
        const {from, to} = this.selection ?? {};
        for (const message of this.moment.chosen(this.selection?.message)) {
            const nodes = this.trace.route(message), width = message === this.selection.message ? 9 : 5;
            for (let i = 1; i < nodes.length; i++)
                this.stroke(this.lineOf(nodes[i - 1], nodes[i]), this.theme.select, width);
        }
        if (from !== undefined && from !== to)
            this.stroke(this.lineOf(from, to), this.theme.select, 9);
    }

    /* Draws a channel of a circuit. It grows while the header pays for it. */
    drawHold(hold) {
        const {trace, moment: {t}, theme} = this, h = trace.holds;
        const phase = this.moment.holdPhase(hold), hop = Math.min(trace.hop(h.number[hold]), h.length[hold]);
        const grown = hop && t < h.start[hold] + hop ? Math.max(0.12, (t - h.start[hold]) / hop) : 1;
        this.drawArrow(this.lineOf(h.from[hold], h.to[hold]), theme.kinds[phase.kind] ?? theme.circuit, grown,
                       phase.kind === WAIT ? [6, 4] : []);
    }

    /* Draws transmissions from sender to receiver, if there are no channels. */
    drawTransmissions() {
        const {trace, trace: {activities: a}, moment, theme} = this;
        for (const i of moment.active)
            if (a.kind[i] === TRANSMIT)
                this.drawArrow(this.lineOf(a.processor[i], trace.receiver(i)), theme.transmit);
    }

    /* Draws a share of a line from its beginning; the whole has an arrow's head. */
    drawArrow([x1, y1, x2, y2], colour, share = 1, dash = []) {
        const angle = Math.atan2(y2 - y1, x2 - x1), {pen} = this;
        this.stroke([x1, y1, x1 + (x2 - x1) * share, y1 + (y2 - y1) * share], colour, 3.4, dash);
        pen.fillStyle = colour;
        pen.beginPath();
        for (const [turn, length] of share === 1 ? [[0, 0], [2.7, 9], [-2.7, 9]] : [])
            pen.lineTo(x2 + length * Math.cos(angle + turn), y2 + length * Math.sin(angle + turn));
        pen.fill();
    }

    /* Draws the place that a message waits for: dots along the channel, or around the receiver. */
    drawWanted(wait) {
        const a = this.trace.activities, from = a.from[wait], to = a.to[wait], {theme} = this;
        if (from >= 0 && to >= 0 && from !== to) {
            const [x1, y1, x2, y2] = this.lineOf(from, to);
            this.stroke([x1, y1, x1 + (x2 - x1) * 0.45, y1 + (y2 - y1) * 0.45], theme.wait, 6, [2, 4]);
        } else
            this.stroke([...this.points[this.trace.endWanted(wait)], this.radius + 4], theme.wait, 3, [3, 3]);
    }

    drawNodes() {
        const {pen, radius} = this;
        Object.assign(pen, {font: "600 " + Math.max(8, radius * 0.95) + "px system-ui, sans-serif",
                            textAlign: "center", textBaseline: "middle", lineJoin: "round"});
        this.moment.nodeStates().forEach((state, node) => this.drawNode(node, state, ...this.points[node]));
    }

    drawNode(node, state, x, y) {
        const {pen, theme, radius} = this, {node: one, from, to} = this.selection ?? {};
        const chosen = node === (one ?? (from === to ? to : NONE));
        const fill = theme.kinds[state.kind] ?? (state.reached ? theme.grown : theme.node);
        paintDisc(pen, state.kind === WAIT ? theme.pattern : fill, x, y, radius);
        Object.assign(pen, {lineWidth: chosen ? 4 : state.receives ? 3 : 1.2,
                            strokeStyle: state.receives ? theme.receive : chosen ? theme.text : theme.faint});
        pen.stroke();
        if (radius < 6 && !chosen)
            return;
        Object.assign(pen, {lineWidth: 3, strokeStyle: state.kind === WAIT ? theme.node : fill});
        paintEdged(pen, state.kind === TRANSMIT ? "#fff" : state.kind === COMPUTE ? theme.back
            : [undefined, WAIT, BARRIER].includes(state.kind) ? theme.text : "#000", node, x, y + 0.5);
    }

    /* What is under the pointer: {node}, {from, to} or null. */
    hit(x, y) {
        const node = this.points.findIndex(([left, top]) => Math.hypot(left - x, top - y) <= this.radius + 3);
        if (node !== NONE)
            return {node};
        const {channels, holds: {from, to}} = this.trace, all = channels.map(([i]) => ({from: from[i], to: to[i],
            distance: distanceTo(this.lineOf(from[i], to[i]), x, y)})), near = largest(all, one => -one.distance);
        return near?.distance < 7 ? {from: near.from, to: near.to} : null;
    }
}

/* Returns the distance of a point from the line between two others. */
function distanceTo([x1, y1, x2, y2], x, y) {
    const square = (x2 - x1) ** 2 + (y2 - y1) ** 2 || 1;
    const along = Math.max(0, Math.min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / square));
    return Math.hypot(x1 + along * (x2 - x1) - x, y1 + along * (y2 - y1) - y);
}
