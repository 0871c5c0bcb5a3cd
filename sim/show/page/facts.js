/* Elements of the page, and the links in its tables, which page_text.c writes. All text goes through textContent, so
 * that no title or path can be anything but text. */

import {found} from "./find.js";

export const $ = id => document.getElementById(id);

export function element(name, attributes = {}, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes))
        node.setAttribute(key, value);
    node.append(...children);
    return node;
}

/* Returns what a message waits for, in words; with what the glossary says of it, if it is there. */
export function explained(text) {
    const other = /other way/.test(text), word = other ? "transmissions the other way" : /receive port/.test(text) ? "receive port" : "";
    const term = [...document.querySelectorAll("#glossary dt")].find(({textContent}) => textContent === word);
    return element(term ? "abbr" : "span", {class: other ? "" : "place", title: term?.nextElementSibling.textContent ?? ""}, text);
}

/* Returns text that acts when it is chosen. */
export function action(text, act) {
    const button = element("button", {class: "link"}, text);
    button.onclick = act;
    return button;
}

/* Turns the names in the tables of a run into links. A message of the critical path is selected at its time. */
export function linkTables(runs, choose) {
    document.querySelectorAll(".card").forEach(card => {
        const run = runs[card.dataset.run];
        for (const cell of run.playable ? card.querySelectorAll("td.left") : []) {
            const text = cell.textContent, what = /^[a-z]/.test(text) && found(run, text);
            const link = run.path?.find(one => one.message === what?.message);
            if (what)
                cell.replaceChildren(action(text, () => choose(run, what, link?.start)));
        }
    });
}
