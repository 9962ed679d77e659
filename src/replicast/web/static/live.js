// Answers while you type; without this script the forms are sent and come back.
"use strict";

const PAUSE = 40; // milliseconds after a key before the server is asked
const SETTLED = 1500; // milliseconds after which an answer is worth a step back
const RETRY = 3000; // milliseconds until a server that did not answer is asked again

for (const form of document.querySelectorAll("form[data-live]")) {
  let waiting = null;
  let running = null;
  let shownAt = Date.now();
  let shownFor = "";
  let query = location.search; // a step to a part of the page is a step too, and changes nothing

  const seen = () => [...form.elements].filter((field) => field.name && field.offsetParent);
  const described = () => seen()
    .filter((field) => field.value && (field.matches("input") || ["test", "relation"].includes(field.name)))
    .map((field) => `${field.name} = ${field.value}`).join(", ");

  const address = () => {
    const query = new URLSearchParams();
    for (const field of seen()) {
      // a choice is said where it is not the usual one, or where the field it asks for is still empty
      const open = form.elements[field.value];
      const kept = field.dataset.usual ? field.value !== field.dataset.usual && (!open || !open.value)
        : field.name !== "report" && (!open?.value || form.action.endsWith("/plan"));
      if (field.matches("select") && !kept) continue;
      if (field.value === "" || (field.name === "runs" && field.value === "1" && field.type !== "range")) continue;
      query.set(field.name, field.value);
    }
    return `${form.getAttribute("action")}?${query}`;
  };

  const show = (text) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    const result = document.querySelector("[data-result]");
    const next = page.querySelector("[data-result]");
    const open = [...result.querySelectorAll("details")].map((part) => part.open);
    result.replaceChildren(...next.childNodes);
    result.className = next.className;
    result.ariaLabel = next.ariaLabel;
    [...result.querySelectorAll("details")].forEach((part, place) => { part.open = open[place] ?? false; });
    document.title = page.title;
    for (const place of form.querySelectorAll("[data-error]")) {
      const told = page.querySelector(`[data-error="${place.dataset.error}"]`);
      const words = told ? told.textContent : "";
      place.textContent = words;
      place.hidden = words === "";
      const field = form.querySelector(`#${place.dataset.error}`);
      if (field) words ? field.setAttribute("aria-invalid", "true") : field.removeAttribute("aria-invalid");
    }
    dress(result);
  };

  const ask = async () => {
    const link = address();
    running?.abort();
    const mine = running = new AbortController();
    const result = document.querySelector("[data-result]");
    result.setAttribute("aria-busy", "true");
    result.dataset.waiting = "";
    try {
      const answer = await fetch(link, { signal: mine.signal, headers: { "X-Part": "answer" } });
      if (!answer.ok && answer.status !== 422) throw new Error(String(answer.status));
      show(await answer.text());
      if (link !== location.pathname + location.search) {
        history[Date.now() - shownAt > SETTLED ? "pushState" : "replaceState"](null, "", link);
      }
      query = location.search;
      shownAt = Date.now();
      shownFor = described();
      delete result.dataset.stale;
      say(document.querySelector("[data-headline]")?.textContent ?? "");
    } catch (problem) {
      if (problem.name === "AbortError") return;
      result.dataset.stale = "";
      say(`Not updated: the server does not answer.${shownFor ? ` Shown is ${shownFor}.` : ""}`);
      clearTimeout(waiting);
      waiting = setTimeout(ask, RETRY);
    }
    delete result.dataset.waiting;
    result.removeAttribute("aria-busy");
  };

  form.addEventListener("input", (event) => {
    const output = form.querySelector(`#${event.target.id}-value`);
    if (output) {
      const value = Number(event.target.value);
      output.textContent = event.target.name === "probability" ? `${Math.round(100 * value)}%`
        : event.target.name === "effect" ? value.toFixed(2) : event.target.value;
    }
    clearTimeout(waiting);
    waiting = setTimeout(ask, PAUSE);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    await ask();
    form.querySelector("[aria-invalid]")?.focus();
  });
  addEventListener("popstate", () => { if (location.search !== query) location.reload(); });
  shownFor = described();
}

function say(words) {
  const line = document.querySelector("[data-status]");
  if (line) line.textContent = words.trim();
}

