/* A link selects something: the page says what, and its runs are at that moment. */
tell(byId("selected").innerText.split(/\n+/).slice(0, 4).join("; "));
tell(text("now0").split(". ")[0], text("now1").split(". ")[0]);
return lines.join("\n");
