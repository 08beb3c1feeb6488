"use strict";

// Copies the page as Markdown. Browsers offer the clipboard to trusted origins only, and Safari
// only while a click lasts, so it gets the promise of a text.
const copy = document.querySelector(".copy-page");
const mirror = document.querySelector("link[type='text/markdown']").href;
const label = copy.textContent;

const read = async () => {
  const response = await fetch(mirror);
  if (!response.ok) throw new Error(response.statusText);
  return new Blob([await response.text()], { type: "text/plain" });
};

copy.addEventListener("click", async () => {
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": read() })]);
  copy.textContent = copy.dataset.done;
  copy.addEventListener("blur", () => { copy.textContent = label; }, { once: true });
});
copy.hidden = !navigator.clipboard?.write;

// The contents of a long page close when the reader has chosen a section.
const contents = document.getElementById("contents_");
contents?.addEventListener("click", (event) => { if (event.target.closest("a")) contents.hidePopover(); });
