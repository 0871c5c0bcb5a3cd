/* The cube: nodes, channels and circuits at one instant, as a graph or, of large cubes, as a matrix of channels. */

/* The colours of the page's style, light or dark, by their names there; `pattern` fills what waits. */
function readTheme() {
    const style = getComputedStyle(document.documentElement), theme = {};
    for (const name of ["back", "text", "faint", "line", "node", "select", "startup", "circuit", "wait", "transmit",
                        "receive", "shuffle", "compute", "barrier", "grown", "path"])
        theme[name] = style.getPropertyValue("--" + name).trim();
    theme.kinds = [theme.startup, "", theme.wait, theme.transmit, theme.shuffle, theme.compute, theme.barrier,
                   theme.circuit];
    theme.pattern = hatch(theme.wait, theme.back);
    theme.id = Object.values(theme).join();
    return theme;
}

/* Stripes, so that waiting is told from all else without its colour. */
function hatch(colour, back) {
    const tile = Object.assign(document.createElement("canvas"), {width: 8, height: 8}), pen = tile.getContext("2d");
    pen.fillStyle = back;
    pen.fillRect(0, 0, 8, 8);
    Object.assign(pen, {strokeStyle: colour, lineWidth: 2.6});
    pen.stroke(new Path2D("M-10 10 2 -2M-2 10 10 -2M6 10 18 -2"));
    return pen.createPattern(tile, "repeat");
}

/* Gives a canvas a size, that which it has on the page, in the pixels of the screen, and draws in units of the page. */
function openCanvas(canvas, width = canvas.clientWidth, height = canvas.clientHeight) {
    const ratio = window.devicePixelRatio || 1;
    for (const [side, length] of Object.entries({width, height}))
        if (canvas[side] !== Math.round(length * ratio))
            canvas[side] = Math.round(length * ratio);
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    return {pen, width, height};
}

class CubeView {
    constructor(canvas) {
        this.canvas = canvas;
    }

    /* `selection` is {message}, {node}, {from, to} or null; `layout` is "nested" or "rings". With the message that is
     * selected those are chosen that it waits for. */
    draw(run, t, selection, layout, theme) {
        Object.assign(this, openCanvas(this.canvas), {run, t, selection, theme});
        this.graph = run.page.dimension <= GRAPH_DIMENSION_MAX;
        this.held = run.heldAt(t);
        const message = selection?.message, chain = message === undefined ? [] : run.chain(message, t);
        this.chosen = new Set([message ?? NONE, ...chain.map(link => link.holder)].filter(one => one !== NONE));
        this.graph ? this.drawGraph(layout) : this.drawMatrix();
    }

    /* --- the graph --- */

    drawGraph(layout) {
        const {run} = this;
        this.radius = Math.max(6.5, Math.min(17, this.width / 14 / 2 ** (run.page.dimension / 3)));
        const points = (layout === "rings" ? layoutRings : layoutNested)(run.page.dimension);
        const edge = this.radius + 7, width = Math.min(this.width, 1.7 * this.height), left = (this.width - width) / 2;
        this.points = points.map(([x, y]) =>
            [left + edge + x * (width - 2 * edge), edge + y * (this.height - 2 * edge)]);
        this.drawEdges();
        this.drawGrown();
        this.drawChosen();
        for (const hold of this.held)
            this.drawHold(hold);
        for (const wait of run.waitsAt(this.t))
            this.drawWanted(wait);
        this.drawNodes();
    }

    /* The ends of a channel's line, beside that of the channel the other way. */
    lineOf(from, to) {
        const [x1, y1] = this.points[from], [x2, y2] = this.points[to], length = Math.hypot(x2 - x1, y2 - y1) || 1;
        const dx = (x2 - x1) / length, dy = (y2 - y1) / length, aside = Math.min(3, this.radius / 3), r = this.radius;
        return [x1 + dx * r - dy * aside, y1 + dy * r + dx * aside, x2 - dx * r - dy * aside, y2 - dy * r + dx * aside];
    }

    /* A line, of four numbers, or a circle, of three. */
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

    drawEdges() {
        for (let node = 0; node < this.run.nodes; node++)
            for (let bit = 1; bit < this.run.nodes; bit *= 2)
                if (!(node & bit))
                    this.stroke([...this.points[node], ...this.points[node | bit]], this.theme.line, bit < 8 ? 2 : 1);
    }

    /* Where data spreads from a source: the channels that it has crossed. */
    drawGrown() {
        const h = this.run.holds;
        for (const [first] of this.run.page.source === null ? [] : this.run.channels)
            if (h.end[first] <= this.t)
                this.stroke(this.lineOf(h.from[first], h.to[first]), this.theme.grown, 3);
    }

