/* The space-time diagram: processors down, time across, in the colours of the figures. The window of time is drawn
 * once, on a sheet of its own; each frame copies the sheet and puts the clock on it.
 *
 * A processor's row has strips: its lanes, side by side if there is room, its queue, and its receptions. Pieces that
 * are too short for a pixel, or share it with others, have their part of the pixel's height. */

import {BARRIER, RECEIVE, TRANSMIT, WAIT, nextRow} from "./trace.js";
import {NONE} from "./network.js";
import {Moment, mostWaiting} from "./moment.js";
import {FOOT, openCanvas, paintBox, paintEdged, paintText, pixelOf, powerOf2, screenRatio} from "./canvas.js";

export const EDGE = 54;                 /* left of the rows, for the processors */
const FOLDED = 8;                       /* px: rows that are thinner are folded */
const ofAll = kind => kind > TRANSMIT && kind <= BARRIER;       /* what the whole processor does: all lanes */

export class Timeline {
    constructor(canvas) {
        const sheet = document.createElement("canvas"), label = canvas.getAttribute("aria-label");
        Object.assign(this, {canvas, sheet, label});
    }

    /* `view` is {from, to}, the window; `look` has the other things that the sheet depends on: path, selection,
     * theme. */
    draw(run, t, view, look) {
        const {pen, width, height} = openCanvas(this.canvas);
        Object.assign(this, {run, view, look, width, height});
        const key = [run.number, view.from, view.to, width, height, screenRatio(), look.path,
                     JSON.stringify(look.selection), look.theme.id].join();
        if (key !== this.drawn) {
            this.drawn = key;
            this.drawSheet();
        }
        pen.drawImage(this.sheet, 0, 0, this.sheet.width / this.ratio, this.sheet.height / this.ratio);
        const x = this.x(t);
        if (x >= EDGE && x <= width)
            paintBox(pen, look.theme.text, x - 0.75, 0, 1.5, this.bottom + 4);
    }

    x(t) {
        return EDGE + (t - this.view.from) / (this.view.to - this.view.from) * (this.width - EDGE);
    }

    time(x) {
        return this.view.from + (x - EDGE) / (this.width - EDGE) * (this.view.to - this.view.from);
    }

    drawSheet() {
        const {run, look} = this, {pen, ratio} = openCanvas(this.sheet, this.width, this.height);
        Object.assign(this, {pen, ratio});
        this.layOut();
        pen.save();
        pen.beginPath();
        pen.rect(EDGE, 0, this.width - EDGE, this.bottom);
        pen.clip();
        this.drawActivities();
        if (look.path && run.path)
            this.strokeLines([run.path.flatMap(({processor, start, end}) =>
                [start, end].map(t => [this.x(t), this.middle(processor)]))], look.theme.path, 2.5);
        if (look.selection?.message !== undefined)
            this.drawSelected(look.selection.message);
        pen.restore();
        pen.globalCompositeOperation = "destination-over";
        this.drawAxes();
        pen.globalCompositeOperation = "source-over";
    }

    /* Rows, and strips from the top of a row, in whole pixels of the screen. Where rows would be thin, neighbours that
     * do the same share one. Where a row would still be thinner than 3, it is that of 2, 4, ... ranges. A strip of more
     * than one lane, or processor, is divided as their time. */
    layOut() {
        const {ratio, run, run: {rows, queues}} = this, room = (this.height - FOOT) * ratio;
        const single = Array.from({length: run.nodes}, (_, node) => ({first: node, last: node}));
        const alike = room / run.nodes < FOLDED * ratio ? run.alike ??= run.ranges() : single, nodes = alike.length;
        this.ranges = nodes <= run.nodes / 2 ? alike : single;
        this.fold(run.nodes);
        this.rowCount = this.ranges.length;
        this.canvas.classList.toggle("folded", this.rowCount === 1 && run.nodes > 32);
        this.lay(ratio, rows, queues, this.rowCount, room);
    }

    /* Sets, of each processor, the number of its range; and whether it stands for the range. */
    fold(nodes) {
        Object.assign(this, {indexOf: new Uint32Array(nodes), stands: new Uint8Array(nodes)});
        this.ranges.forEach(({first, last}, k) => {
            this.indexOf.fill(k, first, last + 1);
            this.stands[first] = 1;
        });
    }

