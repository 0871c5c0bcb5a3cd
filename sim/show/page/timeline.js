/* The space-time diagram: processors down, time across, in the colours of the figures. What is in the window of time is
 * drawn once, on a sheet of its own; each frame copies the sheet and puts the clock on it.
 *
 * A processor's row has strips: its lanes, side by side where there is room for that, what queues there, and what it
 * receives. What is too short for a pixel, or one of many that share it, has its part of the pixel's height. */

import {BARRIER, CIRCUIT, KIND_NAMES, NONE, TRANSMIT, WAIT, nextRow, ps} from "./trace.js";
import {FOOT, openCanvas, paintBox, paintText, pixelOf} from "./canvas.js";

export const EDGE = 54;                 /* left of the rows, for the processors */
const ofAll = kind => kind > TRANSMIT && kind <= BARRIER;       /* what the whole processor does: all lanes */

export class Timeline {
    constructor(canvas) {
        this.canvas = canvas;
        this.sheet = document.createElement("canvas");
        this.note = canvas.parentElement.appendChild(document.createElement("small"));
        this.label = canvas.getAttribute("aria-label");
    }

    /* `view` is {from, to}, the window; `look` has what else the sheet depends on: path, selection, theme. */
    draw(run, t, view, look) {
        const {pen, width, height} = openCanvas(this.canvas);
        Object.assign(this, {run, view, look, width, height});
        const key = [run.number, view.from, view.to, width, height, window.devicePixelRatio, look.path,
                     JSON.stringify(look.selection), look.theme.id].join();
        if (key !== this.drawn) {
            this.drawn = key;
            this.drawSheet();
        }
        pen.drawImage(this.sheet, 0, 0, width, height);
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
        const {run, look} = this;
        this.pen = openCanvas(this.sheet, this.width, this.height).pen;
        this.layOut();
        this.pen.save();
        this.pen.beginPath();
        this.pen.rect(EDGE, 0, this.width - EDGE, this.bottom);
        this.pen.clip();
        this.drawActivities();
        if (look.path && run.path)
            this.drawPath();
        if (look.selection?.message !== undefined)
            this.drawSelected(look.selection.message);
        this.pen.restore();
        this.pen.globalCompositeOperation = "destination-over";
        this.drawAxes();
        this.pen.globalCompositeOperation = "source-over";
    }

    /* Rows, and strips from the top of a row, in whole pixels of the screen. Where a row would be thinner than 3, it is
     * that of 2, 4, ... processors. */
    layOut() {
        const {run, run: {rows, queues}} = this, ratio = this.sheet.width / this.width;
        const room = (this.height - FOOT) * ratio, least = (queues ? 4 : 3) * ratio;
        let group = 1;
        while (group < run.nodes && room * group / run.nodes < least)
            group *= 2;
        const high = Math.max(3, Math.floor(room * group / run.nodes)), receive = Math.round(Math.max(1, high * 0.16));
        const rest = high - receive - (high > 4 * ratio ? Math.ceil(high * 0.05) : 0);
        const queue = queues && Math.max(1, Math.round(rest * 0.35)), main = rest - queue;
        Object.assign(this, {ratio, group, high, rowHeight: high / ratio, strips: [], stripOf: []});
        this.addStrips(0, main, 0, rows);
        this.addStrips(main, queue, rows, queues);
        Object.assign(this, {reception: {top: rest, height: receive}, bottom: this.rowHeight * run.nodes / group});
        this.describeRows();
    }

    /* One for n lanes from `first` on, and one for each of them, if it is 3 pixels high. */
    addStrips(top, height, first, n) {
        const lanes = Array.from({length: n}, (_, k) => first + k), each = Math.floor(height / n);
        const apart = n > 1 && this.group === 1 && each >= 3 * this.ratio;
        const add = (y, high, own, capacity) => {
            own.forEach(lane => { this.stripOf[lane] = this.strips.length; });
            this.strips.push({top: y, height: high, capacity});
        };
        if (n > 0)
            add(top, height, lanes, apart ? 1 : n * this.group);
        for (const [k, lane] of apart ? lanes.entries() : [])
            add(top + k * each, each, [lane], 1);
    }

