/* What the tests in a page share. Each is the body of a function that returns lines of text, in which all spaces are
 * plain ones. */
const plain = words => words.replaceAll("\u00a0", " ");
const lines = [], tell = (...words) => lines.push(plain(words.join(" "))), us = ps => (ps / 1e6).toFixed(6);
const drawn = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
const press = async key => {
    byId("cube0").dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
    await drawn();
};
/* The events that scripts make have no pointer that could be captured; Firefox says so. */
Element.prototype.setPointerCapture = () => {};
const click = async (canvas, x, y) => {
    const {left, top} = canvas.getBoundingClientRect(), at = {clientX: left + x, clientY: top + y, bubbles: true};
    for (const type of ["pointerdown", "pointerup", "click"])
        canvas.dispatchEvent(new PointerEvent(type, {...at, pointerId: 1}));
    await drawn();
};
const byId = id => document.getElementById(id), text = id => plain(byId(id).textContent);