    /* A broad line under the routes of the messages that are chosen, and under the channel that is. */
    drawChosen() {
        const {from, to} = this.selection ?? {};
        for (const message of this.chosen) {
            const nodes = this.run.route(message), width = message === this.selection.message ? 9 : 5;
            for (let i = 1; i < nodes.length; i++)
                this.stroke(this.lineOf(nodes[i - 1], nodes[i]), this.theme.select, width);
        }
        if (from !== undefined && from !== to)
            this.stroke(this.lineOf(from, to), this.theme.select, 9);
    }

    /* What the packet is doing that holds a channel. */
    phaseOf(hold) {
        return this.run.packetPhase(this.run.packets.get(this.run.holds.number[hold]), this.t);
    }

    /* A channel of a circuit. It grows while the header pays for it. */
    drawHold(hold) {
        const {run, t, theme} = this, h = run.holds;
        const phase = this.phaseOf(hold), hop = Math.min(run.hop(h.number[hold]), h.length[hold]);
        const grown = hop && t < h.start[hold] + hop ? Math.max(0.12, (t - h.start[hold]) / hop) : 1;
        const [x1, y1, x2, y2] = this.lineOf(h.from[hold], h.to[hold]);
        const colour = theme.kinds[phase.kind] ?? theme.circuit;
        this.stroke([x1, y1, x1 + (x2 - x1) * grown, y1 + (y2 - y1) * grown], colour, 3.4,
                    phase.kind === WAIT ? [6, 4] : []);
        if (grown === 1)
            this.drawHead(x1, y1, x2, y2, colour);
    }

    drawHead(x1, y1, x2, y2, colour) {
        const angle = Math.atan2(y2 - y1, x2 - x1), {pen} = this;
        pen.fillStyle = colour;
        pen.beginPath();
        for (const [turn, length] of [[0, 0], [2.7, 9], [-2.7, 9]])
            pen.lineTo(x2 + length * Math.cos(angle + turn), y2 + length * Math.sin(angle + turn));
        pen.fill();
    }

    /* What a message waits for: dots along the channel, or around the receiver. */
    drawWanted(wait) {
        const a = this.run.activities, from = a.from[wait], to = a.to[wait], {theme} = this;
        if (from !== NONE && to !== NONE && from !== to) {
            const [x1, y1, x2, y2] = this.lineOf(from, to);
            this.stroke([x1, y1, x1 + (x2 - x1) * 0.45, y1 + (y2 - y1) * 0.45], theme.wait, 6, [2, 4]);
        } else
            this.stroke([...this.points[this.endWanted(wait)], this.radius + 4], theme.wait, 3, [3, 3]);
    }

    /* The processor whose port a message waits for, or whose transmission the other way. */
    endWanted(wait) {
        const {activities: a, messages: m} = this.run, blocker = a.blocker[wait], to = m.destination[a.message[wait]];
        const busy = [m.source[blocker], m.destination[blocker]].includes(to) ? to : a.processor[wait];
        return a.to[wait] !== NONE ? a.to[wait] : a.from[wait] !== NONE ? a.from[wait] : busy;
    }

    /* [node]: what it does, rather than that others queue for its port, whether it receives, and whether
     * data that spreads has reached it. */
    nodeStates() {
        const a = this.run.activities, all = this.reached();
        const states = Array.from({length: this.run.nodes}, (_, node) => ({rank: 0, reached: all.has(node)}));
        const put = (node, kind, rank) => { if (rank > states[node].rank) Object.assign(states[node], {kind, rank}); };
        for (const hold of this.held)
            if (this.phaseOf(hold).kind === CIRCUIT)
                put(this.run.messages.source[this.run.holds.message[hold]], CIRCUIT, RANK[CIRCUIT]);
        for (const i of this.run.activeAt(this.t)) {
            const queues = a.kind[i] === WAIT && (a.from[i] === NONE || a.to[i] === NONE);
            put(a.processor[i], a.kind[i], queues ? 0.5 : RANK[a.kind[i]]);
            if (a.kind[i] === TRANSMIT)
                states[this.run.receiver(i)].receives = true;
        }
        return states;
    }

    /* Where data that spreads from a source has come. */
    reached() {
        const {page: {source}, messages, delivered} = this.run;
        return new Set(source === null ? []
            : [source, ...messages.destination.filter((_, i) => delivered[i] <= this.t)]);
    }

    drawNodes() {
        const {pen, radius} = this;
        Object.assign(pen, {font: "600 " + Math.max(8.5, radius * 0.95) + "px system-ui, sans-serif",
                            textAlign: "center", textBaseline: "middle", lineJoin: "round"});
        this.nodeStates().forEach((state, node) => this.drawNode(node, state, ...this.points[node]));
    }

