// The draft of a form: saved two seconds after the last key and when the page is left, one request
// at a time. Until the server has it, this browser keeps what was typed, for this version of the draft.

import { refreshToken } from "./form.js";
import { logIn } from "./log_in.js";

const PAUSE = 2000;
const COPY_PAUSE = 300;
const MAX_KEEPALIVE = 60_000; // Browsers send no more when a page is left.
const COPIES = "desk:";

const bar = document.querySelector(".desk-acts");
const form = document.getElementById(bar.dataset.form);
const line = bar.querySelector(".desk-line");
const isNew = bar.dataset.new === "new";

let version = Number(bar.dataset.version), dirty = false, saving = false, leaving = false;
let timer, copyTimer;

const copyName = () => `${COPIES}${bar.dataset.key}:${version}`;
const say = (text, trouble = false) => {
  if (line.textContent !== text) line.textContent = text;
  line.classList.toggle("desk-trouble", trouble);
};

// What is typed, without the fields of the desk itself.
function entries() {
  return [...new FormData(form)].filter(([name, value]) => typeof value === "string"
    && name !== "csrfmiddlewaretoken" && !name.startsWith("_") && !name.includes("__prefix__"));
}

let known = JSON.stringify(entries());

// The theme announces changes of selects that nobody has changed.
function typed() {
  if (!dirty && JSON.stringify(entries()) === known) return;
  dirty = true;
  clearTimeout(timer);
  clearTimeout(copyTimer);
  timer = setTimeout(save, PAUSE);
  copyTimer = setTimeout(copy, COPY_PAUSE);
}

// Keep a copy in this browser; returns whether there was room for it.
function copy() {
  const own = ["_key", "_base"].map((name) => [name, form.elements[name].value]);
  const value = JSON.stringify({ entries: [...entries(), ...own], page: location.pathname, draft: bar.dataset.draft });
  try {
    localStorage.setItem(copyName(), value);
    return true;
  } catch {
    say("Too long to be kept in this browser. Save the draft.", true);
    return false;
  }
}

function send(body, options = {}) {
  return fetch(bar.dataset.draft, { method: "POST", body, redirect: "manual", ...options });
}

async function save() {
  if (saving || !dirty) return;
  saving = true;
  dirty = false;
  known = JSON.stringify(entries());
  clearTimeout(timer);
  refreshToken(form);
  const sent = copyName();
  copy();
  try {
    await answered(await send(new FormData(form)), sent);
  } catch {
    dirty = true;
    say("Not saved: the server does not answer. What you typed is kept in this browser.", true);
    timer = setTimeout(save, 5 * PAUSE);
  } finally {
    saving = false;
    if (dirty && !line.classList.contains("desk-trouble")) timer = setTimeout(save, PAUSE);
  }
}

async function answered(response, sent) {
  if (response.ok) {
    const saved = await response.json();
    const unsent = dirty;
    version = saved.version;
    form.elements._base.value = saved.base;
    if (unsent) copy();
    if (sent !== copyName() || !unsent) localStorage.removeItem(sent);
    say(saved.taken.length ? `${saved.line} · ${saved.taken.join(", ")}: changed by somebody else, reload to see it` : saved.line);
    showChanges(saved.changed);
    if (isNew && !location.search.includes("draft=")) history.replaceState(null, "", `?draft=${bar.dataset.key}`);
  } else if (response.type === "opaqueredirect" || response.status === 403) {
    dirty = true;
    say("Not saved: your session has ended. What you typed is kept in this browser.", true);
    if (await logIn()) { say("Saving…"); saving = false; await save(); }
  } else if (response.status === 409) {
    const { asked } = await response.json();
    dirty = true;
    say(`Not saved: ${asked.join(", ")} was changed by somebody else, too. Save the draft to compare.`, true);
  } else {
    dirty = true;
    const reason = response.status === 413 ? "the text is longer than the server takes" : "the server refuses";
    say(`Not saved: ${reason}. What you typed is kept in this browser.`, true);
  }
}

