/* What holds in a run at one time. It is looked up in the trace, so it does not matter from where the clock came. */

import {CIRCUIT, KIND_NAMES, NONE, RECEIVE, WAIT, countUpTo, nextRow, placeName} from "./trace.js";

const RANK = [3, 0, 6, 5, 2, 2, 1, 4];  /* [kind]: of what goes on at once, the highest is shown */

/* The rows that cover t: one of each lane at most. A lane has rows of a table one after the other. */
export function rowsAt(table, lanes, t) {
    return Array.from(lanes, lane => lane[nextRow(table, lane, t)]).filter(i => table.start[i] <= t);
}

export class Moment {
    /* `pieces` are all that goes on, as the diagram shows it: [{i, kind, processor, start, end}]. */
    constructor(trace, t) {
        const {kind, circuit: start, end} = trace.activities, pieces = [];
        const active = rowsAt(trace.activities, trace.lanes.values(), t), waits = active.filter(i => kind[i] === WAIT);
        Object.assign(this, {trace, t, active, waits, pieces, held: rowsAt(trace.holds, trace.channels, t)});
        for (const row of rowsAt({start, end}, trace.lanes.values(), t))
            trace.eachPiece(row, (i, what, processor, from, to) => from <= t && t < to
                && pieces.push({i, kind: what, processor, start: from, end: to}));
    }

    /* How many messages have been issued, delivered and blocked up to t, how many wait, how long all have waited. */
    counts() {
        const {trace, t} = this, {start, end} = trace.activities;
        return {
            issued: countUpTo(trace.messages.issued, t),
            delivered: countUpTo(trace.deliveries, t),
            blocked: countUpTo(trace.firstWaits, t),
            waitingNow: new Set(this.waits.map(i => trace.activities.message[i])).size,
            waited: trace.waits.reduce((sum, i) => sum + Math.max(0, Math.min(t, end[i]) - start[i]), 0),
        };
    }

    /* What a packet is doing: one of the kinds, or nothing that takes its time. */
    packetPhase({rows}) {
        const {trace: {activities: a}, t} = this, now = rows.find(i => a.circuit[i] <= t && t < a.end[i]);
        return now === undefined ? {} : t < a.start[now] ? {kind: CIRCUIT, text: "setting up its circuit"}
            : {kind: a.kind[now], activity: now, text: KIND_NAMES[a.kind[now]]};
    }

    /* What a message is doing: the same of one of its packets, or what it is waiting for or has come to. */
    phase(message) {
        const {trace, t} = this;
        if (t < trace.messages.issued[message])
            return {text: "not yet issued"};
        if (t >= trace.delivered[message])
            return {text: "delivered"};
        const packets = trace.packetsOf[message], some = packets.some(one => trace.activities.end[one.transmit] <= t);
        return packets.map(packet => this.packetPhase(packet))
            .reduce((best, one) => RANK[one.kind] > (RANK[best.kind] ?? 0) ? one : best,
                    {text: some ? "between two packets" : "behind others at its send port"});
    }

    /* The message, and the packet of it, if that is known, that has what a wait is for. */
    holder(wait) {
        const {trace, trace: {activities: a, holds: h}} = this;
        const lane = trace.places.get(trace.place(a.from[wait], a.to[wait])) ?? [];
        if (a.from[wait] === NONE && a.to[wait] === NONE)
            return {message: a.blocker[wait]};
        const hold = lane[nextRow(h, lane, this.t)];
        return {message: h.message[hold] ?? NONE, packet: trace.packets.get(h.number[hold])};
    }

    /* Which message waits for which, from this one to one that does not wait: [{message, wait, holder}]. */
    chain(message) {
        const links = [], seen = new Set();
        for (let phase = this.phase(message); phase.kind === WAIT && !seen.has(phase.activity);) {
            const wait = phase.activity, holder = this.holder(wait);
            seen.add(wait);
            links.push({message: this.trace.activities.message[wait], wait, holder: holder.message});
            phase = holder.packet ? this.packetPhase(holder.packet) : {};
        }
        return links;
    }

    /* The message that waits in the longest chain; undefined if none waits. */
    longest() {
        return largest(this.waits.map(wait => this.trace.activities.message[wait]), one => this.chain(one).length);
    }