function dress(part) {
  for (const text of part.querySelectorAll("[data-copy]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      button.textContent = await copied(text) ? "Copied" : "Press Ctrl+C";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    text.previousElementSibling.append(button);
  }
  for (const table of part.querySelectorAll("table[data-sortable]")) sortable(table);
  for (const chart of part.querySelectorAll(".chart")) if (chart.querySelector("title")) telling(chart);
}

// Shows the value under a pointer, a finger or the keyboard below its chart, where titles do not.
function telling(chart) {
  const line = document.createElement("p");
  line.className = "note value";
  line.ariaHidden = "true"; // a mark that is reached says its value itself
  (chart.closest(".scroll, .tall") ?? chart).after(line);
  const show = (event) => {
    const mark = event.target.closest(".told, .spot");
    if (mark) line.textContent = mark.querySelector("title").textContent;
  };
  chart.addEventListener("pointerover", show);
  chart.addEventListener("focusin", show);
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text.textContent);
    return true;
  } catch { // no clipboard without https: select the text, and try the old way
    getSelection().selectAllChildren(text);
    return document.execCommand("copy");
  }
}

// The number that a cell begins with: "−1.5 points", "<0.001*", "over 99", "r = 0.40", "17:0:3".
function numberIn(text) {
  const plain = text.replaceAll("−", "-").replaceAll(",", "");
  return plain.match(/^(?:[<>]|over |under |\S+ = )?(-?[\d.]+(?:e-?\d+)?)(?=$|[%:*\s])/)?.[1];
}

function sortable(table) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const key = (row) => numberIn(row.cells[column].textContent);
      const order = (a, b) => {
        const [x, y] = [key(a), key(b)];
        if (x === undefined || y === undefined) {
          if (x !== y) return x === undefined ? 1 : -1; // what has no number stays below
          return (up ? 1 : -1) * a.cells[column].textContent.localeCompare(b.cells[column].textContent);
        }
        return (up ? 1 : -1) * (x - y);
      };
      body.querySelector(".rule")?.remove(); // it parts the rows as they came
      body.append(...[...body.rows].sort(order));
    });
  });
}

for (const form of document.querySelectorAll("form[data-posted]")) {
  const buttons = form.querySelectorAll("button");
  form.addEventListener("submit", () => {
    setTimeout(() => buttons.forEach((button) => { button.disabled = true; })); // once it was sent
    setTimeout(() => say("Working on it …"), 1000);
  });
  addEventListener("pageshow", () => { // back from a report
    buttons.forEach((button) => { button.disabled = false; });
    say("");
  });
}

// A table too long for an address: the tab keeps what was typed, so that the way back finds it.
const TYPED = "replicast-table";
const table = document.querySelector("textarea#table");
table?.form.addEventListener("submit", () => {
  try {
    sessionStorage.removeItem(TYPED); // an older one is worse than none
    sessionStorage.setItem(TYPED, table.value);
  } catch {} // full, or forbidden
});
if (document.querySelector("[data-answers-a-post]")) {
  history.replaceState(null, "", "/scores"); // back or anew, the browser asks for the form, not to send it again
}
addEventListener("pageshow", () => {
  const came = performance.getEntriesByType("navigation")[0]?.type;
  const blank = document.querySelector("form[data-blank]") && table.value === "";
  if (!blank || !["back_forward", "reload"].includes(came)) return;
  try { table.value = sessionStorage.getItem(TYPED) ?? ""; } catch {} // forbidden
});

const files = document.querySelector("input[type=file][data-drop]");
if (files) {
  const preview = document.querySelector("[data-preview]");
  const shown = async () => {
    const chosen = [...files.files];
    preview.hidden = chosen.length === 0;
    if (!chosen.length) return;
    const head = (await chosen[0].slice(0, 2000).text()).split(/\r?\n/).slice(0, 5).join("\n");
    const readable = !/[\u0000-\u0008\ufffd]/.test(head);
    preview.textContent = `${chosen.map((file) => file.name).join(", ")}${readable ? `\n${head}` : ""}`;
  };
  files.addEventListener("change", shown);
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    if (!event.dataTransfer.files.length) return;
    files.files = event.dataTransfer.files;
    shown();
  });
}

dress(document);
