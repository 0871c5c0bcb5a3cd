/* What is said of the machine, and that nothing became an element. */
tell(text("title"));
tell(document.title);
tell(text("command"));
tell(document.images.length, document.scripts.length);
return lines.join("\n");
