// Images by drop, paste or choice: a dialog that uploads a file, or lets choose an image that is here.

import { element } from "./form.js";
import { slugOf } from "./slugs.js";

const dialog = document.getElementById("desk-image");
const form = dialog.querySelector("form");
const { upload, alt_en: english, alt_vi: vietnamese, slug } = form.elements;
const [send, cancel] = form.querySelectorAll("button");
const fault = form.querySelector("[role=alert]");
const search = dialog.querySelector("[type=search]");
const choices = dialog.querySelector("ul");
const { choices: address, large, away, ended } = dialog.dataset;
const MOST = 20 * 1024 * 1024; // The server refuses larger files, after they are sent.

let chosen;
const finish = (image) => { chosen = image; dialog.close(); };
cancel.onclick = () => finish();

// Return the image that is uploaded or chosen, perhaps of a file that is here; nothing if none is.
export function chooseImage(files) {
  chosen = undefined;
  form.reset();
  fault.textContent = search.value = "";
  if (files) upload.files = files;
  takeFile();
  list();
  dialog.showModal();
  (files ? english : upload).focus();
  return new Promise((resolve) => { dialog.onclose = () => resolve(chosen); });
}

// The name is proposed: that of the file, or what the image shows, because a pasted file has none.
function takeFile() {
  const [file] = upload.files;
  fault.textContent = file?.size > MOST ? large : "";
  const name = file?.name.replace(/\.[^.]*$/, "") ?? "";
  slug.value = /^(image|img_?\d*|screenshot.*)?$/i.test(name) ? "" : slugOf(name, 80);
}
upload.addEventListener("change", takeFile);
english.addEventListener("change", () => { slug.value ||= slugOf(english.value, 60); });

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (upload.files[0].size > MOST) return;
  send.disabled = true;
  const options = { method: "POST", body: new FormData(form), headers: { Accept: "application/json" }, redirect: "manual" };
  const response = await fetch(form.action, options).catch(() => undefined);
  send.disabled = false;
  if (response?.status === 201) finish(await response.json());
  else if (response?.status === 400) fault.textContent = (await response.json()).faults.join(" ");
  else if (response?.status === 413) fault.textContent = large;
  else fault.textContent = response ? ended : away;
});

async function list() {
  const typed = search.value.trim();
  const response = await fetch(`${address}?${new URLSearchParams({ q: typed })}`);
  const { found } = response.ok ? await response.json() : { found: [] };
  if (typed !== search.value.trim()) return; // Later words have an answer of their own.
  choices.replaceChildren(...found.map((image) => {
    const button = element("button", "", { type: "button", onclick: () => finish(image) });
    button.append(element("img", "", { src: image.file, alt: image.en, loading: "lazy" }), element("span", image.name));
    const item = element("li", "");
    item.append(button);
    return item;
  }));
}
search.addEventListener("input", list);

// Call back with the image files that are dropped on an element or pasted into it.
export function onFiles(place, callback) {
  const take = (event, data) => {
    const images = [...(data?.files ?? [])].filter((file) => file.type.startsWith("image/"));
    if (!images.length || dialog.open) return;
    event.preventDefault();
    const first = new DataTransfer();
    first.items.add(images[0]);
    callback(first.files);
  };
  place.addEventListener("paste", (event) => take(event, event.clipboardData));
  place.addEventListener("drop", (event) => take(event, event.dataTransfer));
  place.addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
  });
}
