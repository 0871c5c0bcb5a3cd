/* That the page fits its width, and that whatever can be used has a name. */
const root = document.documentElement;
tell("fits", root.scrollWidth <= root.clientWidth);
for (const control of document.querySelectorAll("button, select, input, canvas, [tabindex]"))
    if (!(control.getAttribute("aria-label") || control.textContent.trim() || control.closest("label")))
        tell("has no name:", control.outerHTML);
if (ecube.state.shown.length) {
    ecube.seek(ecube.state.end * 0.4);
    await drawn();
    tell(/^.*\d+ of \d+ messages delivered/.test(text("now")));
}
return lines.join("\n");