    describeRows() {
        const {group, run: {queues}} = this;
        this.canvas.setAttribute("aria-label", this.label + ", rows of " + group + " processor" + (group > 1 ? "s" : ""));
        this.note.textContent = (group > 1 ? "Each row is " + group + " processors: what takes a part of their time has "
            + "that part of its height. " : "") + (queues ? "Below what a processor sends is the queue for its send port: "
            + queues + " messages fill it." : "");
    }

    /* Times below, processors to the left, as many as there is room for. */
    drawAxes() {
        const {pen, run, view, group, look: {theme}} = this, step = tickStep((view.to - view.from) / (this.width / 110));
        Object.assign(pen, {font: "11px system-ui, sans-serif", textAlign: "center", textBaseline: "top"});
        for (let t = Math.ceil(view.from / step) * step; t <= view.to; t += step) {
            paintBox(pen, theme.line, this.x(t), 0, 1, this.bottom);
            paintText(pen, theme.text, tickText(t, step), Math.min(this.x(t), this.width - 30), this.bottom + 6);
        }
        const every = group * 2 ** Math.max(0, Math.ceil(Math.log2(14 / this.rowHeight)));
        Object.assign(pen, {textAlign: "right", textBaseline: "middle"});
        for (let node = 0; node < run.nodes; node += every)
            paintText(pen, theme.text, group > 1 ? node + "-" + (node + group - 1) : node, EDGE - 6,
                      Math.max(6, this.top(node) + this.rowHeight / 2));
        const node = this.look.selection?.node;
        if (node !== undefined)
            paintBox(pen, theme.select, 0, this.top(node), this.width, this.rowHeight);
    }

    /* Where the row of a processor begins, and where the middle of what it sends is. */
    top(processor) {
        return Math.floor(processor / this.group) * this.rowHeight;
    }

    middle(processor) {
        return this.top(processor) + this.strips[0].height / 2 / this.ratio;
    }

    stripFor(i) {
        const {kind, lane} = this.run.activities;
        return ofAll(kind[i]) ? 0 : this.stripOf[lane[i]];
    }

    /* Where an activity is drawn, or a reception. */
    box(i, {top, height} = this.strips[this.stripFor(i)], processor = this.run.activities.processor[i]) {
        const a = this.run.activities, x = this.x(a.start[i]);
        return [x, this.top(processor) + top / this.ratio, this.x(a.end[i]) - x, height / this.ratio];
    }

    /* Thousands of boxes are set as pixels: to draw them would take longer. Labels come upon them. */
    drawActivities() {
        const {pen, run, sheet, look: {theme}} = this, image = new ImageData(sheet.width, sheet.height);
        this.pixels = new Uint32Array(image.data.buffer);
        this.framed = [[], []];
        this.clearSums(Math.ceil(run.nodes / this.group) * this.strips.length * sheet.width);
        for (const rows of run.lanes.values())
            this.addLane(rows, pixelOf(theme.receive));
        this.paintStrips(theme.kinds.map(pixelOf), [theme.wait, theme.tint].map(pixelOf));
        this.framed.flat().forEach(one => this.frame(one));
        pen.putImageData(image, 0, 0);
        Object.assign(pen, {font: "10px system-ui, sans-serif", textAlign: "center", textBaseline: "middle"});
        for (const {i, box: [x, y, w, h]} of this.framed[1])
            if (run.activities.kind[i] === TRANSMIT && w > 16 * this.ratio && h > 8 * this.ratio)
                paintText(pen, "#fff", run.receiver(i), (x + w / 2) / this.ratio, (y + h / 2) / this.ratio);
    }

    /* For each pixel across each strip: how much is waited in it, how much else is done, and what most (a vote). */
    clearSums(n) {
        const {view, ratio, sheet: {width}, sums} = this, edge = EDGE * ratio;
        this.sums = sums?.wait.length === n ? sums : {wait: new Float32Array(n), busy: new Float32Array(n),
                                                      lead: new Float32Array(n), kind: new Uint8Array(n)};
        for (const list of Object.values(this.sums))
            list.fill(0);
        Object.assign(this, {edge, right: width, scale: (width - edge) / (view.to - view.from)});
    }

