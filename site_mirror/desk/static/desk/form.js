// What the scripts of the desk share: the form, requests with it, and faults at its fields.

export const form = document.querySelector("#content-main > form");

// What is typed, without the fields of the desk itself.
export function typedEntries() {
  return [...new FormData(form)].filter(([name]) => !/^_|^csrfmiddlewaretoken$|__prefix__/.test(name));
}

// Call back after each change of what is typed. Calendars and dragged rows change a form without
// an event of their own, so it is compared after whatever happens on the page.
export function onTyping(callback) {
  let known = JSON.stringify(typedEntries());
  const compare = () => {
    const now = JSON.stringify(typedEntries());
    if (now !== known) callback();
    known = now;
  };
  for (const name of ["input", "change", "click", "dragend", "formset:added", "formset:removed"]) {
    document.addEventListener(name, () => setTimeout(compare), true);
  }
}

// A token changes with each log-in, also with one in another tab.
export function refreshToken() {
  const cookie = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/);
  if (cookie) form.elements.csrfmiddlewaretoken.value = cookie[1];
}

// Post a form, or other entries; return nothing if the server is away.
export function send(address, entries = new FormData(form), options = {}) {
  refreshToken();
  const { name, value } = form.elements.csrfmiddlewaretoken;
  entries.set(name, value);
  return fetch(address, { method: "POST", body: entries, redirect: "manual", ...options }).catch(() => undefined);
}

function fieldOf(name) {
  return form.querySelector(`[name="${name}"], [name="${name}_0"]`);
}

// Show all faults in a summary, with links, and each at its field. Fields that are only
// empty so far are named together in one line.
export function showFaults(summary, found) {
  const isEmpty = (fault) => fieldOf(fault.name)?.value === "";
  const faults = found.filter((fault) => !isEmpty(fault));
  const empty = found.filter(isEmpty).map((fault) => fault.label);
  for (const old of form.querySelectorAll(".desk-fault-here, ul.errorlist")) old.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) {
    field.removeAttribute("aria-invalid");
    describe(field, "");
  }
  summary.hidden = !found.length;
  summary.classList.toggle("desk-calm", !faults.length);
  const list = element("ul", "");
  for (const [number, fault] of faults.entries()) {
    const field = fieldOf(fault.name);
    const words = fault.label ? `${fault.label}: ${fault.text}` : fault.text;
    const link = element("a", words, { href: `#${field?.id}` });
    link.dataset.line = fault.line;
    list.append(element("li", ""));
    list.lastChild.append(field ? link : words);
    if (field) markFault(field, fault.text, `desk-fault-${number}`);
  }
  summary.replaceChildren();
  const title = ngettext("%s thing to correct", "%s things to correct", faults.length);
  if (faults.length) summary.append(element("h2", interpolate(title, [faults.length])), list);
  if (empty.length) summary.append(element("p", interpolate(gettext("Still empty: %s."), [empty.join(", ")])));
}

function markFault(field, text, id) {
  field.setAttribute("aria-invalid", "true");
  describe(field, id);
  const place = field.closest(".field-line, td") ?? field.parentElement;
  place.append(element("p", text, { id, className: "desk-fault-here" }));
}

// Name the fault of a field, or none, before its help.
function describe(field, id) {
  const others = (field.getAttribute("aria-describedby") ?? "").replace(/desk-fault-\d+ ?/g, "");
  field.setAttribute("aria-describedby", `${id} ${others}`.trim());
}

export function element(name, textContent, more = {}) {
  return Object.assign(document.createElement(name), { textContent, ...more });
}

// A link of a fault leads to its field, and to the line of its text, also from another page.
document.addEventListener("click", (event) => {
  const link = event.target.closest(".desk-faults a");
  const field = link && document.getElementById(link.hash.slice(1));
  if (!field) return;
  event.preventDefault();
  showLine(field, Number(link.dataset.line));
});

const named = form?.elements[location.hash.slice(1)];
if (named) showLine(named, Number(new URLSearchParams(location.search).get("line")));

// Show a field, and a line of its text. Switches that hide the field are changed.
function showLine(field, line) {
  document.querySelector("[name=_pane][value=write]")?.click();
  if (!field.offsetParent) form.elements._write.value = "both";
  field.focus();
  if (!line) return;
  const start = field.value.split("\n", line - 1).map((text) => `${text}\n`).join("").length;
  const end = field.value.indexOf("\n", start);
  field.setSelectionRange(start, end < 0 ? field.value.length : end);
  field.blur(); // Browsers scroll to a selection when its field gets the focus.
  field.focus();
}
