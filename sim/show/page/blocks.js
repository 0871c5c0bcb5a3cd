/* Matrices on the grid of the processors at one moment: which blocks each processor holds, which are under way, and how
 * much of its arithmetic is done. */

import {COMPUTE, WAIT, readTable} from "./trace.js";
import {rowsAt} from "./moment.js";
import {openCanvas, paintBox, paintEdged, paintText} from "./canvas.js";

const DOWN = 1;                         /* products are summed over the rows of a matrix; else over its columns */
const PIECES_MAX = 8;                   /* that are named in words */
const NAME = 12;                        /* of a square: the height of its name */

/* --- what holds at a time --- */

/* Returns lists of successive rows in which all of these columns are the same. */
function groups(table, ...names) {
    const found = [];
    for (let i = 0; i < table.n; i++) {
        if (names.some(name => table[name][i] !== table[name][i - 1]))
            found.push([]);
        found.at(-1).push(i);
    }
    return found;
}

class Blocks {
    constructor(data) {
        Object.assign(this, data, {lines: data.side || Math.max(data.rows, data.columns), all: []});
        for (const name of ["pieces", "holdings", "cargo", "work"])
            this[name] = readTable(this[name]);
        this.boxes = Array.from({length: this.pieces.n}, (_, piece) => this.boxesOf(piece));
        this.slots = groups(this.holdings, "processor", "slot");
        this.workers = groups(this.work, "processor");
        const {message, piece, start, end} = this.cargo;
        this.loads = groups(this.cargo, "message").map(rows => ({message: message[rows[0]], start: start[rows[0]],
            end: end[rows[0]], pieces: rows.map(i => piece[i])}));
        this.work.processor.forEach((node, i) => { this.all[node] = this.work.done[i]; });
    }

    /* Returns [processor][matrix]: the pieces that it holds at t. */
    heldAt(t) {
        const {processor, piece} = this.holdings, held = this.places.map(() => this.heights.map(() => []));
        for (const i of rowsAt(this.holdings, this.slots, t))
            held[processor[i]][this.pieces.matrix[piece[i]]].push(piece[i]);
        return held;
    }

    /* Returns [processor]: the share of its arithmetic that is done at t. */
    doneAt(t) {
        const {processor, done} = this.work, shares = this.places.map(() => 0);
        for (const i of rowsAt(this.work, this.workers, t))
            shares[processor[i]] = done[i] / this.all[processor[i]];
        return shares;
    }

    /* Returns the loads of the messages under way at t: {message, pieces}. */
    loadsAt(t) {
        return this.loads.filter(({start, end}) => start <= t && t < end);
    }

    /* Returns the names of up to `most` pieces: "C 2,1", or "C 2,1 + 3 more". */
    name(pieces, most = 1) {
        return pieces.slice(0, most).map(piece => this.labels[piece]).join("; ")
            + (pieces.length > most ? " + " + (pieces.length - most) + " more" : "");
    }

    /* Returns a piece as boxes in its matrix, whose sides are 1: a box for each line over which products are summed. */
    boxesOf(piece) {
        const {pieces: p} = this, of = p.matrix[piece], down = this.summed[of] === DOWN, boxes = [];
        const [x, w] = [p.left, p.width].map(column => column[piece] / this.widths[of]);
        const [y, h] = [p.top, p.height].map(column => column[piece] / this.heights[of]);
        const first = down ? y : x, end = first + (down ? h : w), lines = this.summed[of] ? this.lines : 1;
        for (let line = Math.floor(first * lines); line < end * lines; line++) {
            const from = Math.max(first, line / lines), length = Math.min(end, (line + 1) / lines) - from;
            boxes.push({line, box: down ? [x, from, w, length] : [from, y, length, h]});
        }
        return boxes;
    }
}

/* Returns the blocks of a run; undefined if it has none. */
function blocksOf(run) {
    run.decoded ??= run.blocks && new Blocks(run.blocks);
    return run.decoded;
}

/* Returns in words what a processor holds or a message carries; "" if there is nothing to say. */
export function tellBlocks({trace, t}, {node, message}) {
    const blocks = blocksOf(trace), load = blocks?.loads.find(one => one.message === message);
    return load ? "Carries " + blocks.name(load.pieces, PIECES_MAX) + "." : !blocks || node === undefined ? ""
        : "Arithmetic done: " + Math.floor(100 * blocks.doneAt(t)[node]) + "\u00a0%. Holds "
            + blocks.name(blocks.heldAt(t)[node].flat(), PIECES_MAX) + ".";
}

/* --- the picture --- */

export class BlocksView {
    constructor(canvas) {
        Object.assign(this, {canvas, figure: canvas.closest("figure"), of: blocksOf});
    }

    draw(moment, selection, theme) {
        const {trace, t} = moment, blocks = blocksOf(trace);
        if (!blocks)
            return;
        if (blocks !== this.blocks)
            this.figure.querySelector(".hint").textContent = blocks.legend;
        Object.assign(this, {moment, trace, theme, blocks, tokens: []});
        this.measure();
        const {kind, processor} = trace.activities, done = blocks.doneAt(t), chosen = moment.chosen(selection?.message);
        const busy = new Set(moment.active.filter(i => kind[i] === COMPUTE).map(i => processor[i]));
        blocks.heldAt(t).forEach((held, node) => this.drawCell(node, held, done[node],
            node === selection?.node ? theme.text : busy.has(node) ? theme.compute : theme.line));
        for (const {message, pieces} of blocks.loadsAt(t))
            this.drawToken(message, pieces, chosen.has(message));
        this.drawNumbers();
    }

