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

// One choice of a language holds for all programs of the page.
const programs = document.querySelectorAll(".programs details");
for (const each of programs) {
  each.addEventListener("toggle", () => {
    const chosen = each.firstElementChild.textContent;
    for (const other of each.open ? programs : []) other.open ||= other.firstElementChild.textContent === chosen;
  });
}
