"use strict";

// Finds the passages of the site's pages that have all words of the field, whatever their case and
// marks. The library and the index are loaded when the first word is written.
const search = document.querySelector(".search-box");
const field = search.querySelector("input");
const status = search.querySelector(".status");
const list = search.querySelector(".found");
const MAX_PAGES = 20;
const AROUND = 90;

const fold = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/đ/g, "d");

const load = async () => {
  const [library, answer] = await Promise.all([import(search.dataset.library), fetch(search.dataset.index)]);
  if (!answer.ok) throw new Error(answer.statusText);
  const index = new library.default({
    fields: ["title", "heading", "text"],
    storeFields: ["address", "title", "heading", "text"],
    processTerm: fold,
    searchOptions: {
      boost: { title: 4, heading: 2 },
      combineWith: "AND",
      prefix: (term, place, terms) => place === terms.length - 1, // The reader may not have ended it.
    },
  });
  const { pages } = await answer.json();
  index.addAll(pages.flatMap(({ address, title, summary, sections }) => (
    [["", summary], ...sections].map(([heading, text]) => ({ address, title, heading, text }))
  )).map((passage, id) => ({ id, ...passage })));
  return index;
};

let loading;
const loaded = () => {
  loading ??= load().catch((error) => { loading = undefined; throw error; });
  return loading;
};

// The place of words that stand side by side: with the marks as written, or else without.
const placeOf = (text, words) => {
  const exact = text.toLowerCase().indexOf(words.toLowerCase());
  return exact < 0 ? fold(text).indexOf(fold(words)) : exact;
};

// Marks the words of a text that were found, and cuts it around their phrase, or the first of them.
const passage = (text, terms, phrase) => {
  const words = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)];
  const isFound = (word) => terms.includes(fold(word[0]));
  const place = placeOf(text, phrase);
  const first = place < 0 ? words.find(isFound)?.index ?? 0 : place;
  const begin = first > AROUND ? text.indexOf(" ", first - AROUND) + 1 : 0;
  const end = text.length > begin + 2 * AROUND ? text.lastIndexOf(" ", begin + 2 * AROUND) : text.length;
  const parts = [begin ? "… " : ""];
  let last = begin;
  for (const word of words.filter((each) => each.index >= begin && each.index < end && isFound(each))) {
    const mark = document.createElement("mark");
    mark.textContent = word[0];
    parts.push(text.slice(last, word.index), mark);
    last = word.index + word[0].length;
  }
  return [...parts, text.slice(last, end), end < text.length ? " …" : ""];
};

const item = ({ address, title, heading, text, terms }, phrase) => {
  const link = document.createElement("a");
  // The words of a heading also stand in contents and sentences: the first words below lead to it.
  const places = [text.match(/[^…:.]{10,30}(?= )/)?.[0], heading].filter(Boolean);
  const directives = places.map((words) => `text=${encodeURIComponent(words.trim())}`).join("&");
  link.href = heading ? `${address}#:~:${directives.replaceAll("-", "%2D")}` : address;
  link.textContent = heading ? `${title}: ${heading}` : title;
  const shown = document.createElement("p");
  shown.append(...passage(text, terms, phrase));
  const row = document.createElement("li");
  row.append(link, shown);
  return row;
};

const show = async () => {
  const words = field.value.trim();
  history.replaceState(null, "", words ? `?q=${encodeURIComponent(words)}` : location.pathname);
  if (!words) {
    list.replaceChildren();
    status.textContent = "";
    return;
  }
  status.textContent ||= status.dataset.asking;
  const index = await loaded();
  if (field.value.trim() !== words) return;
  const best = new Map();
  // Words side by side, as the syllables of a Vietnamese word are, come first, above all with
  // the marks as written, and those below the title before those in it alone.
  const boostDocument = (id, term, { title, heading, text }) => {
    const all = `${title} ${heading} ${text}`;
    if (placeOf(all, words) < 0) return 1;
    const isShown = placeOf(`${heading} ${text}`, words) >= 0;
    return (all.toLowerCase().includes(words.toLowerCase()) ? 100 : 10) * (isShown ? 3 : 1);
  };
  for (const result of index.search(words, { boostDocument })) {
    if (!best.has(result.address)) best.set(result.address, result);
  }
  list.replaceChildren(...[...best.values()].slice(0, MAX_PAGES).map((each) => item(each, words)));
  const { found, none } = status.dataset;
  const number = best.size > MAX_PAGES ? `${best.size} (1–${MAX_PAGES})` : best.size;
  status.textContent = best.size ? found.replace("%(number)s", number) : none;
};

const tryToShow = () => show().catch(() => { status.textContent = status.dataset.failed; });
field.addEventListener("input", tryToShow);

// The arrow keys lead from the field to the passages and back; Enter opens the first one.
search.addEventListener("keydown", (event) => {
  const stops = [field, ...list.querySelectorAll("a")];
  const here = stops.indexOf(document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const next = stops[here + step];
  if (step && next) {
    event.preventDefault();
    next.focus();
  } else if (event.key === "Enter" && here === 0) {
    stops[1]?.click();
  }
});

search.firstElementChild.hidden = false;
field.value = new URLSearchParams(location.search).get("q") ?? "";
field.focus();
if (field.value) tryToShow();
