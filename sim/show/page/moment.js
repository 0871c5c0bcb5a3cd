/* The state of a run at one time. It is looked up in the trace, so it does not depend on where the clock came from. */

import {CIRCUIT, RECEIVE, WAIT, countUpTo, nextRow, placeName} from "./trace.js";
import {NONE} from "./network.js";

const DOING = ["starting up", "", "waiting", "transmitting"];       /* [kind] */
const RANK = [3, 0, 6, 5, 2, 2, 1, 4, 0, 3, 4];    /* [kind]: of what goes on at once, the highest is shown */

/* Returns the rows that cover t, at most one of each lane. A lane is a list of rows that follow each other in time. */
export function rowsAt(table, lanes, t) {
    return Array.from(lanes, lane => lane[nextRow(table, lane, t)]).filter(i => table.start[i] <= t);
}

export class Moment {
    /* `pieces` are the activities at t, as the diagram shows them: [{i, kind, processor, start, end}]. */
    constructor(trace, t) {
        const {kind, circuit: start, end, message} = trace.activities, pieces = [];
        const active = rowsAt(trace.activities, trace.lanes.values(), t), waits = active.filter(i => kind[i] === WAIT);
        Object.assign(this, {trace, t, active, waits, pieces, waiting: new Set(waits.map(i => message[i])),
                             held: rowsAt(trace.holds, trace.channels, t)});
        for (const row of rowsAt({start, end}, trace.lanes.values(), t))
            trace.eachPiece(row, (i, what, processor, from, to) => from <= t && t < to
                && pieces.push({i, kind: what, processor, start: from, end: to}));
    }

    /* Counts the messages issued, delivered and blocked up to t, and waiting at t; and how long all have waited. */
    counts() {
        const {trace, t} = this, {start, end} = trace.activities;
        return {
            issued: countUpTo(trace.messages.issued, t), delivered: countUpTo(trace.deliveries, t),
            blocked: countUpTo(trace.firstWaits, t), waitingNow: this.waiting.size,
            waited: trace.waits.reduce((sum, i) => sum + Math.max(0, Math.min(t, end[i]) - start[i]), 0),
        };
    }

    /* Returns the present activity of a packet, or {} if it has none. */
    packetPhase({rows}) {
        const {trace: {activities: a}, t} = this, now = rows.find(i => a.circuit[i] <= t && t < a.end[i]);
        return now === undefined ? {} : t < a.start[now] ? {kind: CIRCUIT, text: "setting up its circuit"}
            : {kind: a.kind[now], activity: now, text: DOING[a.kind[now]]};
    }

    /* Returns the phase of a message: the activity of one of its packets, its wait, or what it has come to. */
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

    /* Returns the message and, if known, the packet that holds the place that `wait` is for. */
    holder(wait) {
        const {trace, trace: {activities: a, holds: h}} = this;
        const lane = trace.places.get(trace.place(a.from[wait], a.to[wait])) ?? [];
        if (a.from[wait] === NONE && a.to[wait] === NONE)
            return {message: a.blocker[wait]};
        const hold = lane[nextRow(h, lane, this.t)];
        return {message: h.message[hold] ?? NONE, packet: trace.packets.get(h.number[hold])};
    }

    /* Returns the chain of waits from `message` to a message that does not wait: [{message, wait, holder}]. */
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

    /* Returns the message with the longest chain; undefined if none waits. */
    longest() {
        return largest(this.waits.map(wait => this.trace.activities.message[wait]), one => this.chain(one).length);
    }

    /* Returns the messages that wait behind this one, and those behind them. */
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

    /* Returns [node]: its activity (a queue for its port ranks last), whether it receives, whether spreading data
     * reached it. */
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

    /* Returns the activity of the packet that holds a channel. */
    holdPhase(hold) {
        return this.packetPhase(this.trace.packets.get(this.trace.holds.number[hold]));
    }

    /* Returns the step of the message issued last; messages are numbered in the order of issue. */
    step() {
        return this.trace.messages.step[countUpTo(this.trace.messages.issued, this.t) - 1];
    }

    /* Describes a processor or a channel, line by line. */
    describe({node, from, to}) {
        const {trace, trace: {activities: a, holds: h}} = this;
        const ofIt = table => i => table.from[i] === from && table.to[i] === to;
        const lines = node !== undefined ? ["processor " + node,
            ...this.pieces.filter(({processor}) => processor === node).map(piece => trace.tell(piece))] : [
            placeName(from, to), ...this.held.filter(ofIt(h)).map(i => "held by " + trace.messageName(h.message[i])),
            ...this.waits.filter(ofIt(a)).map(i => trace.messageName(a.message[i]) + " waits for it")];
        return lines.join("\n");
    }

    /* Returns the selected message, if any, and the messages that it waits for. */
    chosen(message) {
        const chain = message === undefined ? [] : this.chain(message);
        return new Set([message ?? NONE, ...chain.map(link => link.holder)].filter(one => one !== NONE));
    }
}

/* Returns the first element with the largest number; undefined if the list is empty. */
export function largest(list, number) {
    const numbers = list.map(number);
    return list[numbers.indexOf(numbers.reduce((most, one) => Math.max(most, one), -Infinity))];
}

/* Returns the waits with which messages begin to wait, not those that go on behind the next holder of a place. */
export function firstPieces(trace) {
    const {number, start, end} = trace.activities, ends = new Map();
    return trace.firstPieces ??= trace.waits.filter(i => {
        const goesOn = ends.get(number[i]) === start[i];
        ends.set(number[i], end[i]);
        return !goesOn;
    });
}

/* Returns the first instant at which most messages wait; undefined if none does. */
export const mostWaiting = trace => largest([...trace.waitStarts], t => trace.waitingIn(t));

/* Returns the dimensions of the subcubes of a step's phase, as bits; 0 if they are unknown or all. */
export function phaseBits({steps: {phase, bits}, nodes}, step) {
    const all = bits.reduce((sum, one, k) => phase[k] === phase[step] ? sum | one : sum, 0);
    return all === nodes - 1 ? 0 : all;
}

/* Describes a step, without its number: "offset 13; phase 2 of 2, subcubes of dimensions 0, 1, 2". */
export function stepText(trace, step) {
    const {phase, offset} = trace.steps, bits = phaseBits(trace, step);
    const dimensions = [...Array(32).keys()].filter(bit => bits >>> bit & 1);
    return [offset[step] ? "offset " + offset[step] : "", bits ? "phase " + phase[step] + " of " + phase.at(-1)
        + ", subcubes along dimension" + (dimensions.length > 1 ? "s " : " ") + dimensions.join(", ") : ""].filter(Boolean).join("; ");
}

/* Returns the moment of a trace at t, which is computed again only if t changes. */
export function momentOf(trace, t) {
    if (trace.moment?.t !== t)
        trace.moment = new Moment(trace, t);
    return trace.moment;
}
