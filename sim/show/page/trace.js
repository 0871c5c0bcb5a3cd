/* A run of the page: the data that ecube wrote, decoded, and indexed so that its state at any time can be looked up.
 * Nothing is simulated here. All times are whole picoseconds from the start of the run. */

import {NONE, routeOf} from "./network.js";

export const STARTUP = 0, WAIT = 2, TRANSMIT = 3, COMPUTE = 5, BARRIER = 6;    /* kinds of activities */
export const CIRCUIT = 7, RECEIVE = 8;  /* between start-up and transmission: the header claims channels; at its end */
export const HANDSHAKE = 9;             /* start-up and circuit of a handshake */
export const RECONFIGURE = 10;          /* where circuits are kept, the beginning of the circuit */
export const KIND_NAMES = ["start-up", "", "waiting", "transmission", "shuffle", "arithmetic", "barrier", "circuit",
                           "reception", "handshake", "reconfiguration"];
export const NODE = -2;     /* the ports of a node, by its number (sim/engine/trace.h) */

/* --- reading --- */

/* Returns the n numbers of a column, from differences in pieces of 6 and 7 bits (sim/show/page.h). */
function readColumn(text, n) {
    const bytes = atob(text), numbers = new Float64Array(n);
    let at = 0, above = 0;
    for (let i = 0; i < n; i++) {
        let byte = bytes.charCodeAt(at++);
        const sign = byte & 1 ? -1 : 1;
        let magnitude = byte >> 1 & 0x3f, weight = 64;
        for (; byte & 0x80; weight *= 128) {
            byte = bytes.charCodeAt(at++);
            magnitude += (byte & 0x7f) * weight;
        }
        above += sign * magnitude;
        numbers[i] = above;
    }
    return numbers;
}

/* Returns a table: its columns by name, and n, the number of its rows. */
export function readTable(table) {
    const {n, ...texts} = table, columns = {n};
    for (const [name, text] of Object.entries(texts))
        columns[name] = readColumn(text, n);
    if (columns.start)
        columns.end = columns.start.map((start, i) => start + columns.length[i]);
    return columns;
}

/* Returns the rows of a table: [{column: number, ...}]. */
const rowsOf = ({n, ...columns}) => Array.from({length: n}, (_, i) =>
    Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column[i]])));

/* --- searching --- */

/* Returns the numbers of all lists in ascending order, each once. */
export function distinct(...lists) {
    const all = new Float64Array(lists.reduce((n, list) => n + list.length, 0));
    lists.reduce((at, list) => (all.set(list, at), at + list.length), 0);
    return all.sort().filter((number, i) => i === 0 || number !== all[i - 1]);
}