function showChanges(changed) {
  for (const place of bar.querySelectorAll("[data-side]")) {
    place.textContent = changed[place.dataset.side]?.join(", ") || "no change";
  }
}

function leave() {
  if (leaving || (!dirty && !saving)) return;
  clearTimeout(copyTimer);
  copy();
  const body = new FormData(form);
  const size = entries().reduce((sum, [name, value]) => sum + name.length + 3 * value.length, 0);
  if (dirty && size < MAX_KEEPALIVE) send(body, { keepalive: true }).catch(() => {});
}

// What this browser has kept and the server has not: it is sent with the version in which it was
// typed, so that it is merged like any other save.
async function restoreCopies() {
  for (const name of Object.keys(localStorage)) {
    if (!name.startsWith(COPIES)) continue;
    const kept = JSON.parse(localStorage.getItem(name));
    const isOwn = name.startsWith(`${COPIES}${bar.dataset.key}:`);
    if (!isOwn && kept.page !== location.pathname) continue;
    const body = new FormData();
    for (const [field, value] of kept.entries) body.append(field, value);
    refreshToken(form);
    body.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
    const response = await fetch(kept.draft, { method: "POST", body, redirect: "manual" }).catch(() => undefined);
    if (response?.ok) {
      localStorage.removeItem(name);
      const saved = await response.json();
      const isListed = document.querySelector(`a[href$="draft=${body.get("_key")}"]`);
      if (isOwn ? saved.version !== version : saved.version && !isListed) {
        location.replace(location.href);
        return;
      }
    } else if (response?.status === 409 && isOwn) {
      localStorage.removeItem(name);
      compare(body);
      return;
    } else if (isOwn) {
      fill(kept.entries);
      typed();
      say("Not saved yet: what you typed before is here again.", true);
    }
  }
}

// Show both texts on a page of the server.
function compare(body) {
  const asking = document.createElement("form");
  asking.method = "post";
  body.set("_draft", "");
  for (const [name, value] of body) {
    const input = document.createElement("textarea");
    Object.assign(input, { name, value });
    asking.append(input);
  }
  asking.hidden = true;
  document.body.append(asking);
  asking.submit();
}

function fill(kept) {
  for (const field of form.elements) {
    const values = kept.filter(([name]) => name === field.name).map(([, value]) => value);
    if (!field.name || field.name.startsWith("_")) continue;
    if (field.type === "checkbox") field.checked = values.includes(field.value);
    else if (values.length) [field.value] = values;
  }
}

for (const name of ["input", "change"]) {
  form.addEventListener(name, (event) => { if (!event.target.name?.startsWith("_")) typed(); });
}
for (const name of ["formset:added", "formset:removed"]) document.addEventListener(name, typed);
window.addEventListener("load", () => window.django?.jQuery?.(form).on("change", "select", typed));
window.addEventListener("pagehide", leave);
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") leave(); });
form.addEventListener("submit", (event) => {
  if (event.submitter?.formTarget) return;
  refreshToken(form);
  if (dirty || saving) copy(); // Until the next page shows that the server has it.
  leaving = true;
});
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "s") {
    event.preventDefault();
    typed();
    clearTimeout(timer);
    save();
  }
});

form.classList.remove("warn-unsaved-form");
window.addEventListener("load", () => { window.onbeforeunload = null; });
const languages = form.querySelector(".desk-write");
languages.hidden = false;
function write(language) {
  form.elements._write.value = form.dataset.write = language;
  const shown = [...form.elements._language].find((radio) => radio.value === language);
  if (shown && !shown.checked) { shown.checked = true; shown.dispatchEvent(new Event("change", { bubbles: true })); }
}
languages.addEventListener("change", () => {
  localStorage.setItem("desk-write", form.elements._write.value);
  write(form.elements._write.value);
});
if (form.querySelector("[lang=vi]")) write(localStorage.getItem("desk-write") ?? (innerWidth < 1600 ? "en" : "both"));
else languages.hidden = true;

document.querySelector("[autofocus]")?.focus();
restoreCopies();