    /* What a lane has in the window, how its circuits were set up, and what of it is received. */
    addLane(rows, receive) {
        const {run: {activities: a}, view} = this, one = rows[0], all = this.placeOf(a.processor[one], 0);
        const own = this.placeOf(a.processor[one], this.stripOf[a.lane[one]]);
        for (let k = nextRow(a, rows, view.from); k < rows.length && !(a.start[rows[k - 1]] >= view.to); k++) {
            const i = rows[k], kind = a.kind[i];
            if (a.circuit[i] < a.start[i])
                this.add(own, i, CIRCUIT, a.circuit[i], a.start[i], 1);
            if (ofAll(kind))
                this.add(all, i, kind, a.start[i], a.end[i], all.strip.capacity / this.group);
            else
                this.add(own, i, kind, a.start[i], a.end[i], 1);
            if (kind === TRANSMIT)
                this.fillReception(i, receive);
        }
    }

    /* A strip in the row of a processor: where its sums are, and its top. */
    placeOf(processor, number) {
        const row = Math.floor(processor / this.group), strip = this.strips[number];
        return {strip, base: (row * this.strips.length + number) * this.sheet.width, top: row * this.high + strip.top};
    }

    add({strip, base, top}, i, kind, start, end, weight) {
        const {edge, scale, right: rightmost, ratio} = this, from = edge + (start - this.view.from) * scale;
        const left = from > edge ? from : edge, to = edge + (end - this.view.from) * scale;
        const right = to < rightmost ? to : rightmost, first = Math.floor(left), last = Math.ceil(right) - 1;
        if (!(right > left))
            return;
        if (first === last)
            return this.count(kind, base + first, base + last + 1, weight * (right - left));
        this.count(kind, base + first, base + first + 1, weight * (first + 1 - left));
        this.count(kind, base + first + 1, base + last, weight);
        this.count(kind, base + last, base + last + 1, weight * (right - last));
        if (strip.capacity === weight && right - left >= 6 * ratio && strip.height >= 7 * ratio)
            this.framed[Number(!ofAll(kind))].push({i, kind, box: [Math.round(left), top,
                                                                   Math.round(right) - Math.round(left), strip.height]});
    }

    /* So much of each of these pixels. */
    count(kind, from, to, part) {
        const {wait, busy, lead, kind: leader} = this.sums;
        for (let at = from; kind === WAIT && at < to; at++)
            wait[at] += part;
        for (let at = from; kind !== WAIT && at < to; at++) {
            const vote = leader[at] === kind ? lead[at] + part : lead[at] - part;
            busy[at] += part;
            lead[at] = vote < 0 ? -vote : vote;
            leader[at] = vote <= 0 ? kind : leader[at];
        }
    }

    /* Each strip, and what is equal across it at once: from below what waits, as its share of all, then in the colour of
     * most what is done. */
    paintStrips(colours, stripes) {
        const {strips, high, edge, sheet: {width}, sums: {wait, busy, kind}} = this;
        for (let base = 0, row = 0; base < wait.length; base += width, row++) {
            const {top, height, capacity} = strips[row % strips.length];
            const bottom = Math.floor(row / strips.length) * high + top + height;
            for (let at = base + Math.floor(edge), to; at < base + width; at = to) {
                for (to = at + 1; to < base + width && busy[to] === busy[at] && wait[to] === wait[at]
                    && kind[to] === kind[at];)
                    to++;
                const waits = parts(wait[at] / capacity, height);
                const rest = parts(capacity > 1 ? busy[at] / capacity : busy[at] && 1, height);
                if (waits > 0)
                    this.paintWaits(base, at, to, bottom, waits, stripes);
                if (rest > 0)
                    this.fill(at - base, to - base, Math.max(bottom - height, bottom - waits - rest), bottom - waits,
                              colours[kind[at]]);
            }
        }
    }

    /* Stripes, but for the first pixel and the last. */
    paintWaits(base, from, to, bottom, high, stripes) {
        const {wait} = this.sums, {pixels, ratio, sheet: {width}} = this;
        for (let y = bottom - high; y < bottom; y++)
            for (let at = from; at < to; at++) {
                const light = wait[at - 1] && wait[at + 1] && (at - base + y) / ratio % 8 > 3.5;
                pixels[y * width + at - base] = stripes[light ? 1 : 0];
            }
    }

    fill(left, right, top, bottom, colour) {
        const {pixels, sheet: {width}} = this;
        for (let line = top * width; line < bottom * width; line += width)
            for (let x = left; x < right; x++)
                pixels[line + x] = colour;
    }

