/* The space-time diagram: processors down, time across, in the colours of the figures. What is in the window of time is
 * drawn once, on a sheet of its own; each frame copies the sheet and puts the clock on it. */

import {CIRCUIT, NONE, TRANSMIT, WAIT, nextRow} from "./trace.js";
import {FOOT, openCanvas, paintBox, paintText} from "./canvas.js";

export const EDGE = 44;                 /* left of the rows, for the processors */

export class Timeline {
    constructor(canvas) {
        this.canvas = canvas;
        this.sheet = document.createElement("canvas");
    }

    /* `view` is {from, to}, the window; `look` has what else the sheet depends on: path, selection, theme. */
    draw(run, t, view, look) {
        const {pen, width, height} = openCanvas(this.canvas);
        Object.assign(this, {run, view, look, width, height, rowHeight: (height - FOOT) / run.nodes});
        const key = [run.number, view.from, view.to, width, height, window.devicePixelRatio, look.path,
                     JSON.stringify(look.selection), look.theme.id].join();
        if (key !== this.drawn) {
            this.drawn = key;
            this.drawSheet();
        }
        pen.drawImage(this.sheet, 0, 0, width, height);
        const x = this.x(t);
        if (x >= EDGE && x <= width)
            paintBox(pen, look.theme.text, x - 0.75, 0, 1.5, height - FOOT + 4);
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
        this.pen.save();
        this.pen.beginPath();
        this.pen.rect(EDGE, 0, this.width - EDGE, this.height - FOOT);
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

    /* Times below, processors to the left, as many as there is room for. */
    drawAxes() {
        const {pen, run, view, look: {theme}} = this, step = tickStep((view.to - view.from) / (this.width / 110));
        Object.assign(pen, {font: "11px system-ui, sans-serif", textAlign: "center", textBaseline: "top"});
        for (let t = Math.ceil(view.from / step) * step; t <= view.to; t += step) {
            paintBox(pen, theme.line, this.x(t), 0, 1, this.height - FOOT);
            paintText(pen, theme.text, tickText(t, step), Math.min(this.x(t), this.width - 26), this.height - FOOT + 6);
        }
        const every = 2 ** Math.max(0, Math.ceil(Math.log2(14 / this.rowHeight)));
        Object.assign(pen, {textAlign: "right", textBaseline: "middle"});
        for (let node = 0; node < run.nodes; node += every)
            paintText(pen, theme.text, node, EDGE - 6, Math.max(6, (node + 0.5) * this.rowHeight));
        const node = this.look.selection?.node;
        if (node !== undefined)
            paintBox(pen, theme.select, 0, node * this.rowHeight, this.width, this.rowHeight);
    }

    /* The upper part of a processor's row, or what its lane has of it. Nowhere for what has no row. */
    box(i, start = this.run.activities.start[i], end = this.run.activities.end[i]) {
        const a = this.run.activities, high = this.rowHeight * 0.72 / this.run.rows, x = this.x(start);
        const row = a.row[i] === NONE ? NaN : a.row[i];
        return [x, (a.processor[i] + 0.06) * this.rowHeight + row * high, this.x(end) - x, high];
    }

    /* From when its header sets off to the transmission. */
    circuitBox({rows, leaves, transmit}) {
        return this.box(rows.at(-1), leaves, Math.max(leaves, this.run.activities.start[transmit] ?? this.run.last));
    }

    /* Below it is what the processor receives. */
    receptionBox(i) {
        const {run, run: {activities: a}, rowHeight: high} = this, x = this.x(a.start[i]);
        return [x, (run.receiver(i) + 0.82) * high, this.x(a.end[i]) - x, high * 0.16];
    }

    /* Thousands of boxes are set as pixels: to draw them would take longer. Stripes and labels come upon them. */
    drawActivities() {
        const {pen, run, sheet, look: {theme}} = this, a = run.activities, over = [];
        const image = new ImageData(sheet.width, sheet.height), colours = theme.kinds.map(pixelOf);
        const receive = pixelOf(theme.receive);
        this.pixels = new Uint32Array(image.data.buffer);
        for (const packet of run.packets.values()) {
            this.fill(this.circuitBox(packet), colours[CIRCUIT]);
            this.fill(this.receptionBox(packet.transmit), receive);
        }
        for (const lane of run.lanes.values())
            this.fillLane(lane, colours, over);
        pen.putImageData(image, 0, 0);
        Object.assign(pen, {font: "10px system-ui, sans-serif", textAlign: "center", textBaseline: "middle"});
        for (const [i, [x, y, w, h]] of over)
            if (a.kind[i] === WAIT)
                paintBox(pen, theme.pattern, x, y, w, h);
            else
                paintText(pen, "#fff", run.messages.destination[a.message[i]], x + w / 2, y + h / 2);
    }

    /* What has room for stripes or for a label goes to `over`. */
    fillLane(rows, colours, over) {
        const {run: {activities: a}, view} = this;
        for (let k = nextRow(a, rows, view.from); k < rows.length && a.start[rows[k]] < view.to; k++) {
            const i = rows[k], box = this.box(i), [, , w, h] = box;
            this.fill(box, colours[a.kind[i]]);
            if (a.kind[i] === WAIT ? w > 3 : a.kind[i] === TRANSMIT && w > 16 && h > 8)
                over.push([i, box]);
        }
    }

    /* Sets the pixels of a box, one at least if any of it is in the window. */
    fill([x, y, w, h], colour) {
        const {pixels, sheet: {width}} = this, ratio = width / this.width;
        if (!(w > 0 && x + w > EDGE && x < this.width))
            return;
        const left = Math.round(Math.max(EDGE, x) * ratio), top = Math.round(y * ratio);
        const right = Math.min(width, Math.max(left + 1, Math.round((x + w) * ratio)));
        const bottom = Math.max(top + 1, Math.round((y + h) * ratio));
        for (let row = top; row < bottom; row++)
            for (let at = left; at < right; at++)
                pixels[row * width + at] = colour;
    }

    /* The links as lines in their rows, and between rows where one lets the next begin. */
    drawPath() {
        const {pen, run, look: {theme}} = this;
        for (const [strokeStyle, lineWidth] of [[theme.back, 5], [theme.path, 2.5]]) {
            Object.assign(pen, {strokeStyle, lineWidth, lineJoin: "round"});
            pen.beginPath();
            for (const {processor, start, end} of run.path) {
                pen.lineTo(this.x(start), (processor + 0.42) * this.rowHeight);
                pen.lineTo(this.x(end), (processor + 0.42) * this.rowHeight);
            }
            pen.stroke();
        }
    }

    drawSelected(message) {
        Object.assign(this.pen, {strokeStyle: this.look.theme.text, lineWidth: 1.6});
        for (const i of this.run.packetsOf[message].flatMap(packet => packet.rows))
            this.pen.strokeRect(...this.box(i));
    }

    /* What is at a point: {message}, also of what a processor receives; {node} or null. */
    hit(x, y) {
        const {run} = this, node = Math.floor(y / this.rowHeight);
        const has = ([left, top, width, height]) => left <= x && x < left + width && top <= y && y < top + height;
        for (const packet of x < EDGE ? [] : run.packets.values())
            if ([...packet.rows.map(i => this.box(i)), this.circuitBox(packet),
                 this.receptionBox(packet.transmit)].some(has))
                return {message: run.activities.message[packet.rows[0]]};
        return node >= 0 && node < run.nodes ? {node} : null;
    }
}

/* "#rrggbb" as a pixel of ImageData: alpha, blue, green, red. */
function pixelOf(colour) {
    return parseInt("ff" + colour.slice(5, 7) + colour.slice(3, 5) + colour.slice(1, 3), 16);
}

/* 1, 2 or 5 times a power of ten, at least `least`. */
export function tickStep(least) {
    const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
    return power * [1, 2, 5, 10].find(times => times * power >= least);
}

/* In ms or µs, with the decimals that the step needs. */
export function tickText(t, step) {
    const unit = step >= 1e8 ? 1e9 : 1e6, decimals = Math.max(0, -Math.floor(Math.log10(step / unit) + 1e-9));
    return (t / unit).toFixed(decimals) + (unit === 1e9 ? " ms" : " µs");
}

/* Under the clock's slider: how many messages wait, over the whole of the run. */
export function drawWaitMarks(canvas, runs, end, theme) {
    const {pen, width, height} = openCanvas(canvas);
    const levels = new Float64Array(Math.max(1, Math.floor(width)));
    for (const run of runs)
        for (const i of run.waits) {
            const a = run.activities, from = Math.floor(a.start[i] / end * width);
            for (let x = from; x < levels.length && x <= a.end[i] / end * width; x++)
                levels[x]++;
        }
    const most = Math.max(1, ...levels);
    levels.forEach((level, x) => paintBox(pen, theme.wait, x, height - level / most * height, 1, level && height));
}
