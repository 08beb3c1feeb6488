// Tools for writing: the language that is shown, buttons that insert Markdown, and slugs.

import { element, form, onTyping } from "./form.js";
import { chooseImage, onFiles } from "./images.js";
import { slugOf } from "./slugs.js";

// The language in which somebody writes is remembered, and the preview shows it, too.
const languages = form.querySelector(".desk-write");
function showLanguage() {
  const { value } = form.elements._write;
  [...form.elements._language ?? []].find((radio) => radio.value === value)?.click();
}
languages.addEventListener("change", () => {
  localStorage.setItem("desk-write", form.elements._write.value);
  showLanguage();
});
const query = new URLSearchParams(location.search);
const isFromMissing = /languages=en/.test(query.get("_changelist_filters"));
const asked = query.get("write") ?? (isFromMissing ? "both" : null);
form.elements._write.value = asked ?? localStorage.getItem("desk-write") ?? (innerWidth < 1600 ? "en" : "both");
showLanguage();

// The day of a moment in words, because numbers are easily mistaken.
const day = form.querySelector("[name=publish_at_0]");
if (day) {
  const said = element("p", "", { className: "text-xs" });
  day.closest(".field-line").append(said);
  const say = () => {
    const noon = new Date(`${day.value}T12:00`);
    said.textContent = isNaN(noon) ? "" : noon.toLocaleDateString(gettext("en-GB"), { dateStyle: "full" });
  };
  onTyping(say);
  say();
}

// Each tool: its label, what it writes around the selection, and what stands there if nothing is
// selected. One that begins with a line end stands on lines of its own.
const TOOLS = [
  [gettext("Heading"), "\n\n## ", "\n\n", gettext("Heading")],
  [gettext("Bold"), "**", "**", gettext("text")],
  [gettext("Link"), "[", "](", gettext("text")],
  [gettext("List"), "\n\n- ", "\n- \n\n", gettext("first")],
  [gettext("Table"), "\n\n| ", " | " + gettext("Second") + " |\n| --- | --- |\n|  |  |\n\n", gettext("First")],
  [gettext("Code"), "\n\n```\n", "\n```\n\n", gettext("code")],
  [gettext("Formula"), "\n\n$$\n", "\n$$\n\n", "x"],
  [gettext("Image")],
];

for (const field of form.querySelectorAll("textarea.catalogue-code[name^='body_']")) {
  const ariaLabel = interpolate(gettext("Insert into %s"), [field.labels[0]?.textContent.replace("*", "").trim()]);
  const bar = element("div", "", { className: "desk-tools", role: "toolbar", ariaLabel });
  const count = () => {
    const { length } = field.value.match(/\S+/g) ?? [];
    return interpolate(ngettext("%s word", "%s words", length), [length]);
  };
  const words = element("small", count());
  bar.append(...TOOLS.map((tool, number) => makeButton(field, number, ...tool)), words);
  onTyping(() => { words.textContent = count(); });
  bar.addEventListener("keydown", moveFocus);
  field.before(bar);
  onFiles(field, (files) => insertImage(field, files));
}

function makeButton(field, number, label, before, after, instead) {
  const button = element("button", label, { type: "button", className: "desk-button", tabIndex: number ? -1 : 0 });
  button.addEventListener("click", async () => {
    const isLink = before === "[";
    const link = isLink ? await chooseLink(field) : undefined;
    if (link) insert(field, before, `${after}${link.value})`, link.textContent);
    else if (!before) insertImage(field);
    else if (!isLink) insert(field, before, after, instead);
  });
  return button;
}

// An image is described in the language of the text, from which its words are taken.
async function insertImage(field, files) {
  const end = field.selectionEnd; // Chromium forgets it while a dialog has the focus.
  const image = await chooseImage(files);
  if (image) field.focus();
  field.setSelectionRange(end, end);
  if (!image) return;
  const words = (image[field.lang] || image.en).replace(/[[\]\\*_`<$]/g, "\\$&");
  const after = `](${image.address})\n\n`;
  insert(field, "\n\n![", after, words);
  field.selectionStart = field.selectionEnd += after.length; // The next image stands below.
}

// A link leads to a page that is found by its title, or to an address that is typed.
const dialog = document.getElementById("desk-link");
const [words, choices, cancel] = dialog.querySelectorAll("input, ul, button");
cancel.onclick = () => dialog.close();

// Return the button of the chosen page when the dialog is closed; nothing if none is chosen.
function chooseLink(field) {
  let chosen;
  words.value = "";
  words.lang = field.lang;
  choices.replaceChildren();
  dialog.onsubmit = (event) => {
    chosen = event.submitter; // The Enter key presses the first button.
    if (!chosen) event.preventDefault();
  };
  dialog.showModal();
  return new Promise((resolve) => { dialog.onclose = () => resolve(chosen); });
}

words.addEventListener("input", async () => {
  const typed = words.value.trim();
  let found = [{ title: typed, address: typed }];
  if (!/^(https?:|mailto:|[/#])/.test(typed)) {
    const query = new URLSearchParams({ q: typed, language: words.lang });
    const response = await fetch(`${dialog.dataset.addresses}?${query}`);
    ({ found } = await response.json());
  }
  if (typed !== words.value.trim()) return; // Later words have an answer of their own.
  choices.replaceChildren(...found.map(({ title, address }) => {
    const item = element("li", "");
    item.append(element("button", title, { value: address }), element("small", address));
    return item;
  }));
});

// Rows of a table stand as a draft has put them, and are moved by the arrows, too; the theme lets
// them be dragged, and shows them as they are public.
for (const table of form.querySelectorAll("[data-ordering-field]")) {
  const place = (row) => Number(row.querySelector("[name$=-position]").value);
  table.tHead.after(...[...table.querySelectorAll(".original")].sort((one, other) => place(one) - place(other)));
}
for (const handle of form.querySelectorAll("[x-sort\\:handle]")) {
  Object.assign(handle, { tabIndex: 0, role: "button", ariaLabel: gettext("Move this row with the arrow keys") });
  handle.addEventListener("keydown", ({ key }) => {
    const row = handle.closest(".form-group");
    const other = { ArrowUp: row.previousElementSibling, ArrowDown: row.nextElementSibling }[key];
    if (!other?.matches(".original")) return;
    other[key === "ArrowUp" ? "before" : "after"](row);
    window.sortRecords({ from: row.parentElement });
    handle.focus();
    handle.click(); // Whatever happens on the page is compared with what was typed.
  });
}

// The arrows move through a toolbar, which is one stop of the Tab key.
function moveFocus(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const next = buttons[(buttons.indexOf(event.target) + step + buttons.length) % buttons.length];
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
  next.focus();
  event.preventDefault();
}

// Write by a command of the editor, so that Ctrl+Z takes it back.
function insert(field, before, after, instead) {
  const { selectionStart: start, selectionEnd: end, value } = field;
  const chosen = value.slice(start, end) || instead;
  const head = start === 0 ? before.trimStart() : value.endsWith("\n", start) ? before.replace(/^\n\n/, "\n") : before;
  field.focus();
  document.execCommand("insertText", false, head + chosen + after);
  field.setSelectionRange(start + head.length, start + head.length + chosen.length);
}

window.URLify = slugOf;
