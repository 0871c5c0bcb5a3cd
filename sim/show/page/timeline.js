/* The space-time diagram: processors down, time across, in the colours of the figures. What is in the window of time is
 * drawn once, on a sheet of its own; each frame copies the sheet and puts the clock on it. */

const EDGE = 44, FOOT = 22;             /* left of the rows: processors; below them: times */

class Timeline {
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
        if (x >= EDGE && x <= width) {
            pen.fillStyle = look.theme.text;
            pen.fillRect(x - 0.75, 0, 1.5, height - FOOT + 4);
        }
    }

    x(t) {
        return EDGE + (t - this.view.from) / (this.view.to - this.view.from) * (this.width - EDGE);
    }

    time(x) {
        return this.view.from + (x - EDGE) / (this.width - EDGE) * (this.view.to - this.view.from);
    }

    drawSheet() {
        const ratio = window.devicePixelRatio || 1, {run, look} = this;
        this.sheet.width = Math.round(this.width * ratio);
        this.sheet.height = Math.round(this.height * ratio);
        this.pen = this.sheet.getContext("2d");
        this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
        this.drawAxes();
        this.pen.save();
        this.pen.beginPath();
        this.pen.rect(EDGE, 0, this.width - EDGE, this.height - FOOT);
        this.pen.clip();
        this.drawActivities();
        this.drawReceptions();
        if (look.path && run.path)
            this.drawPath();
        if (look.selection?.message !== undefined)
            this.drawSelected(look.selection.message);
        this.pen.restore();
    }

    /* Times below, processors to the left, as many as there is room for. */
    drawAxes() {
        const {pen, run, view, look: {theme}} = this, step = tickStep((view.to - view.from) / (this.width / 110));
        pen.font = "11px system-ui, sans-serif";
        pen.textAlign = "center";
        pen.textBaseline = "top";
        for (let t = Math.ceil(view.from / step) * step; t <= view.to; t += step) {
            pen.fillStyle = theme.line;
            pen.fillRect(this.x(t), 0, 1, this.height - FOOT);
            pen.fillStyle = theme.text;
            pen.fillText(tickText(t, step), Math.min(this.x(t), this.width - 26), this.height - FOOT + 6);
        }
        const every = 2 ** Math.max(0, Math.ceil(Math.log2(12 / this.rowHeight)));
        pen.textAlign = "right";
        pen.textBaseline = "middle";
        for (let node = 0; node < run.nodes; node += every)
            pen.fillText(node, EDGE - 6, Math.max(6, (node + 0.5) * this.rowHeight));
        const node = this.look.selection?.node;
        pen.fillStyle = theme.select;
        if (node !== undefined)
            pen.fillRect(0, node * this.rowHeight, this.width, this.rowHeight);
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
        return [x, (run.receiver(i) + 0.82) * high, Math.max(this.x(a.end[i]) - x, 0.5), high * 0.16];
    }

    /* Of all packets, the boxes that are in the window. */
    seen(boxOf) {
        return [...this.run.packets.values()].map(boxOf).filter(([x, , w]) => w > 0 && x < this.width && x + w > EDGE);
    }

    /* One colour after the other. What waits while it sets up a circuit comes upon that. */
    drawActivities() {
        const {pen, run, look: {theme}} = this, boxes = KIND_NAMES.map(() => []), a = run.activities;
        for (const lane of run.lanes.values())
            this.collect(lane, boxes);
        boxes[CIRCUIT] = this.seen(packet => this.circuitBox(packet));
        for (const kind of [CIRCUIT, STARTUP, TRANSMIT, SHUFFLE, COMPUTE, BARRIER, WAIT]) {
            pen.fillStyle = kind === WAIT ? theme.pattern : theme.kinds[kind];
            pen.beginPath();
            for (const [x, y, w, h] of boxes[kind])
                pen.rect(x, y, Math.max(w, 0.5), h);
            pen.fill();
        }
        for (const [x, y, w, h, i] of boxes[TRANSMIT])
            if (w > 16 && h > 8)
                this.drawLabel(run.messages.destination[a.message[i]], x + w / 2, y + h / 2);
    }

    /* [kind]: the boxes in the window. What is too narrow to see beside the last one drawn is left out. */
    collect(rows, boxes) {
        const {run, view} = this, a = run.activities;
        let seen = -1;
        for (let k = nextRow(a, rows, view.from); k < rows.length && a.start[rows[k]] < view.to; k++) {
            const i = rows[k], box = this.box(i), end = box[0] + box[2];
            if (end - seen < 0.25)
                continue;
            boxes[a.kind[i]].push([...box, i]);
            seen = end;
        }
    }

    drawLabel(text, x, y) {
        this.pen.fillStyle = "#fff";
        this.pen.font = "10px system-ui, sans-serif";
        this.pen.textAlign = "center";
        this.pen.fillText(text, x, y);
    }

    drawReceptions() {
        this.pen.fillStyle = this.look.theme.receive;
        for (const box of this.seen(packet => this.receptionBox(packet.transmit)))
            this.pen.fillRect(...box);
    }

    /* The links as lines in their rows, and between rows where one lets the next begin. */
    drawPath() {
        const {pen, run, look: {theme}} = this;
        for (const [colour, width] of [[theme.back, 5], [theme.path, 2.5]]) {
            pen.strokeStyle = colour;
            pen.lineWidth = width;
            pen.lineJoin = "round";
            pen.beginPath();
            for (const {processor, start, end} of run.path) {
                pen.lineTo(this.x(start), (processor + 0.42) * this.rowHeight);
                pen.lineTo(this.x(end), (processor + 0.42) * this.rowHeight);
            }
            pen.stroke();
        }
    }

    drawSelected(message) {
        this.pen.strokeStyle = this.look.theme.text;
        this.pen.lineWidth = 1.6;
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

/* 1, 2 or 5 times a power of ten, at least `least`. */
function tickStep(least) {
    const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
    return power * [1, 2, 5, 10].find(times => times * power >= least);
}

/* In ms or µs, with the decimals that the step needs. */
function tickText(t, step) {
    const unit = step >= 1e8 ? 1e9 : 1e6, decimals = Math.max(0, -Math.floor(Math.log10(step / unit) + 1e-9));
    return (t / unit).toFixed(decimals) + (unit === 1e9 ? " ms" : " µs");
}

/* Under the clock's slider: how many messages wait, over the whole of the run. */
function drawWaitMarks(canvas, runs, end, theme) {
    const {pen, width, height} = openCanvas(canvas);
    const levels = new Float64Array(Math.max(1, Math.floor(width)));
    for (const run of runs)
        for (const i of run.waits) {
            const a = run.activities, from = Math.floor(a.start[i] / end * width);
            for (let x = from; x < levels.length && x <= a.end[i] / end * width; x++)
                levels[x]++;
        }
    const most = Math.max(1, ...levels);
    pen.fillStyle = theme.wait;
    levels.forEach((level, x) => pen.fillRect(x, height - level / most * height, 1, level && height));
}