/* Returns the first of n indexes for which after(i) is true, and stays true; n if there is none. */
export function search(n, after) {
    let low = 0, high = n;
    while (low < high) {
        const middle = low + high >> 1;
        if (after(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* countUpTo: how many of the sorted numbers are <= t; nextRow: the index of the first row in a lane that ends after
 * t. */
export const countUpTo = (sorted, t) => search(sorted.length, i => sorted[i] > t);
export const nextRow = (table, lane, t) => search(lane.length, i => table.end[lane[i]] > t);

/* --- words --- */

export const ps = number => (number === 0 ? "0" : (number / 1e6).toFixed(3)) + "\u00a0µs";

/* Returns the name of a channel or port, as in sim/engine/trace.h. */
export function placeName(from, to) {
    if (from === NONE)
        return to === NONE ? "a transmission the other way" : "the port of " + to;
    if (to === NONE)
        return "the send port of " + from;
    if (from === NODE || to === NODE)
        return "the ports " + (to === NODE ? "out of node " + from : "into node " + to);
    return from === to ? "the receive port of " + to : "channel " + from + "\u2192" + to;
}

/* --- a run --- */

const LANES = 65536;                    /* of one processor, at most */

export class Trace {
    constructor(data, number, page) {
        const playable = Boolean(data.messages);
        Object.assign(this, data, {number, page, playable, nodes: page.processors});
        if (playable)
            this.decode();
        else if (data.totals)
            this.totals = rowsOf(readTable(data.totals));
        this.time = this.simulated ?? this.last ?? 0;
    }

    decode() {
        for (const name of ["messages", "steps", "activities", "holds"])
            this[name] = readTable(this[name]);
        this.last = this.activities.end.reduce((most, end) => Math.max(most, end), 0);
        this.indexMessages();
        this.indexLanes();
        this.indexPlaces();
        this.indexWaits();
        const {activities: a, holds: h} = this;
        this.instants = distinct([0, this.simulated ?? 0], this.messages.issued, a.start, a.end, h.start, h.end);
    }

    /* Indexes the packets by number and by message, and the times at which messages were delivered. */
    indexMessages() {
        const a = this.activities, h = this.holds, held = new Map();     /* by packets: since when; holds are in order */
        h.number.forEach((number, i) => held.has(number) || held.set(number, h.start[i]));
        const rows = Map.groupBy([...a.message.keys()].filter(i => a.message[i] !== NONE), i => a.number[i]);
        this.packets = new Map();
        this.packetsOf = Array.from({length: this.messages.n}, () => []);
        for (const [number, list] of rows) {
            this.packets.set(number, this.packet(list, held.get(number) ?? Infinity));
            this.packetsOf[a.message[list[0]]].push(this.packets.get(number));
        }
        this.delivered = Float64Array.from(this.packetsOf, packets => packets.reduce((last, packet) =>
            Math.max(last, a.end[packet.transmit] ?? Infinity), packets.length ? 0 : Infinity));
        this.deliveries = this.delivered.slice().sort();
    }

    /* Returns a packet: its activities, its transmission, and when its header left, behind others from its port. */
    packet(rows, held) {
        const a = this.activities, find = kind => rows.find(i => a.kind[i] === kind) ?? NONE;
        const waits = rows.filter(i => a.kind[i] === WAIT).map(i => a.start[i]);
        const leaves = Math.max(a.end[find(STARTUP)], Math.min(held, ...waits));
        return {rows, leaves, transmit: find(TRANSMIT)};
    }

    /* Returns the bytes of a message: of its packets, at the first hop. */
    bytesOf(message) {
        const a = this.activities, isFirst = i => a.from[i] === NONE || a.from[i] === this.messages.source[message];
        return this.packetsOf[message].map(packet => packet.transmit).filter(i => i !== NONE && isFirst(i))
            .reduce((sum, i) => sum + a.bytes[i], 0);
    }

    /* Indexes the activities of each processor by lanes: `rows` of the trace, then `queues` for waits without a row. */
    indexLanes() {
        const a = this.activities, lanes = new Map();
        const laneOf = i => {
            const key = a.processor[i] * LANES + a.lane[i];
            return lanes.get(key) ?? lanes.set(key, []).get(key);
        };
        this.rows = 1 + a.row.reduce((most, row) => Math.max(most, row), 0);
        Object.assign(this, {lanes, queues: 0});
        a.lane = a.row.map(row => row === NONE ? this.rows : row);
        a.circuit = a.start.slice();
        for (const i of a.kind.keys()) {
            while (a.row[i] === NONE && a.end[laneOf(i).at(-1)] > a.start[i])
                a.lane[i]++;
            a.circuit[i] = this.circuitFrom(i, laneOf(i).at(-1));
            this.queues = Math.max(this.queues, a.lane[i] + 1 - this.rows);
            laneOf(i).push(i);
        }
    }

    /* Calls `put` for each visible piece of an activity: its circuit, itself, and the reception by another
     * processor. */
    eachPiece(i, put) {
        const {kind, processor, circuit, start, end, message} = this.activities;
        const shakes = this.messages.handshake[message[i]], {reconfigure} = this.page;
        const ready = circuit[i] + (start[i] - circuit[i] < reconfigure ? 0 : reconfigure);
        if (circuit[i] < ready)
            put(i, RECONFIGURE, processor[i], circuit[i], ready);
        if (ready < start[i])
            put(i, shakes ? HANDSHAKE : CIRCUIT, processor[i], ready, start[i]);
        put(i, shakes && kind[i] === STARTUP ? HANDSHAKE : kind[i], processor[i], start[i], end[i]);
        if (kind[i] === TRANSMIT)
            put(i, RECEIVE, this.receiver(i), start[i], end[i]);
    }

    /* Returns since when the packet of an activity sets up its circuit; `before` is the activity before in the lane. */
    circuitFrom(i, before) {
        const {kind, start, end, number} = this.activities;
        return kind[i] !== WAIT && kind[i] !== TRANSMIT ? start[i]
            : Math.min(start[i], Math.max(this.packets.get(number[i]).leaves, end[before] ?? 0));
    }

    /* Indexes the holds of each channel and port by place(), in the order of their ends; and the channels alone. */
    indexPlaces() {
        const h = this.holds;
        this.places = Map.groupBy(h.from.keys(), i => this.place(h.from[i], h.to[i]));
        this.places.forEach(lane => lane.sort((one, other) => h.end[one] - h.end[other]));
        this.channels = [...this.places.values()]
            .filter(([i]) => h.from[i] >= 0 && h.to[i] >= 0 && h.from[i] !== h.to[i]);
    }

    /* Returns the ranges of neighbours that do the same at the same times: [{first, last}]. */
    ranges() {
        const {kind, start, end, processor, lane} = this.activities, words = Array.from({length: this.nodes}, () => []);
        for (const i of kind.keys()) {
            words[processor[i]].push([kind[i], lane[i], start[i], end[i]].join());
            if (kind[i] === TRANSMIT)
                words[this.receiver(i)].push([RECEIVE, start[i], end[i]].join());
        }
        const found = [], texts = words.map(list => list.sort().join(" "));
        texts.forEach((text, node) => {
            if (node && text === texts[node - 1])
                found.at(-1).last = node;
            else
                found.push({first: node, last: node});
        });
        return found;
    }

    /* Returns for how long the packet of a hold waited between two dates: its channel carried nothing. */
    deadTime(number, from, to) {
        const {start, end} = this.activities, rows = this.waitsOf.get(number) ?? [];
        return rows.reduce((sum, i) => sum + Math.max(0, Math.min(to, end[i]) - Math.max(from, start[i])), 0);
    }

    place(from, to) {
        return (from + 2) * (this.nodes + 2) + to + 2;
    }

    /* Indexes all waits, their beginnings and ends, and the first wait of each message. */
    indexWaits() {
        const {kind, message, number, start, end} = this.activities;
        this.waits = [...kind.keys()].filter(i => kind[i] === WAIT);
        this.waitsOf = Map.groupBy(this.waits, i => number[i]);
        this.waitStarts = Float64Array.from(this.waits, i => start[i]).sort();
        this.waitEnds = Float64Array.from(this.waits, i => end[i]).sort();
        const firsts = new Map(this.waits.map(i => [message[i], start[i]]).reverse());
        this.firstWaits = Float64Array.from(firsts.values()).sort();
    }

    /* Counts the messages that wait at some time in [from, to]. */
    waitingIn(from, to = from) {
        return countUpTo(this.waitStarts, to) - countUpTo(this.waitEnds, from);
    }

    /* Returns the time that the header of a packet pays for a channel. */
    hop(number) {
        const bytes = this.activities.bytes[this.packets.get(number).rows[0]], {shortLimit, longLimit = Infinity} = this.page;
        return this.page[bytes <= shortLimit ? "hopShort" : bytes > longLimit ? "hopLong" : "hop"];
    }

    /* Returns the processor that receives a transmission. */
    receiver(i) {
        const a = this.activities;
        return a.to[i] === NONE ? this.messages.destination[a.message[i]] : a.to[i];
    }

    /* Returns the processor whose port a message waits for, or whose transmission the other way. */
    endWanted(wait) {
        const {activities: a, messages: m} = this, blocker = a.blocker[wait], to = m.destination[a.message[wait]];
        const busy = [m.source[blocker], m.destination[blocker]].includes(to) ? to : a.processor[wait];
        if (a.from[wait] === NODE || a.to[wait] === NODE)
            return a.to[wait] === NODE ? a.processor[wait] : to;
        return a.to[wait] !== NONE ? a.to[wait] : a.from[wait] !== NONE ? a.from[wait] : busy;
    }

    /* Returns in words what a wait is for; of a transmission the other way, the processor that has it. */
    wanted(wait) {
        const {activities: {from, to, blocker}, messages: {source}} = this, node = this.endWanted(wait);
        return from[wait] !== NONE || to[wait] !== NONE ? placeName(from[wait], to[wait])
            : placeName(NONE, NONE) + ", which processor " + node + (source[blocker[wait]] === node ? " sends" : " receives");
    }

    /* Returns the processors on a message's route. */
    route(message) {
        return routeOf(this.page, this.messages.source[message], this.messages.destination[message]);
    }

    /* Returns the activities of a node, or the holds of a channel or port and the waits for it, in the order of
     * time. */
    history(node, from, to) {
        const a = this.activities, holds = this.places.get(this.place(from, to)) ?? [];
        const line = ({start, end, message}, i, what) => ({start: start[i], end: end[i], message: message[i], what});
        const lines = node !== undefined
            ? [...a.kind.keys()].filter(i => a.processor[i] === node).map(i => line(a, i, KIND_NAMES[a.kind[i]]))
            : [...holds.map(i => line(this.holds, i, "held by")),
               ...this.waits.filter(i => a.from[i] === from && a.to[i] === to).map(i => line(a, i, "waited for by"))];
        return lines.sort((one, other) => one.start - other.start);
    }

    /* Describes a piece of eachPiece(). */
    tell({i, kind, start, end}) {
        const {message, blocker} = this.activities;
        return KIND_NAMES[kind] + (message[i] === NONE ? "" : ": " + this.messageName(message[i]))
            + (kind === WAIT ? ", for " + this.wanted(i) + ", behind message " + blocker[i] : "")
            + ", from " + ps(start) + ", takes " + ps(end - start);
    }

    messageName(message) {
        const m = this.messages, what = m.handshake[message] ? "handshake " : "message ";
        return what + message + ", " + m.source[message] + " to " + m.destination[message];
    }
}
