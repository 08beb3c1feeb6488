// Images by drop, paste or choice: a dialog that uploads a file, or lets choose an image that is here.

import { element, send } from "./form.js";
import { slugOf } from "./slugs.js";

const dialog = document.getElementById("desk-image");
const form = dialog.querySelector("form");
const { upload, alt_en: english, slug } = form.elements;
const [button, cancel] = form.querySelectorAll("button");
const fault = form.querySelector("[role=alert]");
const search = dialog.querySelector("[type=search]");
const choices = dialog.querySelector("ul");
const { images, large, away, ended } = dialog.dataset;
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

// The pages of images are read as they are: each image has what a text says of it.
async function readPage(response) {
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (upload.files[0].size > MOST) return;
  button.disabled = true;
  const response = await send(form.action, new FormData(form), { redirect: "follow" });
  button.disabled = false;
  const page = response && await readPage(response);
  const image = response?.ok && page.querySelector("img[data-address]");
  if (image) return finish(image.dataset);
  const said = page?.querySelectorAll("ul.errorlist, p[role=alert]") ?? [];
  const faults = [...said].map((each) => each.textContent.trim());
  fault.textContent = !response ? away : response.status === 413 ? large : faults.join(" ") || ended;
});

async function list() {
  const typed = search.value.trim();
  const page = await readPage(await fetch(`${images}?${new URLSearchParams({ q: typed })}`));
  if (typed !== search.value.trim()) return; // Later words have an answer of their own.
  choices.replaceChildren(...[...page.querySelectorAll("img[data-address]")].map((image) => {
    const choice = element("button", "", { type: "button", onclick: () => finish(image.dataset) });
    choice.append(image, element("span", image.dataset.name));
    const item = element("li", "");
    item.append(choice);
    return item;
  }));
}
search.addEventListener("input", list);

// Call back with each file that is dropped on an element, and with each image that is pasted into it.
// Programs for texts and tables copy an image of a text beside it: then the text is pasted.
export function onFiles(place, callback) {
  const take = async (event, files) => {
    if (!files.length || dialog.open) return;
    event.preventDefault();
    for (const file of files) {
      const one = new DataTransfer();
      one.items.add(file);
      await callback(one.files);
    }
  };
  place.addEventListener("paste", (event) => {
    const { types, files } = event.clipboardData;
    const images = [...files].filter((file) => file.type.startsWith("image/"));
    take(event, types.includes("text/plain") ? [] : images);
  });
  place.addEventListener("drop", (event) => take(event, [...event.dataTransfer.files]));
}

// A file that is dropped beside a text does not take the place of the page.
for (const name of ["dragover", "drop"]) {
  document.addEventListener(name, (event) => {
    const isFile = event.dataTransfer.types.includes("Files");
    if (isFile && !event.target.matches("[type=file]")) event.preventDefault();
  });
}