    fillReception(i, colour) {
        const {run, run: {activities: a}, reception: {top, height}, edge, scale, view, sheet: {width}} = this;
        const left = Math.max(edge, edge + (a.start[i] - view.from) * scale);
        const right = Math.min(width, edge + (a.end[i] - view.from) * scale);
        const y = Math.floor(run.receiver(i) / this.group) * this.high + top;
        if (right > left)
            this.fill(Math.floor(left), Math.ceil(right), y, y + height, colour);
    }

    /* An edge around what has room for one. */
    frame({kind, box: [left, top, w, h]}) {
        const {pixels, sheet: {width}} = this, colour = pixelOf(this.look.theme.edges[kind]), at = top * width + left;
        for (const y of [0, h - 1])
            pixels.fill(colour, at + y * width, at + y * width + w);
        for (let y = 0; y < h; y++)
            pixels[at + y * width] = pixels[at + y * width + w - 1] = colour;
    }

    /* A line or several, of [x, y], with an edge that sets it off. */
    strokeLines(lines, colour, width) {
        for (const [strokeStyle, lineWidth] of [[this.look.theme.back, width + 2.5], [colour, width]]) {
            Object.assign(this.pen, {strokeStyle, lineWidth, lineJoin: "round"});
            this.pen.beginPath();
            for (const points of lines)
                points.forEach(([x, y], k) => k ? this.pen.lineTo(x, y) : this.pen.moveTo(x, y));
            this.pen.stroke();
        }
    }

    /* The links as lines in their rows, and between rows where one lets the next begin. */
    drawPath() {
        this.strokeLines([this.run.path.flatMap(({processor, start, end}) =>
            [start, end].map(t => [this.x(t), this.middle(processor)]))], this.look.theme.path, 2.5);
    }

    /* Its intervals, and arrows from where it is sent to where it has been received. */
    drawSelected(message) {
        const {pen, run, run: {activities: a}, look: {theme}} = this;
        Object.assign(pen, {strokeStyle: theme.text, lineWidth: 1.6});
        for (const i of run.packetsOf[message].flatMap(packet => packet.rows))
            pen.strokeRect(...this.box(i));
        for (const {transmit: i} of run.packetsOf[message])
            if (i !== NONE)
                this.drawArrow([this.x(a.start[i]), this.middle(a.processor[i])],
                               [this.x(a.end[i]), this.middle(run.receiver(i))]);
    }

    drawArrow(from, to) {
        const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
        const head = [2.7, -2.7].map(turn => [to[0] + 9 * Math.cos(angle + turn), to[1] + 9 * Math.sin(angle + turn)]);
        this.strokeLines([[from, to], [head[0], to, head[1]]], this.look.theme.text, 1.8);
    }

    /* What is drawn at a point: {first, last}, the processors, and `list` of {i, what, start, end}, what waits first,
     * then the longest. null outside of the rows. */
    under(x, y) {
        const {run, group} = this, first = Math.floor(y / this.rowHeight) * group, list = [];
        if (!(first >= 0 && first < run.nodes))
            return null;
        const at = (y - this.top(first)) * this.ratio, span = [this.time(Math.floor(x)), this.time(Math.floor(x) + 1)];
        for (let processor = first; x >= EDGE && processor < first + group; processor++)
            this.addUnder(list, processor, at, ...span);
        const part = one => (run.activities.kind[one.i] === WAIT) + Math.min(1, (Math.min(span[1], one.end)
            - Math.max(span[0], one.start)) / (span[1] - span[0]));
        return {first, last: first + group - 1, list: list.sort((one, other) => part(other) - part(one))};
    }

    addUnder(list, processor, at, from, to) {
        const {run, run: {activities: a}} = this, within = ({top, height}) => top <= at && at < top + height;
        const put = (i, start, end, what, strip) => {
            if (start < to && end > from && end > start && within(strip))
                list.push({i, start, end, what});
        };
        for (let number = 0; number < run.rows + run.queues; number++) {
            const rows = run.laneOf(processor, number);
            for (let k = nextRow(a, rows, from); k < rows.length && !(a.start[rows[k - 1]] >= to); k++) {
                const i = rows[k], strip = this.strips[this.stripFor(i)];
                put(i, a.circuit[i], a.start[i], KIND_NAMES[CIRCUIT], strip);
                put(i, a.start[i], a.end[i], KIND_NAMES[a.kind[i]], strip);
            }
        }
        for (const i of run.receptions.get(processor) ?? [])
            put(i, a.start[i], a.end[i], "reception", this.reception);
    }

