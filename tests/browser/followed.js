/* What is said of what a link selects, and where the runs are then. */
tell(byId("selected").innerText.split(/\n+/).slice(0, 4).join("; "));
tell(text("now0").split(". ")[0], text("now1").split(". ")[0]);
return lines.join("\n");
