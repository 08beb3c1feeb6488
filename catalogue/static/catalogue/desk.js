// The theme's styles follow a class. It is set before the page is drawn, so that nothing flashes.
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark", dark.matches);
dark.addEventListener("change", follow);
follow();

// An open menu closes when the click or the focus goes elsewhere, and on Escape.
const closeMenus = (target) => {
  for (const menu of document.querySelectorAll(".desk-drop[open]")) {
    if (!menu.contains(target)) menu.open = false;
  }
};
addEventListener("click", (event) => closeMenus(event.target));
addEventListener("focusin", (event) => closeMenus(event.target));
addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && event.target.closest?.(".desk-drop[open]");
  if (menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

addEventListener("DOMContentLoaded", () => {
  // On a phone the links to the lists are one line that scrolls.
  const here = document.querySelector(".desk-nav [aria-current]");
  here?.scrollIntoView({ block: "nearest", inline: "center" });
  // The theme would write the name of a chosen file into the next text of the form.
  for (const file of document.querySelectorAll("[type=file]")) file.hasChangeListener = true;
});
