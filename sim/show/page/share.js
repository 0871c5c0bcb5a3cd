/* What leaves the page, a link to a moment and a picture; and the one tooltip. */

import {openCanvas, paintBox, paintText} from "./canvas.js";
import {found} from "./find.js";
import {$, element} from "./facts.js";

const SELECTS = ["select", "select-beside"];    /* of the first run, or of the one beside it */

/* "#t=1234.567&run=0&beside=2&select=message-3": also processor-5 or channel-24-16. */
export function linkText({t, shown, selected, selection}) {
    const words = new URLSearchParams({t: t / 1e6, run: shown[0].number}), {message, node} = selection ?? {};
    if (shown[1])
        words.set("beside", shown[1].number);
    if (selection)
        words.set(SELECTS[shown.indexOf(selected)], [message !== undefined ? "message" : node !== undefined ? "processor"
            : "channel", ...Object.values(selection)].join("-"));
    return "#" + words;
}

/* What the address of this page says, {t, shown, selected, selection}, or null if that is no moment. */
export function readLink(runs) {
    const words = new URLSearchParams(location.hash.slice(1)), t = Math.round(words.get("t") * 1e6);
    const shown = ["run", "beside"].map(name => runs[words.get(name)]), i = words.has(SELECTS[1]) ? 1 : 0;
    const selection = shown[i]?.playable ? found(shown[i], (words.get(SELECTS[i]) ?? "").replaceAll("-", " ")) : null;
    return words.has("t") && t >= 0 && shown[0]?.playable ? {t, shown, selected: shown[i], selection} : null;
}

/* Saves figures, one below the other, each with its name and its canvases. */
export function savePicture(figures, theme, title) {
    const boxOf = node => node.getBoundingClientRect(), {top} = boxOf(figures[0]), {left, width} = boxOf(figures[0]);
    const sheet = element("canvas"), {pen} = openCanvas(sheet, width, boxOf(figures.at(-1)).bottom - top + 24);
    paintBox(pen, theme.back, 0, 0, sheet.width, sheet.height);
    Object.assign(pen, {font: "600 13px system-ui, sans-serif", textBaseline: "top"});
    paintText(pen, theme.text, title, 4, 5);
    for (const node of figures.flatMap(figure => [...figure.querySelectorAll("b, canvas")])) {
        const box = boxOf(node), at = [box.left - left, box.top - top + 24];
        if (node.matches("b"))
            paintText(pen, theme.text, node.textContent, ...at);
        else
            pen.drawImage(node, ...at, box.width, box.height);
    }
    sheet.toBlob(blob => {
        const link = element("a", {href: URL.createObjectURL(blob), download: "ecube.png"});
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    });
}

/* Beside a point of the window; without text there is none. */
function showTip(text, x, y) {
    const tip = $("tip");
    tip.hidden = !text;
    tip.textContent = text;
    const {offsetWidth: width, offsetHeight: height} = tip, below = y + 18 + height < innerHeight;
    Object.assign(tip.style, {left: Math.max(4, Math.min(x + 12, innerWidth - width - 6)) + "px",
                              top: Math.max(4, below ? y + 18 : y - height - 8) + "px"});
}

/* `canvases` maps a canvas to what says what is at a point of it; other parts of the page have it in data-tip. */
export function connectTip(canvases) {
    const textOf = ({target, offsetX: x, offsetY: y, buttons}) => buttons ? ""
        : canvases.get(target)?.(x, y) ?? target.closest("[data-tip]")?.dataset.tip;
    document.addEventListener("pointermove", event => showTip(textOf(event), event.clientX, event.clientY));
    document.addEventListener("focusin", ({target}) => {
        const {left, bottom} = target.getBoundingClientRect();
        showTip(target.dataset.tip, left, bottom);
    });
    for (const type of ["focusout", "pointerdown", "scroll", "keydown"])
        document.addEventListener(type, () => showTip(""));
    document.documentElement.onpointerleave = () => showTip("");
}
