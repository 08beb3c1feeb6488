// The list of images takes files that are dropped or pasted anywhere on the page.

import { chooseImage, onFiles } from "./images.js";

async function add(files) {
  if (await chooseImage(files)) location.reload();
}

onFiles(document, add);
document.querySelector(".desk-title a[href*='/image/add/']")?.addEventListener("click", (event) => {
  event.preventDefault();
  add();
});
