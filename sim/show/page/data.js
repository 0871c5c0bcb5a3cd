/* The data of the page: what ecube wrote into it, made ready to be asked "what is so at time t?".
 *
 * All times are whole picoseconds from the start of the run. Nothing here is simulated: whatever is shown of an instant
 * is looked up in what happened, so it does not matter from where the clock came there. */

const STARTUP = 0, WAIT = 2, TRANSMIT = 3, SHUFFLE = 4, COMPUTE = 5, BARRIER = 6;     /* kinds of activities */
const CIRCUIT = 7;                      /* between start-up and transmission: the header claims channels */
const KIND_NAMES = ["start-up", "", "waiting", "transmission", "shuffle", "arithmetic", "barrier", "circuit"];
const RANK = [3, 0, 6, 5, 2, 2, 1, 4];  /* [kind]: of what goes on at once, the highest is told */
const NONE = -1;

/* --- reading --- */

/* The n numbers of a column: differences, in pieces of 6 and 7 bits (sim/show/page.h). */
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

/* The first of n places that is `after`, as all behind it are; n if none is. */
function search(n, after) {
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

/* How many of the sorted numbers are <= t; and where in a lane is the first row that ends after t. */
const countUpTo = (sorted, t) => search(sorted.length, i => sorted[i] > t);
const nextRow = (table, lane, t) => search(lane.length, i => table.end[lane[i]] > t);

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
        const instants = [0, this.simulated ?? 0, ...this.messages.issued,
                          ...[this.activities, this.holds].flatMap(({start, end}) => [...start, ...end])];
        this.instants = Float64Array.from(new Set(instants)).sort();
    }

    /* The packets, by number and of each message, and when each message was delivered. */
    indexMessages() {
        const a = this.activities, rows = new Map(), holds = new Map();
        for (const i of a.kind.keys())
            if (a.message[i] !== NONE)
                push(rows, a.number[i], i);
        this.holds.number.forEach((number, i) => push(holds, number, this.holds.start[i]));
        this.packets = new Map();
        this.packetsOf = Array.from({length: this.messages.n}, () => []);
        for (const [number, list] of rows) {
            this.packets.set(number, this.packet(list, holds.get(number) ?? []));
            this.packetsOf[a.message[list[0]]].push(this.packets.get(number));
        }
        this.delivered = Float64Array.from(this.packetsOf, packets => packets.reduce((last, packet) =>
            Math.max(last, a.end[packet.transmit] ?? Infinity), packets.length ? 0 : Infinity));
        this.deliveries = this.delivered.slice().sort();
    }

    /* A packet: its activities, its transmission among them, and when its header left, behind others from its port. */
    packet(rows, holds) {
        const a = this.activities, find = kind => rows.find(i => a.kind[i] === kind) ?? NONE;
        const waits = rows.filter(i => a.kind[i] === WAIT).map(i => a.start[i]);
        const leaves = Math.max(a.end[find(STARTUP)], Math.min(...holds, ...waits));
        return {rows, leaves, transmit: find(TRANSMIT)};
    }

    /* What each processor did. What the trace has no row for gets a further lane, which the diagram does not show. */
    indexLanes() {
        const a = this.activities, of = this.lanes = new Map();
        this.rows = 1 + a.row.reduce((most, row) => Math.max(most, row), 0);
        this.hidden = a.row.filter(row => row === NONE).length;
        for (const i of a.kind.keys()) {
            let lane = a.processor[i] * ROWS + (a.row[i] === NONE ? FURTHER : a.row[i]);
            while (a.row[i] === NONE && a.end[of.get(lane)?.at(-1)] > a.start[i])
                lane++;
            push(of, lane, i);
        }
    }

    /* Who held each channel and port, by its place(), one after the other; and the channels alone. */
    indexPlaces() {
        const h = this.holds;
        this.places = new Map();
        for (const i of h.from.keys())
            push(this.places, this.place(h.from[i], h.to[i]), i);
        this.channels = [...this.places.values()]
            .filter(([i]) => h.from[i] !== NONE && h.to[i] !== NONE && h.from[i] !== h.to[i]);
    }

    place(from, to) {
        return (from + 1) * (this.nodes + 1) + to + 1;
    }

    /* All waits: when they begin and end, and when each message that waits does so first. */
    indexWaits() {
        const a = this.activities;
        this.waits = [...a.kind.keys()].filter(i => a.kind[i] === WAIT);
        const firsts = new Map(this.waits.map(i => [a.message[i], a.start[i]]).reverse());
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
            waitingNow: new Set(this.waitsAt(t).map(i => this.activities.message[i])).size,
            waited: (starts - ends) * t - this.waitStarts.sums[starts] + this.waitEnds.sums[ends],
        };
    }

    /* The activities that go on, all but those between start-up and transmission; waits among them. */
    activeAt(t) {
        return [...this.lanes.values()].map(lane => rowAt(this.activities, lane, t)).filter(i => i !== NONE);
    }

    waitsAt(t) {
        return this.activeAt(t).filter(i => this.activities.kind[i] === WAIT);
    }

    /* The channels that are held. */
    heldAt(t) {
        return this.channels.map(lane => rowAt(this.holds, lane, t)).filter(i => i !== NONE);
    }

    /* What the header of a packet pays for a channel. */
    hop(number) {
        const bytes = this.activities.bytes[this.packets.get(number).rows[0]];
        return bytes <= this.page.shortLimit ? this.page.hopShort : this.page.hop;
    }

    /* To which processor a transmission goes. */
    receiver(i) {
        const a = this.activities;
        return a.to[i] === NONE ? this.messages.destination[a.message[i]] : a.to[i];
    }

    /* What a packet is doing: one of the kinds, or nothing that takes its time. */
    packetPhase(packet, t) {
        const a = this.activities, now = packet.rows.find(i => a.start[i] <= t && t < a.end[i]);
        if (now !== undefined)
            return {kind: a.kind[now], activity: now, text: KIND_NAMES[a.kind[now]]};
        const circuit = packet.leaves <= t && t < (a.start[packet.transmit] ?? Infinity);
        return circuit ? {kind: CIRCUIT, text: "setting up its circuit"} : {};
    }

    /* What a message is doing: the same of one of its packets, or what it is waiting for or has come to. */
    phase(message, t) {
        if (t < this.messages.issued[message])
            return {text: "not yet issued"};
        if (t >= this.delivered[message])
            return {text: "delivered"};
        const packets = this.packetsOf[message], some = packets.some(one => this.activities.end[one.transmit] <= t);
        return packets.map(packet => this.packetPhase(packet, t))
            .reduce((best, one) => RANK[one.kind] > (RANK[best.kind] ?? 0) ? one : best,
                    {text: some ? "between two packets" : "behind others at its send port"});
    }

    /* The message, and the packet of it, if that is known, that has what a wait is for. */
    holder(wait, t) {
        const a = this.activities, h = this.holds, lane = this.places.get(this.place(a.from[wait], a.to[wait])) ?? [];
        if (a.from[wait] === NONE && a.to[wait] === NONE)
            return {message: a.blocker[wait]};
        const hold = lane[nextRow(h, lane, t)];
        return {message: h.message[hold] ?? NONE, packet: this.packets.get(h.number[hold])};
    }

    /* Who waits for whom: from the message to one that does not wait. [{message, wait, holder}] */
    chain(message, t) {
        const links = [], seen = new Set();
        for (let phase = this.phase(message, t); phase.kind === WAIT && !seen.has(phase.activity);) {
            const wait = phase.activity, holder = this.holder(wait, t);
            seen.add(wait);
            links.push({message: this.activities.message[wait], wait, holder: holder.message});
            phase = holder.packet ? this.packetPhase(holder.packet, t) : {};
        }
        return links;
    }

    /* The messages that wait for what this one holds, and those that wait for them. */
    behind(message, t) {
        const a = this.activities, found = [];
        let waits = this.waitsAt(t).map(wait => ({wait, ...this.holder(wait, t)}));
        for (let next = waits.filter(one => one.message === message); next.length;) {
            const packets = next.map(({wait}) => this.packets.get(a.number[wait]));
            found.push(...next.map(({wait}) => a.message[wait]));
            waits = waits.filter(one => !next.includes(one));
            next = waits.filter(one => packets.includes(one.packet));
        }
        return [...new Set(found)].filter(one => one !== message);
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
        const a = this.activities, holds = this.places.get(this.place(from, to)) ?? [];
        const line = ({start, end, message}, i, what) => ({start: start[i], end: end[i], message: message[i], what});
        const lines = node !== undefined
            ? [...a.kind.keys()].filter(i => a.processor[i] === node).map(i => line(a, i, KIND_NAMES[a.kind[i]]))
            : [...holds.map(i => line(this.holds, i, "held by")),
               ...this.waits.filter(i => a.from[i] === from && a.to[i] === to).map(i => line(a, i, "waited for by"))];
        return lines.sort((one, other) => one.start - other.start);
    }

    messageName(message) {
        const m = this.messages, what = m.handshake[message] ? "handshake " : "message ";
        return what + message + ", " + m.source[message] + " to " + m.destination[message];
    }
}
