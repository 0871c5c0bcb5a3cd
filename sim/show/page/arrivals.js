/* Which blocks have arrived at one moment: a matrix with a cell for each block, its sender down, its destination across.
 * A block comes in one message, or in several, between which it rests at processors on its way. */

import {TRANSMIT, WAIT, countUpTo, readTable} from "./trace.js";
import {openCanvas, paintBox, paintText, pixelOf} from "./canvas.js";

const ABOVE = 16;                       /* of the cells, for the title */
const WAYS = ["not yet sent", "waiting", "under way", "resting on its way", "arrived"];
const [NOT_YET, WAITS, MOVES, RESTS, THERE] = WAYS.keys();

/* Returns {origin, destination, messages} of all blocks; undefined if the run's blocks cannot be followed. */
function cellsOf(run) {
    if (!run.journeys || run.cells)
        return run.cells;
    const {origin, destination, message, n} = readTable(run.journeys);
    run.cells = [];
    for (let i = 0; i < n; i++) {
        if (!i || origin[i] !== origin[i - 1] || destination[i] !== destination[i - 1])
            run.cells.push({origin: origin[i], destination: destination[i], messages: []});
        run.cells.at(-1).messages.push(message[i]);
    }
    run.begins = Float64Array.from(run.packetsOf, packets => packets.reduce((first, {rows}) =>
        Math.min(first, run.activities.start[rows[0]]), Infinity));
    return run.cells;
}

/* Returns the block from one processor to another: {origin, destination, messages}; undefined if there is none. */
export const blockOf = (run, from, to) => cellsOf(run)?.find(({origin, destination}) => origin === from && destination === to);

/* Returns how much has arrived at t: "350 of 992 blocks"; messages with data if the blocks cannot be followed. */
export function tellArrived(run, t) {
    const {delivered, messages: {handshake}} = run, blocks = cellsOf(run);
    const times = run.arrivals ??= (blocks ? Float64Array.from(blocks, ({messages}) => delivered[messages.at(-1)])
        : delivered.filter((_, message) => !handshake[message])).sort();
    return countUpTo(times, t) + " of " + times.length + (blocks ? " blocks" : handshake.includes(1) ? " messages with data" : " messages");
}

/* Returns what a block does, in words, and the message that brings it on or brought it last: {text, message}. */
export function followBlock(moment, [from, to]) {
    const [state, message] = wayOf(blockOf(moment.trace, from, to), moment);
    return {text: WAYS[state], message};
}

/* Returns [state, the message that brings the block on or brought it last]. */
function wayOf({messages}, {trace: {delivered, begins}, t, waiting}) {
    let k = 0;
    while (k < messages.length && delivered[messages[k]] <= t)
        k++;
    const message = messages[k];
    return k === messages.length ? [THERE, messages.at(-1)] : begins[message] <= t ? [waiting.has(message) ? WAITS : MOVES, message]
        : [k ? RESTS : NOT_YET, message];
}

export class ArrivalsView {
    constructor(canvas) {
        Object.assign(this, {canvas, sheet: document.createElement("canvas"), of: cellsOf});
    }

    /* Counts the blocks in each state: [NOT_YET ... THERE]. */
    count(moment) {
        const counts = WAYS.map(() => 0);
        for (const block of cellsOf(moment.trace))
            counts[wayOf(block, moment)[0]]++;
        return counts;
    }

    /* Whether the run has a matrix: blocks that can be followed, and that come from more than one processor. */
    shows(run) {
        return cellsOf(run)?.some(({origin}, _, [first]) => origin !== first.origin);
    }

    draw(moment, selection, theme) {
        const {trace} = moment, blocks = cellsOf(trace), n = trace.nodes, {canvas, sheet} = this;
        if (!this.shows(trace))
            return;
        const {pen, width, height, ratio} = openCanvas(canvas), size = Math.max(ratio,
            Math.floor(Math.min(width, height - ABOVE) * ratio / n)) / ratio;
        const image = new ImageData(n, n), pixels = new Uint32Array(image.data.buffer).fill(pixelOf(theme.back));
        const colours = [theme.node, theme.kinds[WAIT], theme.kinds[TRANSMIT], theme.grown, theme.receive].map(pixelOf);
        Object.assign(this, {moment, trace, size, n});
        Object.assign(sheet, {width: n, height: n});
        for (const block of blocks)
            pixels[block.origin * n + block.destination] = colours[wayOf(block, moment)[0]];
        sheet.getContext("2d").putImageData(image, 0, 0);
        pen.imageSmoothingEnabled = false;
        pen.drawImage(sheet, 0, ABOVE, n * size, n * size);
        for (let k = 0; size >= 4 && k <= n; k++) {
            paintBox(pen, theme.back, k * size - 0.5, ABOVE, 1, n * size);
            paintBox(pen, theme.back, 0, ABOVE + k * size - 0.5, n * size, 1);
        }
        Object.assign(pen, {font: "11px system-ui, sans-serif", textBaseline: "top", strokeStyle: theme.text, lineWidth: 2});
        paintText(pen, theme.text, "sender \u2193 destination \u2192", 0, 1);
        const chosen = selection?.block && blockOf(trace, ...selection.block);
        for (const {origin, destination, messages} of chosen ? [chosen] : blocks)
            if (messages.includes(selection?.message))
                pen.strokeRect(destination * size, ABOVE + origin * size, size, size);
    }

    blockAt(x, y) {
        const [column, row] = [x, y - ABOVE].map(at => Math.floor(at / this.size));
        return blockOf(this.trace, row, column);
    }

    /* Returns the selection at a point: the block, and the message that brings it; or null. */
    hit(x, y) {
        const block = this.blockAt(x, y);
        return block ? {message: wayOf(block, this.moment)[1], block: [block.origin, block.destination]} : null;
    }

    describe(x, y) {
        const block = this.blockAt(x, y);
        if (!block)
            return undefined;
        const [state, message] = wayOf(block, this.moment);
        return "block " + block.origin + " to " + block.destination + ": " + WAYS[state] + "\n"
            + this.trace.messageName(message);
    }
}
