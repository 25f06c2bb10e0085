// A view with sliders: a labelled range and number per input, a graph whose numbers follow, a line that says the result.
// All mathematics is done in the kernel; this file sends `inputs` and writes what comes back in `shown` into the page.

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// JupyterLab and Notebook take arrow keys and letters as commands unless the element with the focus says this itself.
const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" };
let views = 0;

function render({ model, el }) {
  const id = `adl-${(views += 1)}-${model.get("svg").length}`;
  const controls = model.get("controls");
  const what = model.get("what");
  const fields = new Map();
  let frame = 0;
  let timer = 0;

  function send() {
    // One message per frame at most; while the kernel is busy the widget manager keeps only the latest.
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      const inputs = {};
      for (const [name, { range }] of fields) inputs[name] = range.valueAsNumber;
      model.set("inputs", inputs);
      model.save_changes();
    });
  }

  const grid = element("div", { class: "adl-controls", role: "group", "aria-label": "Inputs" });
  controls.forEach(({ name, low, high, step }, place) => {
    const limits = { min: low, max: high, step, ...OWN_KEYS };
    const label = element("label", { for: `${id}-${place}` }, name);
    const range = element("input", { type: "range", id: `${id}-${place}`, ...limits });
    const number = element("input", { type: "number", "aria-label": `${name}, as a number`, ...limits });
    range.addEventListener("input", () => {
      number.value = range.value;
      send();
    });
    number.addEventListener("input", () => {
      if (!Number.isFinite(number.valueAsNumber)) return; // half typed, such as "-"
      range.value = number.value; // the range keeps it within its limits and steps
      send();
    });
    const settle = () => {
      number.value = range.value;
    };
    number.addEventListener("change", settle);
    number.addEventListener("keydown", (event) => {
      if (event.key === "Enter") settle();
    });
    grid.append(label, range, number);
    fields.set(name, { range, number });
  });
  const reset = element("button", { type: "button", class: "adl-reset", ...OWN_KEYS }, "Start values");
  reset.addEventListener("click", () => {
    for (const { name, start } of controls) {
      const { range, number } = fields.get(name);
      range.value = start;
      number.value = range.value;
    }
    send();
  });

  const note = element("p", { class: "adl-note" });
  const picture = element("div", { class: "adl-picture", tabindex: "0", role: "region", "aria-label": what, ...OWN_KEYS });
  const result = element("p", { class: "adl-result" });
  const spoken = element("p", { class: "adl-spoken", "aria-live": "polite", role: "status" });
  const table = element("div");
  const details = element("details", { class: "adl-table" }, element("summary", OWN_KEYS, `The ${what.toLowerCase()} as a table`), table);

  function show_inputs() {
    const inputs = model.get("inputs");
    for (const [name, { range, number }] of fields) {
      if (inputs[name] === undefined || inputs[name] === range.valueAsNumber) continue;
      range.value = inputs[name];
      if (document.activeElement !== number) number.value = range.value;
    }
  }

  function show_numbers() {
    const { numbers, message, sentence, alt } = model.get("shown");
    for (const [role, words] of Object.entries(numbers)) {
      for (const cell of el.querySelectorAll(`[data-role="${role}"]`)) {
        const text = words[Number(cell.dataset.node)] ?? "";
        if (cell.textContent !== text) cell.textContent = text;
      }
    }
    note.textContent = message;
    note.hidden = !message;
    result.textContent = sentence;
    picture.querySelector("svg")?.setAttribute("aria-label", alt);
    clearTimeout(timer); // a screen reader hears the value where the slider comes to rest, not each one on the way
    timer = setTimeout(() => {
      const said = message ? `${sentence}. ${message}` : sentence;
      if (spoken.textContent !== said) spoken.textContent = said;
    }, 350);
  }

  function show_graph() {
    picture.innerHTML = model.get("svg");
    table.innerHTML = model.get("table");
    show_numbers();
  }

  el.classList.add("adl-view");
  el.append(grid, note, picture, element("div", { class: "adl-foot" }, result, reset), spoken, details);
  if (!controls.length) reset.hidden = true;
  for (const { range, number } of fields.values()) number.value = range.value;
  show_graph();
  show_inputs();
  for (const { range, number } of fields.values()) number.value = range.value;

  const heard = { "change:inputs": show_inputs, "change:shown": show_numbers, "change:svg": show_graph };
  for (const [event, handler] of Object.entries(heard)) model.on(event, handler);
  return () => {
    for (const [event, handler] of Object.entries(heard)) model.off(event, handler);
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

export default { render };
