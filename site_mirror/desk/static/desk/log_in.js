// Log-in in a dialog: the form of the log-in page is shown and sent here, so that the page stays.

const PAGE = "/admin/login/?next=/admin/";
let open;

export function logIn() {
  open ??= ask().finally(() => { open = undefined; });
  return open;
}

async function ask() {
  const dialog = document.createElement("dialog");
  dialog.className = "desk-dialog";
  dialog.setAttribute("aria-label", "Log in again");
  document.body.append(dialog);
  let form = await load(await fetch(PAGE));
  if (!form) { dialog.remove(); return true; } // There is a session again.
  return new Promise((resolve) => {
    const done = (result) => { dialog.close(); dialog.remove(); resolve(result); };
    const show = () => {
      const heading = document.createElement("h2");
      heading.textContent = "Log in again";
      const cancel = document.createElement("button");
      Object.assign(cancel, { type: "button", className: "desk-button", textContent: "Later" });
      cancel.onclick = () => done(false);
      dialog.replaceChildren(heading, form, cancel);
      form.onsubmit = async (event) => {
        event.preventDefault();
        form = await load(await fetch(PAGE, { method: "POST", body: new FormData(form) }));
        if (form) show(); else done(true);
      };
      form.querySelector("input:not([type=hidden])")?.focus();
    };
    dialog.addEventListener("cancel", () => done(false));
    show();
    dialog.showModal();
    form.querySelector("input:not([type=hidden])")?.focus();
  });
}

// Return the form of a log-in page; nothing if the answer is another page.
async function load(response) {
  if (!new URL(response.url).pathname.startsWith("/admin/login/")) return undefined;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const form = page.querySelector("form:has(input[type=password], [name=otp_token])") ?? page.querySelector("form");
  const errors = [...page.querySelectorAll(".errornote, [role=alert]")].filter((each) => !form.contains(each));
  form.prepend(...errors);
  return document.importNode(form, true);
}