    lay(ratio, rows, queues, nodes, room) {
        const group = powerOf2(Math.min(nodes, (queues ? 4 : 3) * ratio * nodes / room));
        const high = Math.min(64 * ratio, Math.max(3, Math.floor(room / Math.ceil(nodes / group))));
        const receive = Math.round(Math.max(1, high * 0.16));
        const rest = high - receive - (high > 4 * ratio ? Math.ceil(high * 0.05) : 0);
        const queue = queues && Math.max(1, Math.round(rest * 0.35)), lanes = rest - queue;
        const apart = group === 1 && lanes >= 3 * ratio * rows ? rows : 1, each = Math.floor(lanes / apart);
        Object.assign(this, {group, high, apart, rowHeight: high / ratio, centre: lanes / 2 / ratio});
        this.bottom = this.rowHeight * Math.ceil(nodes / group);
        this.strips = Array.from({length: apart}, (_, k) => ({top: k * each, height: each, of: rows / apart * group}));
        this.strips.push({top: lanes, height: queue, of: queues * group}, {top: rest, height: receive, of: 1});
        this.canvas.setAttribute("aria-label", this.label + ", processors in a row: " + group);
    }

    /* Returns the first and the last strip of a piece. */
    stripsOf(i, kind) {
        const {apart, run: {rows, activities: {lane}}} = this;
        const first = kind === RECEIVE ? apart + 1 : ofAll(kind) ? 0 : lane[i] < rows ? lane[i] % apart : apart;
        return [first, ofAll(kind) ? apart - 1 : first];
    }

    /* Return the top of a processor's row, and the middle of its activities. */
    top(processor) {
        return Math.floor(this.indexOf[processor] / this.group) * this.rowHeight;
    }

    /* Returns the processors of the rows from range k on, k counted in groups: {first, last}. */
    processors(k) {
        return {first: this.ranges[k].first, last: this.ranges[Math.min(this.rowCount, k + this.group) - 1].last};
    }

    middle(processor) {
        return this.top(processor) + this.centre;
    }

    /* Draws times below and processors to the left, as many as there is room for. */
    drawAxes() {
        const {pen, run, view, group, look: {theme}} = this, step = tickStep((view.to - view.from) * 110 / this.width);
        Object.assign(pen, {font: "11px system-ui, sans-serif", textAlign: "center", textBaseline: "top"});
        for (let t = Math.ceil(view.from / step) * step; t <= view.to; t += step) {
            paintBox(pen, theme.line, this.x(t), 0, 1, this.bottom);
            paintText(pen, theme.text, tickText(t, step), Math.min(this.x(t), this.width - 30), this.bottom + 6);
        }
        Object.assign(pen, {textAlign: "left", textBaseline: "alphabetic"});
        pen.save();
        pen.translate(24, this.bottom);
        pen.rotate(-Math.PI / 2);
        paintText(pen, theme.faint, group === 1 && this.rowCount === run.nodes && run.nodes <= 100 && this.bottom > 80
            ? "\u2190 processor" : "", Math.max(0, this.bottom - 76), 0);
        pen.restore();
        const every = group * powerOf2(14 / this.rowHeight);
        Object.assign(pen, {textAlign: "right", textBaseline: "middle"});
        for (let k = 0; k < this.rowCount; k += every) {
            const {first, last} = this.processors(k), middle = Math.max(6, this.top(first) + this.rowHeight / 2);
            const folds = group === 1 && last > first, lines = folds && this.rowHeight >= 26 ? ["alike"] : [];
            [first < last ? first + "-" + last : first, ...lines].forEach((text, line) =>
                paintText(pen, theme.text, text, EDGE - 6, middle + 13 * (line - lines.length / 2)));
        }
        const node = this.look.selection?.node;
        if (node !== undefined)
            paintBox(pen, theme.select, 0, this.top(node), this.width, this.rowHeight);
    }

    /* Returns the box in which an activity is drawn. */
    box(i) {
        const {run: {activities: a}, ratio} = this, left = this.x(a.start[i]), width = this.x(a.end[i]) - left;
        const [{top}, last] = this.stripsOf(i, a.kind[i]).map(number => this.strips[number]);
        return [left, this.top(a.processor[i]) + top / ratio, width, (last.top + last.height - top) / ratio];
    }

    /* Sets thousands of boxes as pixels, because drawing them would take longer. First, sums are made for each pixel
     * across each strip: of waiting, of all else, and which activity takes most (a vote). */
    drawActivities() {
        const {pen, run, run: {activities: a}, sheet: {width, height}, view: {from, to}, look: {theme}} = this;
        const n = Math.ceil(this.rowCount / this.group) * this.strips.length * width, edge = EDGE * this.ratio;
        Object.assign(this, {framed: [], edge, scale: (width - edge) / (to - from)});
        if (this.sums?.wait.length !== n)
            this.sums = {wait: new Float32Array(n), busy: new Float32Array(n), lead: new Float32Array(n),
                         most: new Uint8Array(n)};
        Object.values(this.sums).forEach(list => list.fill(0));
        const image = new ImageData(width, height), add = this.add.bind(this);
        for (const lane of run.lanes.values())
            for (let k = nextRow(a, lane, from); k < lane.length && a.circuit[lane[k]] < to; k++)
                run.eachPiece(lane[k], add);
        this.pixels = new Uint32Array(image.data.buffer);
        this.paintStrips(this.pixels, theme.kinds.map(pixelOf), pixelOf(theme.tint));
        for (const {kind, box} of this.framed)
            this.frame(pixelOf(theme.edges[kind]), ...box);
        pen.putImageData(image, 0, 0);
        Object.assign(pen, {font: "10px system-ui, sans-serif", textAlign: "center", textBaseline: "middle"});
        for (const {i, kind, box: [left, top, right, high]} of this.framed)
            if (kind === TRANSMIT && right - left > 16 * this.ratio && high > 8 * this.ratio)
                paintText(pen, "#fff", run.receiver(i), (left + right) / 2 / this.ratio, (top + high / 2) / this.ratio);
    }

