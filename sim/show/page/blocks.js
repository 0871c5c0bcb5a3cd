/* Matrices on the grid of the processors at one moment: which blocks each processor holds, which are under way, and how
 * much of its arithmetic is done. */

import {COMPUTE, WAIT, readTable} from "./trace.js";
import {rowsAt} from "./moment.js";
import {openCanvas, paintBox, paintText} from "./canvas.js";

const DOWN = 1, ACROSS = 2;             /* products are summed over the rows of a matrix, or over its columns */
const LINE_MAX = 8;                     /* processors in a line: longer rows and columns are folded */
const ABOVE = 15, BELOW = 11, NAME = 12;    /* of a cell: room above its squares, below them, and for their names */

/* --- what holds at a time --- */

/* Lists of the rows, one after another, in which all of these columns are the same. */
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
        this.slots = groups(this.holdings, "processor", "slot");
        this.workers = groups(this.work, "processor");
        this.cargoes = groups(this.cargo, "message");
        this.carried = new Map(this.cargoes.map(rows =>
            [this.cargo.message[rows[0]], rows.map(i => this.cargo.piece[i])]));
        this.work.processor.forEach((node, i) => { this.all[node] = this.work.done[i]; });
    }

    /* [processor][matrix]: the pieces that it holds. */
    heldAt(t) {
        const {processor, piece} = this.holdings, held = this.places.map(() => this.names.map(() => []));
        for (const i of rowsAt(this.holdings, this.slots, t))
            held[processor[i]][this.pieces.matrix[piece[i]]].push(piece[i]);
        return held;
    }

    /* [processor]: the share of its arithmetic that is done. */
    doneAt(t) {
        const {processor, done} = this.work, shares = this.places.map(() => 0);
        for (const i of rowsAt(this.work, this.workers, t))
            shares[processor[i]] = done[i] / this.all[processor[i]];
        return shares;
    }

    /* The messages that are under way. */
    messagesAt(t) {
        const {start, end, message} = this.cargo;
        return this.cargoes.filter(([i]) => start[i] <= t && t < end[i]).map(([i]) => message[i]);
    }

    /* The rows or columns of all pieces together, and of the blocks that these are in: from, to, and their name. */
    range(pieces, starts, lengths, extent) {
        const from = Math.min(...pieces.map(i => starts[i])), to = Math.max(...pieces.map(i => starts[i] + lengths[i]));
        const unit = Math.ceil(extent / this.side), first = Math.floor(from / unit), end = Math.ceil(to / unit);
        const name = end - first === 1 ? first : first === 0 && to === extent ? "*" : first + "-" + (end - 1);
        return {length: to - from, whole: Math.min(extent, end * unit) - first * unit, name};
    }

    /* Pieces of one matrix: "C 2,1"; "C 2,*" if they are a rectangle; else the first of them, and how many more. */
    name(pieces) {
        const {matrix, top, left, height, width} = this.pieces, of = matrix[pieces[0]], name = this.names[of];
        const rows = this.range(pieces, top, height, this.heights[of]);
        const columns = this.range(pieces, left, width, this.widths[of]);
        if (pieces.reduce((sum, i) => sum + height[i] * width[i], 0) !== rows.length * columns.length)
            return this.name(pieces.slice(0, 1)) + " + " + (pieces.length - 1) + " more";
        const part = rows.length < rows.whole || columns.length < columns.whole ? "part of " : "";
        return this.side ? part + name + " " + rows.name + "," + columns.name : name;
    }

    /* A piece as boxes in its matrix, whose sides are 1: one box for each line over which products are summed. */
    boxes(piece) {
        const {pieces: p, lines} = this, of = p.matrix[piece], down = this.summed[of] === DOWN, boxes = [];
        const [x, w] = [p.left, p.width].map(column => column[piece] / this.widths[of]);
        const [y, h] = [p.top, p.height].map(column => column[piece] / this.heights[of]);
        const first = down ? y : x, end = first + (down ? h : w);
        for (let line = Math.floor(first * lines); line < end * lines; line++) {
            const from = Math.max(first, line / lines), length = Math.min(end, (line + 1) / lines) - from;
            boxes.push({line, box: down ? [x, from, w, length] : [from, y, length, h]});
        }
        return boxes;
    }
}

