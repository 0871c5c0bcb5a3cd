/* What is written beside the pictures: the key of colours, and what in the tables can be chosen. All text goes through
 * textContent, so that no title or path can be anything but text. The tables are written by page_static.c. */

import {GRAPH_MAX} from "./graph.js";

export const $ = id => document.getElementById(id);

function fill(node, attributes, children) {
    for (const [key, value] of Object.entries(attributes))
        node.setAttribute(key, value);
    node.append(...children.filter(child => child !== null));
    return node;
}

export const element = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);

/* Text that does something when it is chosen, if the page can play the run that it is about. */
export function action(run, text, act) {
    if (!run.playable)
        return text;
    const button = element("button", {class: "link"}, text);
    button.onclick = act;
    return button;
}

/* One line of a key of colours. */
function sample(colour, text) {
    const box = element("span", {class: "sample"});
    box.style.background = colour;
    return element("li", {}, box, text);
}

export function showKey(page) {
    const waiting = page.processors > GRAPH_MAX ? "full cells are held, half cells waited for"
        : "dashed what is held, dotted what is waited for";
    const kinds = {startup: "start-up", circuit: "setting up a circuit", hatch: "waiting: " + waiting,
                   transmit: "transmission", receive: "reception", shuffle: "shuffle", compute: "arithmetic",
                   barrier: "barrier", ...page.source === null ? {} : {grown: "where the data has been"}};
    $("key").append(...Object.entries(kinds).map(([name, text]) =>
        sample("var(--" + name + ")", text)));
}

/* What a cell of a table names, "message 3, 3 to 0", "channel 2->0", "receive port of 0", as a selection; or null. */
function named(text) {
    const [one, other] = (text.match(/\d+/g) ?? []).map(Number);
    const what = {message: {message: one}, handshake: {message: one}, channel: {from: one, to: other},
                  receive: {from: one, to: one}, send: {node: one}, port: {node: one}, shuffle: {node: one},
                  arithmetic: {node: one}, barrier: {node: one}}[text.match(/^\w+/)?.[0]];
    return one === undefined ? null : what ?? null;
}

/* What the tables of a run name can be chosen there. A message of the critical path is chosen at its time. */
export function linkTables(runs, choose) {
    document.querySelectorAll(".card").forEach((card, number) => {
        const run = runs[number];
        for (const cell of card.querySelectorAll("td.left")) {
            const what = named(cell.textContent), link = run.path?.find(one => one.message === what?.message);
            if (what)
                cell.replaceChildren(action(run, cell.textContent, () => choose(run, what, link?.start)));
        }
    });
}

/* What is explained at the end of the page is explained where it heads a table, too. */
export function explainHeads() {
    for (const word of document.querySelectorAll("dt"))
        for (const head of document.querySelectorAll("th"))
            if (head.textContent === word.textContent)
                head.replaceChildren(element("abbr", {title: word.nextElementSibling.textContent}, head.textContent));
}
