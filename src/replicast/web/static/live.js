// Answers while you type; without this script the forms are sent and come back.
"use strict";

for (const form of document.querySelectorAll("form[data-live]")) {
  let waiting = null;
  let running = null;

  const address = () => {
    const query = new URLSearchParams();
    for (const field of form.elements) {
      if (!field.name || field.value === "" || field.offsetParent === null) continue;
      if (field.type === "radio") {
        if (field.checked && (field.name === "vary" || field.dataset.kept !== undefined)) query.set(field.name, field.value);
        continue;
      }
      if (field.name === "runs" && field.value === "1" && field.type !== "range") continue;
      query.set(field.name, field.value);
    }
    if (form.action.endsWith("/plan")) query.set("setting", form.elements.setting.value);
    return `${form.getAttribute("action")}?${query}`;
  };

  const show = (text) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    const result = document.querySelector("[data-result]");
    const next = page.querySelector("[data-result]");
    const open = [...result.querySelectorAll("details")].map((part) => part.open);
    result.replaceChildren(...next.childNodes);
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
    running = new AbortController();
    const result = document.querySelector("[data-result]");
    result.dataset.waiting = "";
    try {
      const answer = await fetch(link, { signal: running.signal });
      show(await answer.text());
      history.replaceState(null, "", link);
      delete result.dataset.waiting;
    } catch (problem) {
      if (problem.name !== "AbortError") delete result.dataset.waiting;
    }
  };

  form.addEventListener("input", (event) => {
    const output = form.querySelector(`#${event.target.id}-value`);
    if (output) {
      const value = Number(event.target.value);
      output.textContent = event.target.name === "probability" ? `${Math.round(100 * value)}%`
        : event.target.name === "effect" ? value.toFixed(2) : event.target.value;
    }
    clearTimeout(waiting);
    waiting = setTimeout(ask, 150);
  });
  form.addEventListener("submit", (event) => { event.preventDefault(); clearTimeout(waiting); ask(); });
}

function dress(part) {
  for (const text of part.querySelectorAll("[data-copy]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = "Copied";
    });
    text.previousElementSibling.append(button);
  }
}

dress(document);
