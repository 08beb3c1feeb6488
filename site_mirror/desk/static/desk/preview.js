// The preview beside a form: what is typed is checked and shown 400 ms after the last key.
// The form is posted into a frame, because a document made here would have the policy of the desk.

import { fieldOf, goTo, post, showFaults } from "./form.js";

const PAUSE = 400;
const DESKTOP = 1280;
const PHONE = 390;

const panel = document.querySelector(".desk-preview");
const form = document.getElementById(panel.dataset.form);
const frames = [...panel.querySelectorAll("iframe")];
const area = panel.querySelector(".desk-frames");
const look = document.getElementById("desk-look");

let timer, running = false, again = false;

// The faults of a refused publication are named above the form, until somebody types.
const stated = form.querySelector(".desk-faults");
stated?.addEventListener("click", (event) => {
  const field = document.getElementById(event.target.closest("a")?.hash.slice(1));
  if (field) { event.preventDefault(); goTo(form, field); }
});

function showSoon() {
  clearTimeout(timer);
  timer = setTimeout(show, PAUSE);
}

async function show() {
  if (running) { again = true; return; }
  running = true;
  try {
    const answer = await post(panel.dataset.check, form);
    if (answer) {
      if (!stated?.isConnected) showFaults(panel.querySelector(".desk-faults"), form, answer.faults);
      panel.classList.toggle("desk-stale", !answer.valid);
      if (answer.valid) await load();
    }
  } finally {
    running = false;
    if (again) { again = false; show(); }
  }
}

// The next document is loaded into a second frame, which takes the place of the first one when it
// stands where that one was scrolled to.
function load() {
  const [shown, next] = frames;
  const { target, action } = { target: form.getAttribute("target"), action: form.getAttribute("action") };
  const loaded = new Promise((resolve) => {
    const late = setTimeout(resolve, 5000);
    next.onload = () => { clearTimeout(late); settle(shown, next); resolve(); };
  });
  form.setAttribute("target", next.name);
  form.setAttribute("action", panel.dataset.preview);
  HTMLFormElement.prototype.submit.call(form);
  for (const [name, value] of Object.entries({ target, action })) {
    if (value === null) form.removeAttribute(name); else form.setAttribute(name, value);
  }
  return loaded;
}

function settle(shown, next) {
  const inside = next.contentDocument;
  if (!inside) return; // The page of an error of the network: the last preview stays.
  // Links do nothing; the policy of the desk lets the frame show nothing else in any case.
  inside.addEventListener("click", (event) => {
    if (event.target.closest("a, button, summary[href]")) event.preventDefault();
  }, true);
  inside.addEventListener("submit", (event) => event.preventDefault(), true);
  colour(next);
  const position = kind() === next.dataset.kind || kind() === shown.dataset.kind
    ? shown.contentWindow.scrollY : 0;
  next.dataset.kind = kind();
  next.contentWindow.scrollTo({ top: position, behavior: "instant" });
  next.classList.remove("desk-waiting");
  shown.classList.add("desk-waiting");
  next.title = "Preview";
  shown.title = "Preview, next";
  frames.reverse();
}

const kind = () => `${form.elements._show.value} ${form.elements._language.value}`;

function colour(frame) {
  const dark = look.elements._colours.value === "dark";
  const inside = frame.contentDocument;
  inside.documentElement.style.colorScheme = dark ? "dark" : "light";
  for (const sheet of inside.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (!rule.media) continue;
      rule.written ??= rule.media.mediaText;
      if (rule.written.includes("prefers-color-scheme: dark")) {
        rule.media.mediaText = dark ? rule.written.replace(/\(prefers-color-scheme: dark\)/, "(min-width: 0px)") : "not all";
      }
    }
  }
}

function fit() {
  if (!area.clientWidth) return;
  const width = look.elements._width.value === "phone" ? PHONE : DESKTOP;
  const scale = Math.min(1, area.clientWidth / width);
  area.style.setProperty("--desk-width", `${width}px`);
  area.style.setProperty("--desk-scale", scale);
}

form.addEventListener("input", () => { stated?.remove(); showSoon(); });
form.addEventListener("change", showSoon);
document.addEventListener("formset:added", showSoon);
document.addEventListener("formset:removed", showSoon);
// Autocompletes tell jQuery alone.
window.addEventListener("load", () => window.django?.jQuery?.(form).on("change", "select", showSoon));
const panes = document.querySelector(".desk-panes");
panes.hidden = false;
panes.parentElement.dataset.pane = "write";
panes.addEventListener("change", () => { panes.parentElement.dataset.pane = look.elements._pane.value; });
panel.addEventListener("change", (event) => {
  if (event.target.name === "_width") fit();
  else if (event.target.name === "_colours") frames.forEach(colour);
  else show();
});
panel.querySelector(".desk-faults").addEventListener("click", (event) => {
  const link = event.target.closest("a[data-name]");
  if (!link) return;
  event.preventDefault();
  goTo(form, fieldOf(form, link.dataset.name), Number(link.dataset.line));
});

panel.classList.add("desk-scripted");
if (matchMedia("(max-width: 700px)").matches) look.elements._width.value = "phone";
look.elements._colours.value = document.documentElement.classList.contains("dark") ? "dark" : "light";
new ResizeObserver(fit).observe(area);
fit();
show();
