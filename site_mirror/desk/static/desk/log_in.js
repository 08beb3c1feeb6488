// Log-in in a dialog: the form of the log-in page is shown and sent here, so that the page stays.

const PAGE = "/admin/login/?next=/admin/";
const dialog = document.getElementById("desk-log-in");
dialog.querySelector("button").onclick = () => dialog.close();

// Return whether there is a session again.
export async function logIn() {
  const first = await load(await fetch(PAGE));
  if (!first) return true;
  const show = (form) => {
    dialog.querySelector("div").replaceChildren(form);
    form.querySelector("input:not([type=hidden])").focus();
    form.onsubmit = async (event) => {
      event.preventDefault();
      const next = await load(await fetch(PAGE, { method: "POST", body: new FormData(form) }));
      if (next) show(next); else dialog.close("done");
    };
  };
  dialog.returnValue = "";
  dialog.showModal();
  show(first);
  return new Promise((resolve) => { dialog.onclose = () => resolve(dialog.returnValue === "done"); });
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
