/* For who hears the page, or uses no pointer: what waits can be chosen from a list, and who is in the panel stays there;
 * the page is silent while it plays; headings are in order, regions have names of their own, and text has contrast. */
const {state, runs} = ecube, panel = byId("panel");
const all = query => [...document.querySelectorAll(query)];
ecube.seek(state.end * 0.4);
ecube.select(null, null);
const waiting = state.shown.flatMap(run => ecube.at(run, state.t).waits.map(i => run.messageName(run.activities.message[i])));
tell("waiting", waiting.length > 0, all("aside .link").map(link => link.textContent).join() === waiting.join());
document.querySelector("aside .link").focus();
document.activeElement.click();
tell("chosen", state.selection.message !== undefined, document.activeElement === panel,
     text("said").includes("waiting"));
document.querySelector("#cards .link").click();
tell("from a table", state.selection.from !== undefined, document.activeElement === panel);

let heard = 0;
const observer = new MutationObserver(changes => { heard += changes.length; });
const options = {childList: true, characterData: true, subtree: true};
all("[aria-live], [role=status], [role=alert], output").forEach(region => observer.observe(region, options));
ecube.play(true);
for (let frame = 0; frame < 20; frame++)
    await drawn();
tell("silent while it plays", state.playing, heard);
ecube.play(false);

const levels = all("h1, h2, h3, h4").map(heading => Number(heading.tagName[1]));
tell("headings", levels.every((level, i) => level <= (levels[i - 1] ?? 0) + 1));
const names = all("[role=region]").map(region => region.getAttribute("aria-label"));
tell("regions", names.length > 0, new Set(names).size === names.length);
tell("labels", [...byId("first").options].map(option => option.text).join("; "));

const shade = name => {
    const pen = document.createElement("canvas").getContext("2d");
    pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--" + name);
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...pen.getImageData(0, 0, 1, 1).data].map(level => level / 255).map(level =>
        level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
};
const contrast = (one, other) => Math.max(shade(one) / shade(other), shade(other) / shade(one));
const written = {text: ["back", "panel", "node", "barrier", "grown"], back: ["compute"], faint: ["back", "panel", "node"],
                 accent: ["back", "panel"], fault: ["back"]};
for (const [front, backs] of Object.entries(written))
    for (const back of backs.filter(one => contrast(front, one) < 4.5))
        tell("too little contrast:", front, "on", back, contrast(front, back));
for (const kind of ["circuit", "wait", "transmit", "receive", "shuffle", "compute", "barrier"])
    if (contrast(kind, "back") < 3)
        tell("too little contrast:", kind, contrast(kind, "back"));
return lines.join("\n");
