// The draft of a form: saved two seconds after the last key and when the page is left, one request
// at a time. Until the server has it, this browser keeps what was typed in each tab, with the base of
// the version in which it was typed, and how the editor has decided between two texts.

import { element, form, onTyping, refreshToken, send, typedEntries } from "./form.js";
import { logIn } from "./log_in.js";

const PAUSE = 2000;
const COPY_PAUSE = 300;

const bar = document.querySelector(".desk-acts");
const line = bar.querySelector(".desk-line");
const { key } = bar.dataset;
const COPIES = `desk:${bar.dataset.user}:`; // Others who use this computer have their own.
const draft = new URL("../draft/", location.href).pathname;

// A tab has one copy, also after the page is loaded again.
const ownCopy = `${COPIES}${key}:${sessionStorage.deskTab ??= Math.random()}`;

let dirty = false, saving = false, leaving = false, pressed = false;
let timer, copyTimer;

function say(text, trouble = false) {
  if (line.textContent !== text) line.textContent = text;
  line.classList.toggle("desk-trouble", trouble);
}

function typed() {
  dirty = true;
  clearTimeout(timer);
  clearTimeout(copyTimer);
  timer = setTimeout(save, PAUSE);
  copyTimer = setTimeout(copy, COPY_PAUSE);
}

function copy() {
  const own = [...new FormData(form)].filter(([name]) => /^_(key$|base$|decide-)/.test(name));
  const kept = { entries: [...typedEntries(), ...own], page: location.pathname, draft };
  try {
    localStorage.setItem(ownCopy, JSON.stringify(kept));
  } catch {
    say(gettext("Too long to be kept in this browser. Save the draft."), true);
  }
}

async function save() {
  if (saving || !dirty) return;
  saving = true;
  dirty = false;
  clearTimeout(timer);
  copy();
  const entries = new FormData(form), isAsked = pressed;
  if (isAsked) entries.set("_draft", "");
  pressed = false;
  const response = await send(draft, entries);
  saving = false;
  if (response?.ok) {
    acknowledge(await response.json());
    if (dirty) timer = setTimeout(save, PAUSE);
    return;
  }
  dirty = true;
  pressed ||= isAsked;
  if (!response) {
    say(gettext("Not saved: the server does not answer. What you typed is kept in this browser."), true);
    timer = setTimeout(save, 5 * PAUSE);
  } else if (response.type === "opaqueredirect" || response.status === 403) {
    say(gettext("Not saved: your session has ended. What you typed is kept in this browser."), true);
    if (await logIn()) save();
  } else if (response.status === 409) {
    const { asked } = await response.json();
    say(interpolate(gettext("Not saved: somebody else has changed %s, too. Save the draft to compare."), [asked.join("; ")]), true);
  } else {
    const isLong = [400, 413].includes(response.status);
    say(isLong
      ? gettext("Not saved: the text is longer than the server takes. What you typed is kept in this browser.")
      : gettext("Not saved: the server refuses. What you typed is kept in this browser."), true);
  }
}

function acknowledge(saved) {
  sessionStorage.deskSaved = `${key}:${saved.version}`;
  form.elements._base.value = saved.base;
  if (dirty) copy();
  else localStorage.removeItem(ownCopy);
  const taken = interpolate(gettext("Somebody else has changed %s. Reload to see it."), [saved.taken.join("; ")]);
  say(saved.taken.length ? `${saved.line} · ${taken}` : saved.line);
  for (const place of bar.querySelectorAll("[data-side]")) {
    place.textContent = saved.changed[place.dataset.side]?.join(", ") || gettext("no change");
  }
  // A new text has an address from now on.
  if (location.pathname.endsWith("/add/")) history.replaceState(null, "", `?draft=${key}`);
}

// Browsers refuse a long text in such a request: its copy is sent when the form is opened again.
function leave() {
  if (leaving || !(dirty || saving)) return;
  clearTimeout(copyTimer);
  copy();
  if (dirty) send(draft, new FormData(form), { keepalive: true });
}

// What this browser has kept and the server has not: it is sent with the version in which it was
// typed, so that it is merged like any other save.
async function sendCopies() {
  for (const name of Object.keys(localStorage).filter((each) => each.startsWith(COPIES))) {
    const kept = JSON.parse(localStorage.getItem(name));
    const isOwn = name.startsWith(`${COPIES}${key}:`);
    if (!isOwn && kept.page !== location.pathname) continue;
    const entries = new FormData();
    for (const [field, value] of kept.entries) entries.append(field, value);
    const response = await send(kept.draft, entries);
    if (response?.ok) {
      localStorage.removeItem(name);
      if (isOwn && (await response.json()).version !== Number(bar.dataset.version)) {
        location.replace(location.href);
        return;
      }
    } else if (isOwn) {
      localStorage.removeItem(name);
      localStorage.setItem(ownCopy, JSON.stringify(kept));
      if (response?.status === 409) return compare(entries);
      fill(kept.entries);
      typed();
      return say(gettext("Not saved yet: what you typed before is here again."), true);
    }
  }
}

// Show both texts on a page of the server.
function compare(entries) {
  const asking = element("form", "", { method: "post" });
  asking.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of [...entries, ["_draft", ""]]) formData.append(name, value);
  });
  document.body.append(asking);
  asking.submit();
}

function fill(kept) {
  for (const field of form.elements) {
    const values = kept.filter(([name]) => name === field.name).map(([, value]) => value);
    if (field.type === "checkbox" && !field.name.startsWith("_")) field.checked = values.includes(field.value);
    else if (values.length) [field.value] = values;
  }
}

form.classList.remove("warn-unsaved-form"); // The theme would ask before what is saved is left.
onTyping(typed);
addEventListener("pagehide", leave);
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); }); // Its base is old.
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden" && !leaving) save(); });
form.addEventListener("submit", (event) => {
  if (event.submitter.formTarget) return; // It shows the preview.
  refreshToken();
  clearTimeout(copyTimer);
  // What is discarded must not come back with the next page.
  if (["_discard", "_restore"].includes(event.submitter.name)) localStorage.removeItem(ownCopy);
  else if (dirty || saving) copy(); // Until the next page shows that the server has it.
  leaving = true;
});
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "s") {
    event.preventDefault();
    dirty = pressed = true;
    save();
  }
});
// The server may have made this page while it still waited for a save of the page before.
const [savedKey, savedVersion] = (sessionStorage.deskSaved ?? "").split(":");
sessionStorage.removeItem("deskSaved");
if (savedKey === key && Number(savedVersion) > Number(bar.dataset.version)) location.reload();
// Two texts are asked about on a page that has what was typed in this tab; the server has it when
// somebody has decided.
if (form.querySelector("[name^=_decide-]")) {
  dirty = true;
  copy();
} else sendCopies();
