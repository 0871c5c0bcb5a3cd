/* The story of a run in a few steps. Each has a moment, a selection and a sentence, which are looked up in the run. */

import {countUpTo, placeName, ps, search} from "./trace.js";
import {NONE} from "./network.js";
import {largest, momentOf, mostWaiting} from "./moment.js";
import {tellArrived} from "./arrivals.js";

/* Returns [the receiver, their number] of more than half of the messages issued by t, or undefined. */
function commonReceiver(run, t) {
    const {destination, issued} = run.messages, n = countUpTo(issued, t);
    const counts = Map.groupBy(destination.slice(0, n), to => to), most = largest([...counts], ([, all]) => all.length);
    return n > 2 && most[1].length > n / 2 ? [most[0], most[1].length] : undefined;
}

/* Returns the message of the critical path with the longest transmission, and the middle of that: {message, t}. */
function longestTransmission(run) {
    const a = run.activities, rows = (run.path ?? []).filter(link => link.message !== NONE)
        .flatMap(link => run.packetsOf[link.message].map(packet => packet.transmit)).filter(i => i !== NONE);
    const row = largest(rows, i => a.end[i] - a.start[i]);
    return row === undefined ? undefined : {message: a.message[row], t: (a.start[row] + a.end[row]) / 2};
}

function tellBeginning(run, t) {
    const common = commonReceiver(run, t), n = countUpTo(run.messages.issued, t);
    return "At first " + n + " messages set out, " + (common ? common[1] + " of them to processor " + common[0]
        + ", which receives one at a time." : "each on its own way.");
}

function tellChain(run, {t, message, held, wanted, waiting}) {
    const {from, to} = run.holds, holds = held.map(i => placeName(from[i], to[i])).join(" and ");
    return "At " + ps(t) + " " + waiting + (waiting === 1 ? " message waits" : " messages wait")
        + ", the most of this run. " + capital(run.messageName(message)) + ", "
        + (holds && "holds " + holds + " and ") + "waits for " + wanted + ".";
}

/* Says that the first receive port has received all when many have received nothing, if none is busy for long. */
function tellPorts({cause, places, time, holds: {from, to, start, end}}) {
    const ports = [...places.values()].filter(([i]) => from[i] >= 0 && from[i] === to[i]), done = largest(ports, rows => -end[rows.at(-1)]);
    const busy = Math.max(...ports.map(rows => rows.reduce((sum, i) => sum + end[i] - start[i], 0)));
    const t = end[done?.at(-1)], idle = ports.filter(([i]) => start[i] > t).length;
    return !/receive port/.test(cause) || busy > time / 2 || idle < ports.length / 4 ? "" : "No receive port is busy for more than "
        + ps(busy) + ", " + (100 * busy / time).toFixed(1) + " % of the run, but at " + ps(t) + ", when that of " + to[done[0]]
        + " has received all, " + idle + " of " + ports.length + " have received nothing.";
}

/* Returns a step that asks for a prediction. */
const ask = (run, t, text) => ({run, t, selection: null, asks: true, text: "Predict: " + text});

/* Returns the steps in which messages wait: the beginning, the longest chain, its root, what that costs. */
function waitingSteps(run, fast, words) {
    const t = mostWaiting(run), moment = momentOf(run, t), message = moment.longest(), chain = moment.chain(message);
    const [{wait}] = chain, {holder} = chain.at(-1);
    const held = moment.held.filter(i => run.holds.message[i] === message);
    const first = run.instants.find(at => at > 0 && countUpTo(run.messages.issued, at) > 0) ?? 0;
    const root = holder === NONE ? chain.at(-1).message : holder;
    const steps = [
        {run, t: Math.min(first, t), selection: null, text: tellBeginning(run, Math.min(first, t))},
        ask(run, Math.min(first, t), "how many messages will wait at once, at most, and what is at the root of that?"),
        {run, t, selection: {message}, text: tellChain(run, {t, message, held,
            waiting: moment.counts().waitingNow, wanted: run.wanted(wait)})},
        {run, t, selection: {message: root}, text: "At the end of this chain of " + chain.length
            + (chain.length === 1 ? " wait is " : " waits is ") + run.messageName(root)
            + ", which waits for nothing: it is " + moment.phase(root).text + ". It is the root cause."},
        {run, t, selection: null, text: [run.cause, tellPorts(run), run.dead].filter(Boolean).join(" ").replaceAll(" %", "\u00a0%")}];
    return [...steps, ...raceSteps(run, fast, t), ...lastStep(run, words)];
}

