/* The page opens at the first step of its story; the second is where most messages wait, with the longest chain. After
 * each pause the panel says what is so then; keys are the page's own but in the stage; words find what they name; links
 * lead back; a picture can be saved. */
const {state, runs, views} = ecube, of = message => ecube.at(state.selected, state.t).chain(message).length;
const waiting = t => ecube.at(state.shown[0], t).waits.length, [first] = state.shown;
tell("opens", state.shown.map(run => run.label).join(" beside "), "at", us(state.t), text("chapter"));
state.reduced = true;
await press("]");
state.reduced = false;
const most = waiting(state.t);
tell("most wait", first.waits.every(i => waiting(first.activities.start[i]) <= most), "longest",
     ecube.at(first, state.t).waits.every(i => of(first.activities.message[i]) <= of(state.selection.message)));
const fits = id => {
    const {left, top, right, bottom} = byId(id).getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
};
byId("stage").scrollIntoView();
tell("seen at once", ["clock", "cube0", "timeline0", "cube1", "timeline1", "panel"].map(fits).join());

const told = () => document.querySelector("#selected .phase").textContent.replace(/ for .*/, ".");
const wrong = [], blocks = views[0].arrivals.of(first);
const blocksAt = t => blocks.filter(({messages}) => first.delivered[messages.at(-1)] <= t).length;
for (let k = 0; k < 25; k++) {
    ecube.seek(state.end * k / 25);
    ecube.play(true);
    for (let frames = 0; frames < 1 + k % 7; frames++)
        await drawn();
    byId("play").click();
    const now = ecube.at(state.selected, state.t);
    await drawn();
    if (told() !== "Now: " + now.phase(state.selection.message).text + "." || text("time") !== text("time").trim()
        || !text("now0").startsWith(blocksAt(state.t) + " of "))
        wrong.push(us(state.t));
}
tell("told wrongly after a pause:", wrong.join() || "never");

ecube.seek(0);
byId("wait").click();
const earliest = Math.min(...first.waits.map(i => first.activities.start[i]));
tell("next wait", state.t === earliest, ecube.at(first, state.t).phase(state.selection.message).text);
ecube.seek(state.end / 2);
ecube.select(first, {message: ecube.at(first, state.t).longest()});
const {holder} = ecube.at(first, state.t).chain(state.selection.message).at(-1);
byId("root").click();
tell("root cause", state.selection.message === holder, of(holder));
const marks = byId("marks"), {width} = marks.getBoundingClientRect();
await click(marks, width * 0.3, 5);
tell("marks", Math.abs(state.t / state.end - 0.3) < 0.01, of(state.selection.message) > 0);

const before = state.t;
for (const key of [" ", "Home", "End", "+", "-", "c", "ArrowRight"])
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
byId("panel").dispatchEvent(new KeyboardEvent("keydown", {key: "End", bubbles: true}));
tell("keys elsewhere", state.t === before, state.playing, state.path);

for (const words of ["24->16", "24 -> 16", "channel 24->16", "3 to 26", "message 3", "processor 5", "7", "32"]) {
    byId("find").value = words;
    byId("find").dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}));
    const {message} = state.selection;
    tell("find", words, message > 32 ? first.messageName(message).replace(/.*, /, "") : JSON.stringify(state.selection));
}
ecube.seek(1e9);
await drawn();
const {cube} = views[0], {left, top} = byId("cube0").getBoundingClientRect();
const at = ([x, y]) => ({clientX: left + x, clientY: top + y, bubbles: true});
byId("cube0").dispatchEvent(new PointerEvent("pointermove", at(cube.points[5])));
tell("tip", text("tip").split("\n")[0], byId("tip").hidden);
byId("cube0").dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true}));
tell("no tip", byId("tip").hidden);

ecube.select(first, {from: 24, to: 16});
await new Promise(done => setTimeout(done, 600));
const {hash} = location;
ecube.show(runs[0], null);
ecube.select(runs[0], {node: 1}, 0);
await new Promise(done => setTimeout(done, 600));
location.hash = hash.slice(1);
await new Promise(done => addEventListener("hashchange", done, {once: true}));
await drawn();
tell("link", hash, us(state.t), state.shown.map(run => run.label).join(), JSON.stringify(state.selection));

const create = URL.createObjectURL, saved = new Promise(done => {
    URL.createObjectURL = blob => createImageBitmap(blob).then(({width, height}) => done([width > 600, height > 400]))
        && create(blob);
});
byId("save").click();
tell("saved", await saved);
return lines.join("\n");
