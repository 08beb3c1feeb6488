// The preview beside a form: the typed text is checked and shown 400 ms after the last key.
// The form is posted into a frame, because a document made here would have the policy of the desk.

import { form, onTyping, refreshToken, send, showFaults } from "./form.js";

const PAUSE = 400;
const RETRY = 3000;
const WIDTHS = { phone: 390, desktop: 1280 };

const panel = document.querySelector(".desk-preview");
const summary = panel.querySelector(".desk-faults");
const area = panel.querySelector(".desk-frames");
const frames = [...area.children];
const button = panel.querySelector("[formtarget]");

let timer, running = false, again = false;

const radio = (name, value) => panel.querySelector(`[name=${name}]${value ? `[value=${value}]` : ":checked"}`);

async function show() {
  clearTimeout(timer);
  again = true;
  if (running) return;
  running = true;
  while (again) {
    again = false;
    const response = await send("../check/");
    if (!response?.ok) {
      // The session has ended, or the server is away or busy; a text that is too long stays so.
      if (![400, 413].includes(response?.status)) askLater();
      break;
    }
    const { valid, faults } = await response.json();
    // The faults of a refused publication are named above the form, until somebody types.
    if (!form.querySelector(".desk-faults")) showFaults(summary, faults);
    panel.classList.toggle("desk-stale", !valid);
    if (valid) await load();
  }
  running = false;
}

function askLater() {
  clearTimeout(timer);
  timer = setTimeout(show, RETRY);
}

// The next document is loaded into a second frame, which takes the place of the first one when it
// stands where that one was scrolled to.
function load() {
  const [shown, next] = frames;
  refreshToken();
  button.formTarget = next.name;
  form.requestSubmit(button);
  return new Promise((resolve) => {
    const late = setTimeout(resolve, 5000);
    next.onload = () => { clearTimeout(late); settle(shown, next); resolve(); };
  });
}

function settle(shown, next) {
  const inside = next.contentDocument;
  if (!inside) return askLater(); // The page of an error: the last preview stays.
  // Links do nothing; the policy of the desk lets the frame show nothing else in any case.
  for (const name of ["click", "auxclick"]) {
    inside.addEventListener(name, (event) => {
      if (event.target.closest("a")) event.preventDefault();
    }, true);
  }
  // It is one stop of the Tab key, which goes on to the acts; the arrows scroll it.
  for (const each of inside.querySelectorAll("a, summary, [tabindex]")) each.tabIndex = -1;
  next.dataset.kind = radio("_show").value;
  // The published JSON is on one line.
  if (next.dataset.kind === "json") indent(inside.querySelector("pre"));
  const top = next.dataset.kind === shown.dataset.kind ? shown.contentWindow.scrollY : 0;
  next.contentWindow.scrollTo({ top, behavior: "instant" });
  next.classList.remove("desk-waiting");
  shown.classList.add("desk-waiting");
  frames.reverse();
  fit();
}

function indent(text) {
  if (text) text.textContent = JSON.stringify(JSON.parse(text.textContent), null, 2);
}

function fit() {
  if (!area.clientWidth) return;
  const isPage = ["page", "list"].includes(radio("_show").value);
  const width = isPage ? WIDTHS[radio("_width").value] : area.clientWidth;
  area.style.setProperty("--desk-width", `${width}px`);
  area.style.setProperty("--desk-scale", Math.min(1, area.clientWidth / width));
}

onTyping(() => {
  form.querySelector(".desk-faults")?.remove();
  clearTimeout(timer);
  timer = setTimeout(show, PAUSE);
});
panel.addEventListener("change", (event) => {
  if (event.target.name === "_width") fit();
  else if (event.target.name !== "_colours") show();
});

if (matchMedia("(max-width: 700px)").matches) radio("_width", "phone").checked = true;
if (matchMedia("(prefers-color-scheme: dark)").matches) radio("_colours", "dark").checked = true;
new ResizeObserver(fit).observe(area);
show();