/* Returns the step at half of the time of the run beside it, if there is one, and the question before it. */
function raceSteps(run, fast, t) {
    const middle = Math.round((fast?.time ?? 0) / 2);
    return !fast?.playable || fast === run ? [] : [
        ask(run, t, "which has delivered more when half of the time of " + fast.label + " is over?"),
        {run, t: middle, selection: null, text: "At " + ps(middle) + " " + deliveredBy(run, middle) + "; "
            + deliveredBy(fast, middle) + "."}];
}

const capital = text => text.charAt(0).toUpperCase() + text.slice(1);
const lastStep = (run, words) => words ? [{run, t: run.time, selection: null, text: words}] : [];

const deliveredBy = (run, t) => {
    const {waitingNow: n} = momentOf(run, t).counts();
    return run.label + " has delivered " + tellArrived(run, t) + (n ? ", and " + n + (n === 1 ? " message waits" : " messages wait") : "");
};

/* Returns what is sent, in words: "Each processor sends 6 messages of 64 bytes, and none waits." */
function tellSending(run) {
    const {n, source, handshake} = run.messages, sent = Array.from({length: n}, (_, i) => i).filter(i => !handshake[i]);
    const sizes = sent.map(i => run.bytesOf(i)), most = largest(sizes, size => size), senders = Map.groupBy(sent, i => source[i]);
    const alike = senders.size === run.nodes && [...senders.values()].every(list => list.length === sent.length / run.nodes);
    const number = alike ? sent.length / run.nodes : sent.length;
    return n === 0 ? "No message is sent." : (alike ? "Each processor sends " : "In all there are ") + number
        + (number === 1 ? " message of " : " messages of ") + (sizes.every(size => size === most) ? "" : "up to ") + most
        + "\u00a0bytes" + (n === 2 * sent.length ? ", a handshake before each" : "") + ", and none waits.";
}

/* Returns the steps of a run in which nothing waits. */
function calmSteps(run, fast, words) {
    const longest = longestTransmission(run), t = longest?.t ?? 0;
    return [{run, t, selection: longest ? {message: longest.message} : null, text: tellSending(run)
        + (longest ? " This is the longest transmission of the critical path." : "")},
    ...raceSteps(run, fast, t),
    {run, t: run.time, selection: null, path: true, text: run.path?.length + " steps of the critical path, each of which let the "
        + "next one begin, add up to " + ps(run.time) + "."}, ...lastStep(run, words)];
}

/* Returns the steps: [{run, t, selection, text}]. `fast` is the run beside it; `words` say what made the difference. With
 * `predicts` there are steps that ask before others answer. */
export function storyOf(run, fast, words, predicts) {
    const steps = run.waits.length ? waitingSteps(run, fast, words) : calmSteps(run, fast, words);
    const first = fast?.playable && fast !== run ? "which is faster, " + run.label + " or " + fast.label + ", and why?"
        : "does a message wait in this run?";
    return predicts ? [ask(run, 0, first), ...steps] : steps.filter(step => !step.asks);
}

/* The pace of the clock: half of it follows time, and half the events, so that it slows down where much happens. */
export class Pace {
    constructor(instants, end) {
        Object.assign(this, {instants, end});
    }

    /* Returns the share of the way, from 0 to 1, at the instant of number k. */
    share(k) {
        const {instants, end} = this;
        return k < 0 ? 0 : (Math.min(1, instants[k] / end) + (k + 1) / instants.length) / 2;
    }

    /* Returns the share of the way at t. */
    of(t) {
        const {instants} = this, k = countUpTo(instants, t) - 1, from = Math.max(0, instants[k] ?? 0);
        const next = instants[k + 1], low = this.share(k);
        return next === undefined ? 1 : low + (this.share(k + 1) - low) * (t - from) / (next - from);
    }

    /* Returns the time at a share of the way. */
    at(share) {
        const {length: n} = this.instants, high = Math.min(n - 1, search(n, k => this.share(k) >= share)), low = high - 1;
        const from = this.instants[low] ?? 0, [before, after] = [low, high].map(k => this.share(k));
        return Math.min(this.end, from + (this.instants[high] - from) * Math.max(0, Math.min(1, (share - before) / (after - before || 1))));
    }
}