/* Of a run that has them; else undefined. */
export function blocksOf(run) {
    run.decoded ??= run.blocks && new Blocks(run.blocks);
    return run.decoded;
}

/* What a processor holds, or a message carries, in words; "" if there is nothing to say. */
export function tellBlocks(run, t, {node, message}) {
    const blocks = blocksOf(run), carried = blocks?.carried.get(message);
    if (!blocks || node === undefined)
        return carried ? "Carries " + blocks.name(carried) + "." : "";
    const held = blocks.heldAt(t)[node].filter(pieces => pieces.length).map(pieces => blocks.name(pieces));
    return "Holds " + held.join("; ") + ". Arithmetic done: " + Math.floor(100 * blocks.doneAt(t)[node]) + " %.";
}

/* What the picture shows; "" if no run has one. */
export function blocksHint(runs) {
    const {names, summed, side} = runs.map(blocksOf).find(Boolean) ?? {}, of = way => names[summed.indexOf(way)];
    return names ? "Each cell is a processor of the grid, with what it holds now of " + names.join(", ")
        + (side ? " (" + side + " x " + side + " blocks)" : "") + "; a column of " + of(ACROSS) + " and the row of "
        + of(DOWN) + " that it is multiplied by have one colour. Labels: messages. Bars: arithmetic done." : "";
}

/* --- the picture --- */

export class BlocksView {
    constructor(canvas) {
        this.canvas = canvas;
    }

    draw(moment, selection, theme) {
        const {trace, t} = moment, blocks = blocksOf(trace);
        if (!blocks)
            return;
        Object.assign(this, openCanvas(this.canvas), {moment, trace, theme, blocks, tokens: []});
        this.measure();
        const {kind, processor} = trace.activities, done = blocks.doneAt(t), chosen = moment.chosen(selection?.message);
        const busy = new Set(moment.active.filter(i => kind[i] === COMPUTE).map(i => processor[i]));
        blocks.heldAt(t).forEach((held, node) => {
            const frame = node === selection?.node ? theme.text : busy.has(node) ? theme.compute : theme.line;
            this.drawCell(node, held, done[node], frame);
        });
        for (const message of blocks.messagesAt(t))
            this.drawToken(message, blocks.carried.get(message), chosen.has(message));
    }

    /* How large cells are, and the squares in them. */
    measure() {
        const {rows, columns} = this.blocks, across = Math.min(columns, LINE_MAX), down = Math.min(rows, LINE_MAX);
        const w = this.width / across / Math.ceil(rows / LINE_MAX), space = w < 90 ? 2 : 4, wide = (w - 5 * space) / 3;
        const most = this.height / down / Math.ceil(columns / LINE_MAX), name = wide < 28 ? 0 : NAME;
        const size = Math.min(wide, most - ABOVE - BELOW - name);
        const h = Math.min(most, size + ABOVE + BELOW + name + space);
        Object.assign(this, {across, down, w, h, space, size, name, inset: (w - 3 * size - 3 * space) / 2});
    }

    cornerOf(node) {
        const {places, columns} = this.blocks, column = places[node] % columns, row = (places[node] - column) / columns;
        return [(Math.floor(row / LINE_MAX) * this.across + column % LINE_MAX) * this.w,
                (Math.floor(column / LINE_MAX) * this.down + row % LINE_MAX) * this.h];
    }

    squareOf(node, matrix) {
        const [x, y] = this.cornerOf(node);
        return [x + this.inset + matrix * (this.size + this.space), y + ABOVE];
    }

