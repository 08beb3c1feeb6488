// While a job is at work, the page is asked for its state; in the end, for the rest of the page, too.

const PAUSE = 200;
const shown = document.querySelector(".desk-publication");
const rest = document.querySelector("[data-rest]");

async function watch() {
  while (["waiting", "running"].includes(shown.dataset.phase)) {
    await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
    const response = await fetch(location.href).catch(() => undefined);
    if (!response?.ok || response.redirected) continue; // The server or the session is away.
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    show(page.querySelector(".desk-publication"));
    rest.replaceChildren(...page.querySelector("[data-rest]").childNodes);
  }
}

// The text of the status changes in its element, so that it is said aloud.
function show(next) {
  const status = shown.querySelector("[role=status]");
  const words = next.querySelector("[role=status]").textContent.trim();
  if (status.textContent.trim() !== words) status.textContent = words;
  shown.dataset.phase = next.dataset.phase;
  shown.replaceChildren(status, ...[...next.children].slice(1));
}

watch();
