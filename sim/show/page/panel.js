/* The panel about the selection, and the line about the present above a picture. */

import {WAIT, placeName, ps} from "./trace.js";
import {NONE} from "./network.js";
import {momentOf, stepText} from "./moment.js";
import {action, element, explained} from "./facts.js";
import {tellBlocks} from "./blocks.js";
import {blockOf, followBlock, tellArrived} from "./arrivals.js";

const LISTED = 30, LINKS = 10;          /* messages of a list, links of a chain */

/* Whether the story asks before it answers: until its last page nothing says in which run messages wait. */
export const predicts = () => document.body.classList.contains("predict");

export class Panel {
    /* `state` has the time, the shown runs and the selection; `select(run, selection, t)` changes it. */
    constructor(state, select) {
        Object.assign(this, {state, select});
    }

    /* Returns the label of the run if two are shown. */
    which(run) {
        return this.state.shown.length > 1 ? run.label + ": " : "";
    }

    /* Returns the counts of a run at the present instant, in words. */
    now(run) {
        const {t} = this.state, moment = momentOf(run, t), {waitingNow, blocked, waited} = moment.counts();
        const over = run.simulated !== undefined && t >= run.simulated ? "; over after " + ps(run.simulated) : "";
        const waits = run.waits.length === 0 && !predicts() ? "No message waits in this run."
            : waitingNow + (waitingNow === 1 ? " message waits now" : " messages wait now") + (waited && !predicts() ? "; " + blocked + " have waited so far, " + ps(waited) + " in all." : ".");
        const step = stepText(run, moment.step());
        return (run.fault ? run.fault + " " : "") + tellArrived(run, t) + " have arrived" + over + ". " + waits + (step && " Step " + moment.step() + ": " + step + ".");
    }

    tell() {
        const {selected: run, selection} = this.state;
        return !selection ? this.tellWaiting() : selection.message === undefined ? this.tellPlace(run, selection)
            : [...selection.block ? this.tellBlock(run, selection.block) : [], ...this.tellMessage(run, selection.message)];
    }

    /* Describes the way of a block: what it does now, and its messages, which are links to when they set out. */
    tellBlock(run, block) {
        const {t} = this.state, {messages} = blockOf(run, ...block), {text, message} = followBlock(momentOf(run, t), block);
        return [element("h2", {}, this.which(run) + "block " + block.join(" to ")), element("p", {class: "phase"}, "Now: " + text + "."),
            element("ol", {}, ...messages.map(one => element("li", one === message ? {class: "current"} : {},
                action(ps(run.messages.issued[one]) + " " + run.messageName(one),
                       () => this.select(run, {message: one, block}, run.messages.issued[one])))))];
    }

    /* Lists how many messages there are, and the first of them as links; nothing if there is none. */
    tellMessages(words, run, messages) {
        return messages.length === 0 ? [] : [element("p", {}, this.which(run) + messages.length + " " + words),
            element("ul", {}, ...messages.slice(0, LISTED).map(message => this.tellName(run, message)))];
    }

    link = (run, message) => action(run.messageName(message), () => this.select(run, {message}));
    tellName = (run, message, ...words) => element("li", {}, this.link(run, message), ...words);

    tellWaiting() {
        const {shown, t} = this.state, hint = "Choose a message, a processor or a channel in the pictures, or find it: "
            + "message 1, 1 to 0, processor 1, 1->0.";
        return [element("p", {}, hint), ...shown.flatMap(run => this.tellMessages("waiting now", run,
            momentOf(run, t).waits.map(wait => run.activities.message[wait])))];
    }

    /* Describes a message: its phase, the chain of messages that it waits for, and those that wait behind it. */
    tellMessage(run, message) {
        const moment = momentOf(run, this.state.t), {kind, text, activity} = moment.phase(message);
        const wait = kind === WAIT
            ? [" for ", explained(run.wanted(activity)), ", since " + ps(run.activities.start[activity])] : [];
        return [element("h2", {}, this.which(run) + run.messageName(message)),
            element("p", {class: "phase"}, "Now: " + text, ...wait, "."),
            element("p", {}, tellBlocks(moment, {message})),
            ...this.tellChain(run, message, moment), element("p", {}, this.history(run, message)),
            ...this.tellMessages("waiting behind it", run, moment.behind(message))];
    }

    /* Describes the bytes, the route and the times of a message. */
    history(run, message) {
        const m = run.messages, delivered = run.delivered[message];
        return run.bytesOf(message) + "\u00a0bytes, step " + [m.step[message], stepText(run, m.step[message])].filter(String).join(": ")
            + "; route " + run.route(message).join(" \u2192 ") + ". Issued at " + ps(m.issued[message]) + ", delivered "
            + (delivered < Infinity ? "at " + ps(delivered) : "never") + ".";
    }

    /* Describes the chain, its end first: that is why all the others wait. */
    tellChain(run, message, moment) {
        const chain = moment.chain(message), last = chain.at(-1)?.holder ?? NONE;
        if (chain.length === 0)
            return [];
        const end = last === NONE ? "" : element("p", {class: "root"}, "Root cause: ", this.link(run, last),
            last === message ? ", of which this is another packet" : ". It is " + moment.phase(last).text + ".");
        const links = chain.slice(0, LINKS).map(({message: one, wait}) =>
            this.tellName(run, one, " waits for ", explained(run.wanted(wait))));
        const more = chain.length > LINKS ? element("li", {}, chain.length - LINKS + " more wait in turn") : "";
        return [end, element("p", {}, "Each waits for what the next one has:"), element("ol", {}, ...links, more,
            last === NONE ? "" : this.tellName(run, last, " holds it"))];
    }

    /* Describes the history of a processor or channel around the present instant. */
    tellPlace(run, {node, from, to}) {
        const {t} = this.state, lines = run.history(node, from, to), over = lines.findIndex(line => line.end > t);
        const first = Math.max(0, (over < 0 ? lines.length : over) - 4);
        return [element("h2", {}, this.which(run) + (node !== undefined ? "processor " + node : placeName(from, to))),
            element("p", {}, tellBlocks(momentOf(run, t), {node})),
            element("p", {}, "entries: " + lines.length + "; around now:"),
            element("ol", {start: first + 1}, ...lines.slice(first, first + 24).map(({start, end, message, what}) =>
                element("li", start <= t && t < end ? {class: "current"} : {},
                    action(ps(start) + " " + what + (message === NONE ? "" : " " + run.messageName(message)),
                           () => this.select(run, message === NONE ? {node} : {message}, start)))))];
    }
}