    /* Sets the sizes of cells and of the squares in them: by the canvas's width, unless that makes it too high. A
     * single row or column is folded. */
    measure() {
        const {rows, columns} = this.blocks, n = rows * columns;
        const across = Math.min(rows, columns) > 1 ? columns : Math.ceil(Math.sqrt(n)), down = Math.ceil(n / across);
        const w = this.canvas.clientWidth / across, [space, above] = w < 80 ? [2, 11] : [4, 15];
        const most = (w - 5 * space) / 3, around = above + 7 + space;
        this.canvas.style.height = down * (most + around + NAME) + "px";
        Object.assign(this, openCanvas(this.canvas));
        const room = this.height / down - around, name = Math.min(most, room - NAME) < 24 ? 0 : NAME;
        const size = Math.min(most, room - name);
        Object.assign(this, {across, w, h: size + around + name, space, above, size, name});
    }

    cornerOf(node) {
        const place = this.blocks.places[node];
        return [place % this.across * this.w, Math.floor(place / this.across) * this.h];
    }

    squareOf(node, matrix) {
        const [x, y] = this.cornerOf(node);
        return [x + (this.w - this.space) * (2 * matrix + 1) / 6 - this.size / 2, y + this.above];
    }

    drawCell(node, held, done, frame) {
        const {pen, theme, space} = this, [x, y] = this.cornerOf(node), w = this.w - space, h = this.h - space;
        paintBox(pen, theme.node, x, y, w, h);
        Object.assign(pen, {strokeStyle: frame, lineWidth: frame === theme.line ? 1 : 3});
        pen.strokeRect(x + 1, y + 1, w - 1, h - 1);
        Object.assign(pen, {strokeStyle: theme.line, lineWidth: 1, textAlign: "center", textBaseline: "middle",
                            font: "10px system-ui, sans-serif"});
        held.forEach((pieces, matrix) => this.drawHeld(pieces, ...this.squareOf(node, matrix)));
        paintBox(pen, theme.line, x + 3, y + h - 5, w - 6, 3);
        paintBox(pen, theme.compute, x + 3, y + h - 5, (w - 6) * done, 3);
    }

    /* Draws the processors' numbers over all messages. */
    drawNumbers() {
        const {pen, theme} = this;
        Object.assign(pen, {strokeStyle: theme.node, lineWidth: 3, lineJoin: "round", textAlign: "right",
                            font: "600 9.5px system-ui, sans-serif"});
        this.blocks.places.forEach((_, node) => {
            const [x, y] = this.cornerOf(node).map((at, axis) => axis ? at + this.above / 2 + 0.5 : at + this.w - this.space - 3);
            paintEdged(pen, theme.text, node, x, y);
        });
    }

    /* Draws a matrix and the pieces held of it, with their name if there is room. */
    drawHeld(pieces, x, y) {
        const {pen, theme, size, blocks} = this, name = this.name && pieces.length ? blocks.name(pieces) : "";
        paintBox(pen, theme.back, x, y, size, size);
        for (const piece of pieces)
            for (const {line, box: [left, top, ...sides]} of blocks.boxes[piece])
                paintBox(pen, this.colour(piece, line), x + left * size, y + top * size,
                         ...sides.map(side => Math.max(2.5, side * size)));
        pen.strokeRect(x, y, size, size);
        if (pen.measureText(name).width < (this.w - this.space) / 3)
            paintText(pen, theme.text, name, x + size / 2, y + size + 7);
    }

    colour(piece, line) {
        const {summed, lines, pieces: {matrix}} = this.blocks;
        return summed[matrix[piece]] ? "hsl(" + Math.round(360 * line / lines) + " 62% 62%)" : this.theme.compute;
    }

    /* Returns how far a message has come, from 0 to 1. */
    wayOf(message) {
        const {activities: {start}, packetsOf, delivered} = this.trace;
        const first = Math.min(...packetsOf[message].map(packet => start[packet.transmit] ?? Infinity));
        return Math.max(0, Math.min(1, (this.moment.t - first) / (delivered[message] - first) || 0));
    }

    /* Draws a message's cargo above its square at the source, at the destination, or between them; without its name if
     * that would be too long. */
    drawToken(message, cargo, chosen) {
        const {pen, theme, blocks, size, trace: {messages: m}} = this, of = blocks.pieces.matrix[cargo[0]];
        const [[x1, y1], [x2, y2]] = [m.source, m.destination].map(node => this.squareOf(node[message], of));
        const name = blocks.name(cargo), long = pen.measureText(name).width + 6, named = chosen || long < this.w - 50;
        const way = this.wayOf(message), [width, height] = named ? [long, 13] : [size, 8];
        const box = [x1 + way * (x2 - x1) + (size - width) / 2, y1 + way * (y2 - y1) - height - 1, width, height];
        const waits = this.moment.phase(message).kind === WAIT;
        paintBox(pen, this.colour(cargo[0], blocks.boxes[cargo[0]][0].line), ...box);
        Object.assign(pen, {strokeStyle: waits ? theme.wait : theme.text, lineWidth: chosen || waits ? 2.5 : 1});
        pen.strokeRect(...box);
        paintText(pen, blocks.summed[of] ? "#000" : theme.back, named ? name : "", box[0] + width / 2, box[1] + 7);
        this.tokens.push({message, box});
    }

    /* What is under the pointer: {message}, {node} or null. */
    hit(x, y) {
        const within = ([left, top, width, height]) => x >= left && x < left + width && y >= top && y < top + height;
        const token = this.tokens.findLast(({box}) => within(box));
        const node = this.blocks.places.findIndex((_, one) => within([...this.cornerOf(one), this.w, this.h]));
        return token ? {message: token.message} : node < 0 ? null : {node};
    }
}
