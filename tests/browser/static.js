/* Without its script the page says what it can, and what is missing. */
const shown = id => getComputedStyle(byId(id)).display !== "none";
tell("stage", shown("stage"), "said", document.querySelector("noscript").innerText);
tell("bars", document.querySelectorAll(".bar rect").length > 0, "verdict", text("verdict"), text("words"));
tell("tables", document.querySelectorAll("table").length, "links", document.querySelectorAll(".link").length);
return lines.join("\n");