    /* The messages that wait for what this one holds, and those that wait for them. */
    behind(message) {
        const {activities: a, packets: all} = this.trace, found = [];
        let waits = this.waits.map(wait => ({wait, ...this.holder(wait)}));
        for (let next = waits.filter(one => one.message === message); next.length;) {
            const packets = next.map(({wait}) => all.get(a.number[wait]));
            found.push(...next.map(({wait}) => a.message[wait]));
            waits = waits.filter(one => !next.includes(one));
            next = waits.filter(one => packets.includes(one.packet));
        }
        return [...new Set(found)].filter(one => one !== message);
    }

    /* [node]: what it does (rather than that messages queue for its port), whether it receives, and whether data that
     * spreads has reached it. */
    nodeStates() {
        const {trace, trace: {activities: {from, to}, delivered, messages, page: {source}}} = this;
        const reached = new Set(source === null ? []
            : [source, ...messages.destination.filter((_, message) => delivered[message] <= this.t)]);
        const states = Array.from({length: trace.nodes}, (_, node) => ({rank: 0, reached: reached.has(node)}));
        for (const {i, kind, processor} of this.pieces) {
            const state = states[processor], queues = kind === WAIT && (from[i] === NONE || to[i] === NONE);
            const rank = queues ? 0.5 : RANK[kind];
            state.receives ||= kind === RECEIVE;
            if (rank > state.rank)
                Object.assign(state, {kind, rank});
        }
        return states;
    }

    /* What the packet is doing that holds a channel. */
    holdPhase(hold) {
        return this.packetPhase(this.trace.packets.get(this.trace.holds.number[hold]));
    }

    /* The step of the message that was issued last; messages are numbered in the order of issue. */
    step() {
        return this.trace.messages.step[countUpTo(this.trace.messages.issued, this.t) - 1];
    }

    /* What there is to say of a processor or a channel, line by line. */
    describe({node, from, to}) {
        const {trace, trace: {activities: a, holds: h}} = this;
        const ofIt = table => i => table.from[i] === from && table.to[i] === to;
        const lines = node !== undefined ? ["processor " + node,
            ...this.pieces.filter(({processor}) => processor === node).map(piece => trace.tell(piece))] : [
            placeName(from, to), ...this.held.filter(ofIt(h)).map(i => "held by " + trace.messageName(h.message[i])),
            ...this.waits.filter(ofIt(a)).map(i => trace.messageName(a.message[i]) + " waits for it")];
        return lines.join("\n");
    }

    /* A message that is selected, if one is, and those that it waits for. */
    chosen(message) {
        const chain = message === undefined ? [] : this.chain(message);
        return new Set([message ?? NONE, ...chain.map(link => link.holder)].filter(one => one !== NONE));
    }
}

/* The first of those of which a number is largest; undefined if there is none. */
export function largest(list, number) {
    const numbers = list.map(number);
    return list[numbers.indexOf(numbers.reduce((most, one) => Math.max(most, one), -Infinity))];
}

/* The waits with which a message begins to wait: not those that go on with the next holder of what is waited for. */
export function firstPieces(trace) {
    const {number, start, end} = trace.activities, ends = new Map();
    return trace.firstPieces ??= trace.waits.filter(i => {
        const goesOn = ends.get(number[i]) === start[i];
        ends.set(number[i], end[i]);
        return !goesOn;
    });
}

/* The first instant at which most messages wait; undefined if none does. */
export const mostWaiting = trace => largest([...trace.waitStarts], t => trace.waitingIn(t));

/* The dimensions of the subcubes that a step's phase works in, as bits; 0 if that is not known, or the cube. */
export function phaseBits({steps: {phase, bits}, nodes}, step) {
    const all = bits.reduce((sum, one, k) => phase[k] === phase[step] ? sum | one : sum, 0);
    return all === nodes - 1 ? 0 : all;
}

/* What there is to say of a step beside its number: "offset 13; phase 2 of 2, subcubes of dimensions 0, 1, 2". */
export function stepText(trace, step) {
    const {phase, offset} = trace.steps, bits = phaseBits(trace, step);
    const dimensions = [...Array(32).keys()].filter(bit => bits >>> bit & 1);
    return [offset[step] ? "offset " + offset[step] : "", bits ? "phase " + phase[step] + " of " + phase.at(-1)
        + ", subcubes of dimensions " + dimensions.join(", ") : ""].filter(Boolean).join("; ");
}

/* The moment of a trace at t, which is computed once while t stays the same. */
export function momentOf(trace, t) {
    if (trace.moment?.t !== t)
        trace.moment = new Moment(trace, t);
    return trace.moment;
}
