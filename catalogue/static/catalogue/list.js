// Rows are dragged to another place, and one box chooses all rows of a page.
const form = document.querySelector("#changelist-form");
const all = form?.querySelector("#action-toggle");
all?.addEventListener("change", () => {
  for (const box of form.querySelectorAll(".action-select")) box.checked = all.checked;
});

const rowOf = (event) => event.target.closest?.("tbody tr");
const keyOf = (row) => row.querySelector(".field-order button").value;
let dragged = null;

for (const cell of form?.querySelectorAll("td.field-order") ?? []) {
  const grip = document.createElement("span");
  grip.className = "desk-grip";
  grip.draggable = true;
  grip.title = form.dataset.drag;
  grip.textContent = "⠿";
  grip.ariaHidden = "true";
  cell.append(grip);
}

form?.addEventListener("dragstart", (event) => {
  dragged = rowOf(event);
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setDragImage(dragged, 0, 0);
});
form?.addEventListener("dragover", (event) => {
  const onto = rowOf(event);
  if (!dragged || !onto) return;
  event.preventDefault();
  form.querySelector(".onto")?.classList.remove("onto");
  if (onto !== dragged) onto.classList.add("onto");
});
form?.addEventListener("drop", (event) => {
  const onto = rowOf(event);
  if (!dragged || !onto || onto === dragged) return;
  event.preventDefault();
  for (const [name, row] of [["dragged", dragged], ["onto", onto]]) {
    form.insertAdjacentHTML("beforeend", `<input type="hidden" name="${name}">`);
    form.lastElementChild.value = keyOf(row);
  }
  form.action = "move/";
  form.submit();
});
form?.addEventListener("dragend", () => {
  dragged = null;
  form.querySelector(".onto")?.classList.remove("onto");
});
