"use strict";

// Loads Swagger UI when it is wanted, and shows the OpenAPI document in it.
const explorer = document.querySelector(".explorer");
const offer = explorer.querySelector(".trial");
const status = offer.querySelector(".status");
const place = explorer.querySelector(".place");

const loaded = (element, attributes) => new Promise((resolve, reject) => {
  Object.assign(element, attributes, { onload: resolve, onerror: reject });
  document.head.append(element);
});

async function start() {
  status.textContent = status.dataset.asking;
  const { document: url, script, style } = explorer.dataset;
  await Promise.all([
    loaded(document.createElement("link"), { rel: "stylesheet", href: style }),
    loaded(document.createElement("script"), { src: script }),
  ]);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", follow);
  follow();
  window.SwaggerUIBundle({ domNode: place, url, deepLinking: true, defaultModelsExpandDepth: 0 });
  offer.hidden = true;
  place.focus();
}

const tryToStart = () => start().catch(() => { status.textContent = status.dataset.failed; });
offer.querySelector(".run").addEventListener("click", tryToStart);
offer.hidden = false;

// The address of an operation inside of Swagger UI, as its own links have it.
if (location.hash.startsWith("#/")) tryToStart();
