/* That the page fits its width, that whatever can be used has a name, that whatever scrolls can be reached by keys, that
 * numbers stay with their units, and that what goes on at a time is found: also after handshakes, whose transmissions
 * take no time. A page of a sweep has no script. */
const root = document.documentElement;
tell("fits", root.scrollWidth <= root.clientWidth);
for (const control of document.querySelectorAll("button, select, input, canvas, [tabindex]"))
    if (!(control.getAttribute("aria-label") || control.textContent.trim() || control.closest("label")))
        tell("has no name:", control.outerHTML);
for (const node of document.querySelectorAll("body *"))
    if (/auto|scroll/.test(getComputedStyle(node).overflowX) && (node.scrollWidth > node.clientWidth
        || node.scrollHeight > node.clientHeight) && ![node, ...node.querySelectorAll("*")].some(one => one.tabIndex >= 0))
        tell("cannot be scrolled by keys:", node.outerHTML.slice(0, 80));
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode())
    if (/\d (%|µs|ms|s|bytes?)(?!\w)/.test(walker.currentNode.data)
        && !walker.currentNode.parentElement.closest("option, svg, code, script")
        && getComputedStyle(walker.currentNode.parentElement).whiteSpace !== "nowrap")
        tell("a number may part from its unit:", walker.currentNode.data);
if (!globalThis.ecube)
    return lines.join("\n");
for (const run of ecube.runs.filter(one => one.playable))
    for (let i = 1; i < run.instants.length; i += Math.ceil(run.instants.length / 40)) {
        const t = (run.instants[i - 1] + run.instants[i]) / 2, {start, end} = run.activities;
        if (ecube.at(run, t).active.length !== start.filter((from, k) => from <= t && t < end[k]).length)
            tell("not all that goes on is found at", us(t));
    }
if (ecube.state.shown.length) {
    ecube.seek(ecube.state.end * 0.4);
    await drawn();
    for (const {cube: {points = [], radius}} of ecube.views.slice(0, ecube.state.shown.length))
        if (radius < 5 || points.some(([x, y], i) => points.slice(0, i).some(([u, v]) =>
            Math.hypot(x - u, y - v) < 2 * radius + 2)))
            tell("processors overlap", radius);
    tell(/^.*\d+ of \d+ (blocks|messages|messages with data) have arrived/.test(text("now0")));
}
return lines.join("\n");
