/* Words that users type to find something in a run, and the selection that they mean. */

import {NONE} from "./network.js";
import {blockOf} from "./arrivals.js";

const messageOf = (run, number) => number < run.messages.n ? {message: number} : null;
const nodeOf = (run, number) => number < run.nodes ? {node: number} : null;
const placeOf = (run, from, to) => run.places.has(run.place(from, to)) ? {from, to} : null;

/* Returns the message after `present`, so that the same words find all messages between two processors in turn. */
function betweenOf({messages: {source, destination}}, from, to, present) {
    const all = [...source.keys()].filter(i => source[i] === from && destination[i] === to);
    return all.length ? {message: all.find(i => i > present) ?? all[0]} : null;
}

/* Returns the block from one processor to another, and its first message. */
function followed(run, from, to) {
    const block = blockOf(run, from, to);
    return block ? {message: block.messages[0], block: [from, to]} : null;
}

const FORMS = [
    [/^block (\d+)(?: to | )(\d+)$/, followed],
    [/^(?:channel )?(\d+) ?(?:->|\u2192| |,) ?(\d+)$/, placeOf],
    [/^(?:the )?receive port of (\d+)$/, (run, node) => placeOf(run, node, node)],
    [/^(?:p|n|node|(?:the )?(?:send )?port of|(?:\w+ of |barrier, )?processor) ?(\d+)(?: the last)?$/, nodeOf],
    [/^(?:messages? |from )*(\d+) to (\d+)$/, betweenOf],
    [/^(?:message |handshake |m ?)?(\d+)(?:,.*)?$/, messageOf],
];

/* Returns the selection that `text` means, or null if the run has none. `message` is the one selected now. */
export function found(run, text, message = NONE) {
    const words = text.trim().replace(/\s+/g, " ").toLowerCase(), form = FORMS.find(([pattern]) => pattern.test(words));
    return form ? form[1](run, ...form[0].exec(words).slice(1).map(Number), message) : null;
}