    drawNode(node, state, x, y) {
        const {pen, theme, radius} = this, {node: one, from, to} = this.selection ?? {};
        const chosen = node === (one ?? (from === to ? to : NONE));
        const fill = theme.kinds[state.kind] ?? (state.reached ? theme.grown : theme.node);
        pen.beginPath();
        pen.arc(x, y, radius, 0, 2 * Math.PI);
        pen.fillStyle = state.kind === WAIT ? theme.pattern : fill;
        pen.fill();
        Object.assign(pen, {lineWidth: chosen ? 4 : state.receives ? 3 : 1.2,
                            strokeStyle: state.receives ? theme.receive : chosen ? theme.text : theme.faint});
        pen.stroke();
        Object.assign(pen, {lineWidth: 3, strokeStyle: state.kind === WAIT ? theme.node : fill});
        pen.strokeText(node, x, y + 0.5);
        pen.fillStyle = state.kind === TRANSMIT ? "#fff" : state.kind === COMPUTE ? theme.back
            : [undefined, WAIT, BARRIER].includes(state.kind) ? theme.text : "#000";
        pen.fillText(node, x, y + 0.5);
    }

    /* --- the matrix: nodes across; dimensions, the receive port, and what the node does, down --- */

    drawMatrix() {
        const {run, pen, theme} = this, a = run.activities, left = 62;
        const rows = [...Array(run.page.dimension).keys()].map(bit => "dim. " + bit).concat("receives", "does");
        const w = (this.width - left) / run.nodes, h = (this.height - FOOT) / rows.length;
        this.cell = {left, w, h};
        Object.assign(pen, {font: "12px system-ui, sans-serif", textBaseline: "middle"});
        rows.forEach((name, row) => {
            pen.fillStyle = theme.text;
            pen.fillText(name, 2, (row + 0.5) * h);
            pen.fillStyle = theme.node;
            pen.fillRect(left, row * h + 1, this.width - left, h - 2);
        });
        pen.fillStyle = theme.text;
        for (let node = 0; node < run.nodes; node += run.nodes / 8)
            pen.fillText(node, left + node * w, this.height - FOOT / 2);
        this.nodeStates().forEach(({kind, receives, reached}, node) => {
            const idle = reached ? theme.grown : theme.node;
            this.drawCell(node, undefined, kind === WAIT ? theme.pattern : theme.kinds[kind] ?? idle);
            if (receives)
                this.drawCell(node, node, theme.receive);
        });
        for (const hold of this.held)
            this.drawCell(run.holds.from[hold], run.holds.to[hold],
                          theme.kinds[this.phaseOf(hold).kind] ?? theme.circuit);
        for (const i of run.waitsAt(this.t))
            if (a.from[i] !== NONE && a.to[i] !== NONE)
                this.drawCell(a.from[i], a.to[i], theme.pattern, 0.5);
        for (const message of this.chosen)
            run.route(message).forEach((to, i, nodes) => i && this.frameCell(nodes[i - 1], to));
        const {node, from = node, to} = this.selection ?? {};
        this.frameCell(from, to);
    }

    /* Of a channel, of a receive port, or without `to` of a node. */
    cellOf(from, to) {
        const {left, w, h} = this.cell, {dimension} = this.run.page;
        const row = to === undefined ? dimension + 1 : from === to ? dimension : Math.log2(from ^ to);
        return [left + from * w, row * h + 1, Math.max(w - 0.3, 0.8), h - 2];
    }

    drawCell(from, to, fill, share = 1) {
        const [x, y, w, h] = this.cellOf(from, to);
        this.pen.fillStyle = fill;
        this.pen.fillRect(x, y + h * (1 - share), w, h * share);
    }

    frameCell(from, to) {
        const [x, y, w, h] = this.cellOf(from, to);
        Object.assign(this.pen, {strokeStyle: this.theme.text, lineWidth: 2});
        this.pen.strokeRect(x - 1, y, w + 2, h);
    }

    /* --- what is under the pointer: {node}, {from, to} or null --- */

    hit(x, y) {
        if (!this.graph)
            return this.hitCell(x, y);
        const node = this.points.findIndex(([left, top]) => Math.hypot(left - x, top - y) <= this.radius + 3);
        if (node !== NONE)
            return {node};
        const h = this.run.holds, near = this.run.channels.map(([first]) => ({from: h.from[first], to: h.to[first]}))
            .map(place => [distanceTo(this.lineOf(place.from, place.to), x, y), place]).sort(([a], [b]) => a - b)[0];
        return near?.[0] < 7 ? near[1] : null;
    }

    hitCell(x, y) {
        const {left, w, h} = this.cell, from = Math.floor((x - left) / w), row = Math.floor(y / h);
        if (from < 0 || from >= this.run.nodes)
            return null;
        return row > this.run.page.dimension ? {node: from}
            : {from, to: row < this.run.page.dimension ? from ^ 2 ** row : from};
    }
}

/* Of a point from the line between two others. */
function distanceTo([x1, y1, x2, y2], x, y) {
    const square = (x2 - x1) ** 2 + (y2 - y1) ** 2 || 1;
    const along = Math.max(0, Math.min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / square));
    return Math.hypot(x1 + along * (x2 - x1) - x, y1 + along * (y2 - y1) - y);
}
