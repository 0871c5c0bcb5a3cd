/* The data of the page: what ecube wrote into it, made ready to be asked "what is so at time t?".
 *
 * All times are whole picoseconds from the start of the run. Nothing here is simulated: whatever is shown of an instant
 * is looked up in what happened, so it does not matter from where the clock came there. */

const STARTUP = 0, WAIT = 2, TRANSMIT = 3, SHUFFLE = 4, COMPUTE = 5, BARRIER = 6;     /* kinds of activities */
const CIRCUIT = 7;                      /* between start-up and transmission: the header claims channels */
const KIND_NAMES = ["start-up", "", "waiting", "transmission", "shuffle", "arithmetic", "barrier", "circuit"];
const NONE = -1;

/* --- reading --- */

/* The n numbers of a column: differences, in pieces of 6 and 7 bits (sim/show/page_table.h). */
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

/* A table: its columns by name, and n, the number of its rows. */
function readTable(table) {
    const {n, ...texts} = table, columns = {n};
    for (const [name, text] of Object.entries(texts))
        columns[name] = readColumn(text, n);
    if (columns.start)
        columns.end = columns.start.map((start, i) => start + columns.length[i]);
    return columns;
}

/* --- searching --- */

/* How many of n numbers, from 0, are before something; those that are come first. */
function countBefore(n, isBefore) {
    let low = 0, high = n;
    while (low < high) {
        const middle = low + high >> 1;
        if (isBefore(middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many of the sorted numbers are <= t. */
const countUpTo = (sorted, t) => countBefore(sorted.length, i => sorted[i] <= t);

/* Where in the lane is the first row that ends after t. */
const nextRow = (table, lane, t) => countBefore(lane.length, i => table.end[lane[i]] <= t);

/* The row of a lane that covers t, or NONE. A lane has rows of a table one after the other, none beginning before the
 * one before it has ended. */
function rowAt(table, lane, t) {
    const at = nextRow(table, lane, t);
    return at < lane.length && table.start[lane[at]] <= t ? lane[at] : NONE;
}

/* Appends to the list of a key. */
function push(lists, key, value) {
    if (!lists.has(key))
        lists.set(key, []);
    lists.get(key).push(value);
}

/* Numbers in order, with sums[i] of the first i of them. */
function sortedWithSums(numbers) {
    const sorted = Float64Array.from(numbers).sort(), sums = new Float64Array(sorted.length + 1);
    sorted.forEach((number, i) => { sums[i + 1] = sums[i] + number; });
    return {sorted, sums};
}

/* --- words --- */

const ps = number => (number === 0 ? "0" : (number / 1e6).toLocaleString("en",
    {minimumFractionDigits: 3, maximumFractionDigits: 3})) + " µs";

/* What a channel or port is called: as in sim/engine/trace.h. */
function placeName(from, to) {
    if (from === NONE)
        return to === NONE ? "a transmission the other way" : "the port of " + to;
    if (to === NONE)
        return "the send port of " + from;
    return from === to ? "the receive port of " + to : "channel " + from + "->" + to;
}

/* --- a run --- */

const ROWS = 65536, FURTHER = 256;      /* lanes of one processor: those of the trace, and further ones */

class Run {
    constructor(data, number, page) {
        Object.assign(this, data);
        this.number = number;
        this.page = page;
        this.nodes = 2 ** page.dimension;
        this.playable = Boolean(data.messages);
        if (this.playable)
            this.prepare();
        this.time = this.simulated ?? (this.playable ? this.last : 0);
    }

    prepare() {
        for (const name of ["messages", "activities", "holds"])
            this[name] = readTable(this[name]);
        this.last = this.activities.end.reduce((most, end) => Math.max(most, end), 0);
        this.indexMessages();
        this.indexLanes();
        this.indexPlaces();
        this.indexWaits();
        const {messages, activities: a, holds: h} = this;
        this.instants = Float64Array.from(new Set([0, this.simulated ?? 0, ...messages.issued, ...a.start, ...a.end,
                                                   ...h.start, ...h.end])).sort();
    }

    /* What is of each message, and when it was delivered; of each packet, where its transmission is. */
    indexMessages() {
        const a = this.activities, n = this.messages.n;
        this.ofMessage = Array.from({length: n}, () => []);
        this.delivered = new Float64Array(n).fill(Infinity);
        this.transmitOf = new Map();
        for (let i = 0; i < a.n; i++) {
            if (a.message[i] === NONE)
                continue;
            this.ofMessage[a.message[i]].push(i);
            if (a.kind[i] !== TRANSMIT)
                continue;
            const before = this.delivered[a.message[i]];
            this.transmitOf.set(a.number[i], i);
            this.delivered[a.message[i]] = before === Infinity ? a.end[i] : Math.max(before, a.end[i]);
        }
        this.deliveries = this.delivered.slice().sort();
    }

    /* What each processor did. What the trace has no row for gets a further lane, which the diagram does not show. */
    indexLanes() {
        const a = this.activities;
        this.lanes = new Map();
        this.rows = 1;
        for (let i = 0; i < a.n; i++) {
            let row = a.row[i];
            if (row === NONE)
                for (row = FURTHER; a.end[this.lanes.get(a.processor[i] * ROWS + row)?.at(-1)] > a.start[i]; row++)
                    ;
            else
                this.rows = Math.max(this.rows, row + 1);
            push(this.lanes, a.processor[i] * ROWS + row, i);
        }
    }

    /* Who held each channel and port, by its place(), one after the other; and the channels alone. */
    indexPlaces() {
        const h = this.holds, order = Array.from({length: h.n}, (_, i) => i).sort((i, j) => h.start[i] - h.start[j]);
        this.places = new Map();
        for (const i of order)
            push(this.places, this.place(h.from[i], h.to[i]), i);
        this.channels = [...this.places.values()]
            .filter(([i]) => h.from[i] !== NONE && h.to[i] !== NONE && h.from[i] !== h.to[i]);
    }

    place(from, to) {
        return (from + 1) * (this.nodes + 1) + to + 1;
    }

    /* All waits: when they begin and end, and when each message that waits does so first. */
    indexWaits() {
        const a = this.activities, firsts = new Map();
        this.waits = Array.from({length: a.n}, (_, i) => i).filter(i => a.kind[i] === WAIT);
        for (const i of this.waits)
            firsts.set(a.message[i], Math.min(a.start[i], firsts.get(a.message[i]) ?? Infinity));
        this.waitStarts = sortedWithSums(this.waits.map(i => a.start[i]));
        this.waitEnds = sortedWithSums(this.waits.map(i => a.end[i]));
        this.firstWaits = Float64Array.from(firsts.values()).sort();
    }

    /* --- at time t --- */

    /* How many messages have been issued, delivered and blocked up to t, how many wait, how long all have waited. */
    counts(t) {
        const starts = countUpTo(this.waitStarts.sorted, t), ends = countUpTo(this.waitEnds.sorted, t);
        return {
            issued: countUpTo(this.messages.issued, t),
            delivered: countUpTo(this.deliveries, t),
            blocked: countUpTo(this.firstWaits, t),
            waitingNow: starts - ends,
            waited: (starts - ends) * t - this.waitStarts.sums[starts] + this.waitEnds.sums[ends],
        };
    }

    /* The activities that go on, all but those between start-up and transmission; waits among them. */
    activeAt(t) {
        return [...this.lanes.values()].map(lane => rowAt(this.activities, lane, t)).filter(i => i !== NONE);
    }

    waitingAt(t) {
        return this.activeAt(t).filter(i => this.activities.kind[i] === WAIT);
    }

    /* The channels that are held. */
    heldAt(t) {
        return this.channels.map(lane => rowAt(this.holds, lane, t)).filter(i => i !== NONE);
    }

    /* What a message is doing: one of the kinds, or what it is waiting for or has come to. */
    phase(message, t) {
        const a = this.activities;
        if (t < this.messages.issued[message])
            return {text: "not yet issued"};
        if (t >= this.delivered[message])
            return {text: "delivered"};
        let packet = NONE;
        for (const i of this.ofMessage[message]) {
            if (a.start[i] <= t && t < a.end[i])
                return {kind: a.kind[i], activity: i, text: KIND_NAMES[a.kind[i]]};
            if (a.kind[i] === STARTUP && a.end[i] <= t)
                packet = a.number[i];
        }
        const transmit = this.transmitOf.get(packet);
        if (packet !== NONE && (transmit === undefined || t < a.start[transmit]))
            return {kind: CIRCUIT, text: "setting up its circuit"};
        return {text: packet === NONE ? "behind others at its send port" : "between two packets"};
    }

    /* The message that has what a wait is for, or NONE. */
    holder(wait, t) {
        const a = this.activities, lane = this.places.get(this.place(a.from[wait], a.to[wait])) ?? [];
        if (a.from[wait] === NONE && a.to[wait] === NONE)
            return a.blocker[wait];
        return this.holds.message[lane[nextRow(this.holds, lane, t)]] ?? NONE;
    }

    /* Who waits for whom: from the message to one that does not wait. [{message, wait, holder}] */
    chain(message, t) {
        const links = [], seen = new Set();
        for (let at = message; at !== NONE && !seen.has(at);) {
            const phase = this.phase(at, t);
            seen.add(at);
            if (phase.kind !== WAIT)
                break;
            links.push({message: at, wait: phase.activity, holder: this.holder(phase.activity, t)});
            at = links.at(-1).holder;
        }
        return links;
    }

    /* The messages that wait for what this one holds, and those that wait for them. */
    behind(message, t) {
        const waiting = this.waitingAt(t), found = [message];
        for (const held of found)
            found.push(...waiting.filter(wait => this.holder(wait, t) === held)
                .map(wait => this.activities.message[wait]).filter(one => !found.includes(one)));
        return found.slice(1);
    }

    /* The channels of a message's route, e-cube: the lowest dimension first. */
    route(message) {
        const nodes = [this.messages.source[message]], to = this.messages.destination[message];
        for (let bit = 1; bit < this.nodes; bit *= 2)
            if ((nodes.at(-1) ^ to) & bit)
                nodes.push(nodes.at(-1) ^ bit);
        return nodes;
    }

    /* The next or last instant at which something begins or ends. */
    instantAfter(t) {
        return this.instants[Math.min(countUpTo(this.instants, t), this.instants.length - 1)];
    }

    instantBefore(t) {
        return this.instants[Math.max(0, countUpTo(this.instants, Math.ceil(t) - 1) - 1)];
    }

    /* What a node did, or who held a channel or port and who waited for it, in the order of time. */
    history(node, from, to) {
        const a = this.activities, h = this.holds, lines = [];
        const put = ({start, end, message}, i, what) =>
            lines.push({start: start[i], end: end[i], message: message[i], what});
        for (const [lane, list] of node === undefined ? [] : this.lanes)
            if (Math.floor(lane / ROWS) === node)
                list.forEach(i => put(a, i, KIND_NAMES[a.kind[i]]));
        for (const i of node === undefined ? this.places.get(this.place(from, to)) ?? [] : [])
            put(h, i, "held by");
        for (const i of node === undefined ? this.waits : [])
            if (a.from[i] === from && a.to[i] === to)
                put(a, i, "waited for by");
        return lines.sort((one, other) => one.start - other.start);
    }

    messageName(message) {
        const m = this.messages, what = m.handshake[message] ? "handshake " : "message ";
        return what + message + ", " + m.source[message] + " to " + m.destination[message];
    }
}
