"use strict";

// A button copies a text, and says so until it loses the focus. Browsers offer the clipboard to
// trusted origins only, and Safari only while a click lasts, so it gets the promise of a text.
const offerCopy = (button, read) => {
  const label = button.textContent;

  button.addEventListener("click", async () => {
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": read() })]);
    button.textContent = button.dataset.done;
    button.addEventListener("blur", () => { button.textContent = label; }, { once: true });
  });
  button.hidden = !navigator.clipboard?.write;
};
const plain = (text) => new Blob([text], { type: "text/plain" });

offerCopy(document.querySelector(".copy-page"), async () => {
  const response = await fetch(document.querySelector("link[type='text/markdown']").href);
  if (!response.ok) throw new Error(response.statusText);
  return plain(await response.text());
});
for (const button of document.querySelectorAll(".copy")) {
  const code = button.closest(".listing").querySelector("pre code");
  offerCopy(button, async () => plain(code.textContent));
}

// The contents of a long page close when the reader has chosen a section.
const contents = document.getElementById("contents_");
contents?.addEventListener("click", (event) => { if (event.target.closest("a")) contents.hidePopover(); });
