"use strict";

// Runs the example request of an operation and shows what came back.
for (const trial of document.querySelectorAll(".trial")) {
  const button = trial.querySelector(".run");
  const status = trial.querySelector(".status");
  const answer = trial.querySelector(".answer");
  const show = (part, text) => {
    answer.querySelector(`.${part}`).textContent = text;
  };

  const run = async () => {
    const response = await fetch(trial.dataset.address);
    const body = await response.text();
    const isJson = (response.headers.get("Content-Type") ?? "").includes("json");
    show("headers", [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n"));
    show("body", isJson ? JSON.stringify(JSON.parse(body), null, 2) : body);
    answer.hidden = false;
    return `${response.status} ${response.statusText}`.trim();
  };

  button.addEventListener("click", async () => {
    if (trial.ariaBusy === "true") return;
    trial.ariaBusy = "true";
    answer.hidden = true;
    status.textContent = status.dataset.asking;
    status.textContent = await run().catch(() => status.dataset.failed);
    trial.ariaBusy = "false";
  });
  trial.hidden = false;
}

// Copies the code below a label. Browsers offer the clipboard to trusted origins only.
for (const button of navigator.clipboard ? document.querySelectorAll(".copy") : []) {
  const label = button.textContent;

  button.addEventListener("click", async () => {
    const code = button.closest(".listing").querySelector("pre code");
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = button.dataset.done;
    button.addEventListener("blur", () => { button.textContent = label; }, { once: true });
  });
  button.hidden = false;
}
