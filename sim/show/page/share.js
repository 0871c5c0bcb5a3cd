/* Links to a moment, pictures to save, and the tooltip. */

import {openCanvas, paintBox, paintText} from "./canvas.js";
import {found} from "./find.js";
import {$, element} from "./facts.js";

const SELECTS = ["select", "select-beside"];    /* of the first run, or of the one beside it */

/* Returns "#t=1234.567&run=0&beside=2&select=message-3"; the selection may also be block-3-26, processor-5 or
 * channel-24-16. */
export function linkText({t, shown, selected, selection}) {
    const {message, node, block} = selection ?? {}, words = {t: t / 1e6, run: shown[0].number};
    if (shown[1])
        words.beside = shown[1].number;
    const kind = block ? "block" : message !== undefined ? "message" : node !== undefined ? "processor" : "channel";
    if (selection)
        words[SELECTS[shown.indexOf(selected)]] = [kind, ...block ?? Object.values(selection)].join("-");
    return "#" + new URLSearchParams(words);
}

/* Reads {t, shown, selected, selection} from the address of this page; null if it names no moment. */
export function readLink(runs) {
    const words = new URLSearchParams(location.hash.slice(1)), t = Math.round(words.get("t") * 1e6);
    const shown = ["run", "beside"].map(name => runs[words.get(name)]), i = words.has(SELECTS[1]) ? 1 : 0;
    const selection = shown[i]?.playable ? found(shown[i], (words.get(SELECTS[i]) ?? "").replaceAll("-", " ")) : null;
    return words.has("t") && t >= 0 && shown[0]?.playable ? {t, shown, selected: shown[i], selection} : null;
}

/* Saves figures, one below the other, each with its name and its canvases, as a PNG file. */
export function savePicture(figures, theme, title) {
    const boxOf = node => node.getBoundingClientRect(), {left, top, width} = boxOf(figures[0]);
    const sheet = element("canvas"), {pen, height} = openCanvas(sheet, width, boxOf(figures.at(-1)).bottom - top + 24);
    const write = (text, x, y) => paintText(pen, theme.text, text, x, y);
    paintBox(pen, theme.back, 0, 0, width, height);
    Object.assign(pen, {font: "600 13px system-ui, sans-serif", textBaseline: "top"});
    write(title, 4, 5);
    for (const node of figures.flatMap(figure => [...figure.querySelectorAll("b, canvas")])) {
        const box = boxOf(node), x = box.left - left, y = box.top - top + 24;
        node.matches("b") ? write(node.textContent, x, y) : pen.drawImage(node, x, y, box.width, box.height);
    }
    sheet.toBlob(blob => element("a", {href: URL.createObjectURL(blob), download: "ecube.png"}).click());
}

/* Shows the tooltip beside a point of the window, or hides it if there is no text. */
function showTip(text, x, y) {
    const tip = $("tip");
    tip.hidden = !text;
    tip.textContent = text;
    const {offsetWidth: width, offsetHeight: height} = tip, below = y + 18 + height < innerHeight;
    Object.assign(tip.style, {left: Math.max(4, Math.min(x + 12, innerWidth - width - 6)) + "px",
                              top: Math.max(4, below ? y + 18 : y - height - 8) + "px"});
}

/* Connects the tooltip. `views` maps canvases to views, which may describe(x, y) a point; other parts have data-tip. */
export function connectTip(views) {
    const textOf = ({target, offsetX: x, offsetY: y, buttons}) => buttons ? ""
        : views.get(target)?.describe?.(x, y) ?? target.closest("[data-tip]")?.dataset.tip;
    document.addEventListener("pointermove", event => showTip(textOf(event), event.clientX, event.clientY));
    document.addEventListener("focusin", ({target}) => {
        const {left, bottom} = target.getBoundingClientRect();
        showTip(target.dataset.tip, left, bottom);
    });
    for (const type of ["focusout", "pointerdown", "scroll", "keydown", "mouseleave"])
        document.addEventListener(type, () => showTip(""));
}
