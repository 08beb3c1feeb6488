// What the scripts of the desk share: requests with a form, and faults at their fields.

// A token changes with each log-in, also with one in another tab.
export function refreshToken(form) {
  const cookie = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/);
  if (cookie) form.elements.csrfmiddlewaretoken.value = cookie[1];
}

// Post a form; return the answer, or nothing if the session has ended or the server is away.
export async function post(address, form) {
  refreshToken(form);
  try {
    const response = await fetch(address, { method: "POST", body: new FormData(form), redirect: "manual" });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

export function fieldOf(form, name) {
  const found = name && form.elements[name];
  return found instanceof RadioNodeList ? found[0] : found || form.elements[`${name}_0`];
}

// Show all faults in a summary, with links, and each at its field. What is only empty so far is no
// fault of what is typed: it is named in one line.
export function showFaults(summary, form, found) {
  const isEmpty = (fault) => fieldOf(form, fault.name)?.value === "";
  const faults = found.filter((fault) => !isEmpty(fault));
  const empty = found.filter(isEmpty).map((fault) => fault.label);
  for (const old of form.querySelectorAll(".desk-fault-here, ul.errorlist")) old.remove();
  for (const field of form.querySelectorAll("[data-desk-invalid]")) {
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-errormessage");
    delete field.dataset.deskInvalid;
  }
  summary.hidden = !found.length;
  summary.classList.toggle("desk-calm", !faults.length);
  const heading = element("h2", faults.length === 1 ? "1 thing to correct" : `${faults.length} things to correct`);
  const list = document.createElement("ul");
  for (const fault of faults) {
    const item = document.createElement("li");
    const link = element("a", fault.label ? `${fault.label}: ${fault.text}` : fault.text);
    link.href = "#";
    Object.assign(link.dataset, { name: fault.name, line: fault.line });
    item.append(fault.name ? link : link.textContent);
    list.append(item);
    const field = fieldOf(form, fault.name);
    if (field) {
      field.setAttribute("aria-invalid", "true");
      field.dataset.deskInvalid = "";
      const here = element("p", fault.text);
      here.className = "desk-fault-here";
      here.id = `desk-fault-${form.querySelectorAll(".desk-fault-here").length}`;
      field.setAttribute("aria-errormessage", here.id);
      (field.closest(".field-line, td, .grow") ?? field.parentElement).append(here);
    }
  }
  const parts = faults.length ? [heading, list] : [];
  if (empty.length) parts.push(element("p", `Still empty: ${empty.join(", ")}.`));
  summary.replaceChildren(...parts);
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

// Go to a field, and to a line of its text. A field of a language that is not shown is shown again.
export function goTo(form, field, line) {
  if (!field) return;
  if (!field.offsetParent && form.elements._write) {
    form.elements._write.value = "both";
    form.dataset.write = "both";
  }
  field.focus();
  if (line && field.value !== undefined) {
    const before = field.value.split("\n").slice(0, line - 1).join("\n");
    const start = before.length + (line > 1 ? 1 : 0);
    const end = field.value.indexOf("\n", start);
    field.setSelectionRange(start, end < 0 ? field.value.length : end);
    field.blur(); // Browsers scroll to a selection when its field gets the focus.
    field.focus();
  }
}