    drawCell(node, held, done, frame) {
        const {pen, theme, space} = this, [x, y] = this.cornerOf(node), w = this.w - space, h = this.h - space;
        paintBox(pen, theme.node, x, y, w, h);
        Object.assign(pen, {strokeStyle: frame, lineWidth: frame === theme.line ? 1 : 3, textAlign: "right",
                            textBaseline: "middle", font: "600 10px system-ui, sans-serif"});
        pen.strokeRect(x + 1, y + 1, w - 1, h - 1);
        paintText(pen, theme.text, node, x + w - 3, y + ABOVE / 2);
        Object.assign(pen, {strokeStyle: theme.line, lineWidth: 1, textAlign: "center",
                            font: "10px system-ui, sans-serif"});
        held.forEach((pieces, matrix) => this.drawHeld(pieces, ...this.squareOf(node, matrix)));
        paintBox(pen, theme.line, x + 3, y + h - 7, w - 6, 4);
        paintBox(pen, theme.compute, x + 3, y + h - 7, (w - 6) * done, 4);
    }

    /* A matrix, and what is held of it, with its name if there is room. */
    drawHeld(pieces, x, y) {
        const {pen, theme, size, blocks} = this, name = pieces.length && this.name ? blocks.name(pieces) : "";
        paintBox(pen, theme.back, x, y, size, size);
        for (const piece of pieces)
            for (const {line, box: [left, top, width, height]} of blocks.boxes(piece))
                paintBox(pen, this.colour(piece, line), x + left * size, y + top * size, width * size, height * size);
        pen.strokeRect(x, y, size, size);
        const text = [name, name.replace(/^\S* /, "")].find(one => pen.measureText(one).width < size + 2) ?? "";
        paintText(pen, theme.text, text, x + size / 2, y + size + 7);
    }

    colour(piece, line) {
        const {summed, lines, pieces: {matrix}} = this.blocks;
        return summed[matrix[piece]] ? "hsl(" + Math.round(360 * line / lines) + " 62% 62%)" : this.theme.compute;
    }

    /* How far a message has come, from 0 to 1. */
    wayOf(message) {
        const {activities: {start}, packetsOf, delivered} = this.trace;
        const first = Math.min(...packetsOf[message].map(packet => start[packet.transmit] ?? Infinity));
        return Math.max(0, Math.min(1, (this.moment.t - first) / (delivered[message] - first) || 0));
    }

    /* What a message carries, above its square of the source, of the destination, or between them; without its name
     * where that would be too long. */
    drawToken(message, cargo, chosen) {
        const {pen, theme, blocks, size, trace: {messages: m}} = this, of = blocks.pieces.matrix[cargo[0]];
        const [[x1, y1], [x2, y2]] = [m.source, m.destination].map(node => this.squareOf(node[message], of));
        const name = blocks.name(cargo), long = pen.measureText(name).width + 6, named = chosen || long < this.w - 50;
        const way = this.wayOf(message), width = named ? long : size;
        const x = x1 + way * (x2 - x1) + (size - width) / 2, y = y1 + way * (y2 - y1) - 14;
        const colours = cargo.flatMap(piece => blocks.boxes(piece).map(({line}) => this.colour(piece, line)));
        const each = width / colours.length;
        colours.forEach((colour, i) => paintBox(pen, colour, x + i * each, y, each, 13));
        const waits = this.moment.phase(message).kind === WAIT;
        Object.assign(pen, {strokeStyle: waits ? theme.wait : theme.text, lineWidth: chosen || waits ? 2.5 : 1});
        pen.strokeRect(x, y, width, 13);
        paintText(pen, blocks.summed[of] ? "#000" : theme.back, named ? name : "", x + width / 2, y + 7);
        this.tokens.push({message, box: [x, y, width, 13]});
    }

    /* What is under the pointer: {message}, {node} or null. */
    hit(x, y) {
        const within = ([left, top, width, height]) => x >= left && x < left + width && y >= top && y < top + height;
        const token = this.tokens.findLast(({box}) => within(box));
        const node = this.blocks.places.findIndex((_, one) => within([...this.cornerOf(one), this.w, this.h]));
        return token ? {message: token.message} : node < 0 ? null : {node};
    }
}
