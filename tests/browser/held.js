/* While the page plays, what waits is told anew every quarter of a second. Where the first who waits is to be pressed. */
const {state} = ecube;
byId("speed").append(new Option("slow", 1e6));
byId("speed").value = 1e6;
ecube.seek(state.end * 0.4);
ecube.select(null, null);
ecube.play(true);
const {left, top, width, height} = document.querySelector("aside .link").getBoundingClientRect();
return Math.round(left + width / 2) + " " + Math.round(top + height / 2);