    add(i, kind, processor, start, end) {
        const {edge, scale, ratio, strips, sheet: {width}, view: {from}} = this, [first, last] = this.stripsOf(i, kind);
        const left = edge + Math.max(0, start - from) * scale, right = Math.min(width, edge + (end - from) * scale);
        const row = Math.floor(this.indexOf[processor] / this.group);
        if (!this.stands[processor])
            return;
        for (let number = first; number <= last && left < right; number++) {
            const {top, height, of} = strips[number];
            this.count((row * strips.length + number) * width, kind, left, right, ofAll(kind) ? of / this.group : 1);
            if (of === 1 && right - left >= 6 * ratio && height >= 7 * ratio)
                this.framed.push({i, kind, box: [Math.ceil(left), row * this.high + top, Math.floor(right), height]});
        }
    }

    /* Adds a piece to the sums of a strip, which begin at `base`; `weight` is that of a whole pixel. */
    count(base, kind, left, right, weight) {
        const {wait, busy, lead, most} = this.sums, sum = kind === WAIT ? wait : busy;
        for (let x = Math.floor(left); x < right; x++) {
            const at = base + x, part = weight * (Math.min(right, x + 1) - Math.max(left, x));
            const vote = most[at] === kind ? lead[at] + part : lead[at] - part;
            sum[at] += part;
            if (kind !== WAIT)
                lead[at] = Math.abs(vote);
            if (kind !== WAIT && vote <= 0)
                most[at] = kind;
        }
    }

    /* Each strip, and what is equal across it at once: from below what waits, as its share of all, with stripes but for
     * the first pixel and the last; then in the colour of most what is done. */
    paintStrips(pixels, colours, tint) {
        const {strips, high, edge, ratio, sheet: {width}, sums: {wait, busy, most}} = this;
        for (let base = 0, row = 0; base < wait.length; base += width, row++) {
            const {top, height, of} = strips[row % strips.length];
            const bottom = Math.floor(row / strips.length) * high + top + height;
            for (let at = base + Math.floor(edge), to; at < base + width; at = to) {
                for (to = at + 1; to < base + width && busy[to] === busy[at] && wait[to] === wait[at]
                    && most[to] === most[at];)
                    to++;
                const waits = parts(wait[at] / of, height), rest = of > 1 ? busy[at] / of : Math.sign(busy[at]);
                for (let k = 1, end = Math.min(height, waits + parts(rest, height)); k <= end; k++)
                    for (let x = at - base, line = (bottom - k) * width; x < to - base; x++)
                        pixels[line + x] = k > waits ? colours[most[at]] : wait[base + x - 1] && wait[base + x + 1]
                            && (x + bottom - k) / ratio % 8 > 3.5 ? tint : colours[WAIT];
            }
        }
    }

    /* Draws an edge around a piece. */
    frame(colour, left, top, right, height) {
        const {pixels, sheet: {width}} = this;
        for (let y = top; y < top + height; y++)
            if (y === top || y === top + height - 1)
                pixels.fill(colour, y * width + left, y * width + right);
            else
                pixels[y * width + left] = pixels[y * width + right - 1] = colour;
    }

    /* Draws lines of [x, y], with an edge that sets them off. */
    strokeLines(lines, colour, width) {
        for (const [strokeStyle, lineWidth] of [[this.look.theme.back, width + 2.5], [colour, width]]) {
            Object.assign(this.pen, {strokeStyle, lineWidth, lineJoin: "round"});
            this.pen.beginPath();
            for (const points of lines)
                points.forEach(([x, y], k) => k ? this.pen.lineTo(x, y) : this.pen.moveTo(x, y));
            this.pen.stroke();
        }
    }