    /* What is at a point: {message}, also of what a processor receives; {node} or null. */
    hit(x, y) {
        const found = this.under(x, y), {message, processor} = this.run.activities, one = found?.list[0];
        return !found ? null : !one ? {node: found.first} : message[one.i] === NONE ? {node: processor[one.i]}
            : {message: message[one.i]};
    }

    /* The same in words, or "". */
    describe(x, y) {
        const found = this.under(x, y), {run} = this, many = found?.last > found?.first;
        return !found ? "" : ["processor" + (many ? "s " + found.first + " to " + found.last : " " + found.first),
            ...found.list.slice(0, 6).map(({i, what, start, end}) => run.tell(i, what, start, end)),
            ...found.list.length > 6 ? ["and " + (found.list.length - 6) + " more"] : []].join("\n");
    }
}

/* A share in whole pixels of a height: 1 at least, if it is any. */
function parts(share, height) {
    return share > 0 ? Math.min(height, Math.max(1, Math.ceil(share * height - 1e-3))) : 0;
}

/* 1, 2 or 5 times a power of ten, at least `least`. */
export function tickStep(least) {
    const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
    return power * [1, 2, 5, 10].find(times => times * power >= least);
}

/* With the decimals that the step needs. */
export function tickText(t, step) {
    return (t / 1e6).toFixed(Math.max(0, -Math.floor(Math.log10(step / 1e6) + 1e-9))) + " µs";
}

/* How many messages wait in each of n equal parts of the time up to `end`: once each, in however many pieces. */
function countWaiting(run, end, n) {
    const levels = new Uint32Array(n), {start, end: ends, message} = run.activities, counted = new Map();
    for (const i of run.waits) {
        const first = Math.floor(start[i] / end * n), last = Math.max(first + 1, Math.ceil(ends[i] / end * n));
        for (let x = Math.max(first, counted.get(message[i]) ?? 0); x < Math.min(n, last); x++)
            levels[x]++;
        counted.set(message[i], Math.max(last, counted.get(message[i]) ?? 0));
    }
    return levels;
}

/* Under the clock's slider: how many messages wait, over the whole of the run; of two runs, two bands to one scale. */
export class Marks {
    draw(canvas, runs, end, theme) {
        const {pen, width, height} = openCanvas(canvas), high = height / runs.length;
        const levels = runs.map(run => countWaiting(run, end, Math.max(1, Math.floor(width))));
        const mosts = levels.map(list => list.reduce((most, level) => Math.max(most, level), 0)), most = Math.max(...mosts);
        const words = runs.map((run, i) => (runs.length > 1 ? run.label + ": " : "")
            + (mosts[i] ? "up to " + mosts[i] + " messages wait" : "no message waits"));
        Object.assign(this, {runs, levels, end, width, high});
        canvas.setAttribute("aria-label", "When messages wait: " + words.join("; "));
        Object.assign(pen, {font: "9px system-ui, sans-serif", textAlign: "right", textBaseline: "top", lineWidth: 3});
        levels.forEach((list, i) => {
            list.forEach((level, x) => paintBox(pen, theme.wait, x, (i + 1) * high - level / most * (high - 1), 1,
                                                level && level / most * (high - 1)));
            paintBox(pen, theme.line, 0, (i + 1) * high - 0.5, width, 0.5);
            pen.strokeStyle = theme.back;
            pen.strokeText(words[i], width, i * high);
            paintText(pen, theme.text, words[i], width, i * high);
        });
    }

    time(x) {
        return Math.max(0, Math.min(1, x / this.width)) * this.end;
    }

    describe(x, y) {
        const i = Math.max(0, Math.min(this.runs.length - 1, Math.floor(y / this.high)));
        return this.runs[i]?.label + ", at " + ps(this.time(x)) + ": " + (this.levels[i]?.[Math.floor(x)] ?? 0)
            + " messages wait";
    }
}