    /* Marks the intervals of a message, with arrows from its sending to its reception, and its name. */
    drawSelected(message) {
        const {pen, run, run: {activities: a}, look: {theme}} = this;
        Object.assign(pen, {strokeStyle: theme.text, lineWidth: Math.min(1.6, this.rowHeight / 6)});
        for (const {rows, transmit: i} of run.packetsOf[message]) {
            rows.forEach(row => pen.strokeRect(...this.box(row)));
            if (i !== NONE)
                this.drawArrow(this.x(a.start[i]), this.middle(a.processor[i]), this.x(a.end[i]),
                               this.middle(run.receiver(i)), run.messageName(message));
        }
    }

    drawArrow(x1, y1, x2, y2, name) {
        const {pen, look: {theme}} = this, width = pen.measureText(name).width + 8;
        const left = Math.max(x1, x2) + width + 8 < this.width ? Math.max(x1, x2) + 8 : Math.min(x1, x2) - width - 8;
        const angle = Math.atan2(y2 - y1, x2 - x1);
        const [one, other] = [2.7, -2.7].map(turn => [x2 + 9 * Math.cos(angle + turn),
                                                      y2 + 9 * Math.sin(angle + turn)]);
        this.strokeLines([[[x1, y1], [x2, y2]], [one, [x2, y2], other]], theme.text, 1.8);
        paintBox(pen, theme.back, left, (y1 + y2) / 2 - 8, width, 16);
        paintText(pen, theme.text, name, left + width / 2, (y1 + y2) / 2);
    }

    /* Returns the first processor of the row at a point, and the pieces in the row at that time; {} outside of the
     * rows. */
    under(x, y) {
        const k = Math.floor(y / this.rowHeight) * this.group;
        if (k < 0 || k >= this.rowCount)
            return {};
        const {first, last} = this.processors(k), end = this.group > 1 ? last : first;
        const all = x < EDGE ? [] : new Moment(this.run, this.time(x)).pieces;
        return {first, last, pieces: all.filter(({processor}) => processor >= first && processor <= end)};
    }

    /* Returns the selection at a point: {message}, also of a reception; {node}; or null. */
    hit(x, y) {
        const {first, pieces} = this.under(x, y), at = (y - this.top(first)) * this.ratio;
        const strip = this.strips.findLastIndex(({top}) => top <= at);
        const found = pieces?.find(({i, kind}) => ofAll(kind) && strip < this.apart
            || this.stripsOf(i, kind)[0] === strip);
        const message = found ? this.run.activities.message[found.i] : NONE;
        return !pieces ? null : message === NONE ? {node: found?.processor ?? first} : {message};
    }

    /* Describes the activity at a point. */
    describe(x, y) {
        const {first, last, pieces} = this.under(x, y);
        return pieces && [first < last ? "processors " + first + " to " + last : "processor " + last,
                          ...pieces.map(piece => this.run.tell(piece))].join("\n");
    }
}

/* Returns a share of a height in whole pixels: at least 1 if it is above 0. */
const parts = (share, height) => share > 0 ? Math.min(height, Math.max(1, Math.ceil(share * height - 1e-3))) : 0;

/* Returns 1, 2 or 5 times a power of ten, at least `least`; and a time with the decimals that such a step needs. */
function tickStep(least) {
    const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
    return power * [1, 2, 5, 10].find(times => times * power >= least);
}

const tickText = (t, step) => (t / 1e6).toFixed(Math.max(0, -Math.floor(Math.log10(step / 1e6) + 1e-9))) + " µs";

/* Draws how many messages wait, over the whole run, under the clock's slider: for two runs, two bands to one scale. */
export function drawWaitMarks(canvas, runs, end, theme) {
    canvas.hidden = !runs.some(run => run.waits.length);
    if (canvas.hidden)
        return;
    const {pen, width, height} = openCanvas(canvas), high = height / runs.length;
    const tops = runs.map(run => run.waitingIn(mostWaiting(run) ?? 0)), most = Math.max(...tops);
    const words = runs.map((run, i) => (runs.length > 1 ? run.label + ": " : "") + (tops[i] ? "up to " + tops[i] : "no")
        + " messages wait");
    canvas.setAttribute("aria-label", "When messages wait. " + words.join("; "));
    Object.assign(pen, {font: "9px system-ui, sans-serif", textAlign: "right", textBaseline: "top", lineWidth: 3,
                        strokeStyle: theme.back});
    runs.forEach((run, i) => {
        const bottom = (i + 1) * high;
        for (let x = 0; x < width; x++) {
            const [from, to] = [x, x + 1].map(at => at * end / width), some = Math.sign(run.waitingIn(from, to));
            paintBox(pen, theme.wait, x, bottom, 1, -Math.max(some, run.waitingIn(from)) / most * (high - 1));
        }
        paintBox(pen, theme.line, 0, bottom - 0.5, width, 0.5);
        paintEdged(pen, theme.text, words[i], width, i * high);
    });
}
