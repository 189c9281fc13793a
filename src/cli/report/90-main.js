// Wires the controls, and shows the page.

function setText(id, text) {
  document.getElementById(id).textContent = text;
}

function onClick(id, call) {
  document.getElementById(id).addEventListener("click", call);
}

function fillHeader() {
  const name = (model.path || "").split("/").pop();
  document.title = `${name} - irrun`;
  setText("title", name);
  document.getElementById("title").title = model.path;
  setText("verdict", model.verdict);
  document.getElementById("verdict").className = model.verdict === "ok" ? "ok" : "bad";
  const errors = faults.filter(fault => fault.severity === "error").length;
  const warnings = faults.filter(fault => fault.severity === "warning").length;
  setText("totals", [countText(ownLayers.length, "layer"), errors ? countText(errors, "error") : "", warnings ? countText(warnings, "warning") : "",
    model.kind || "", `irrun ${doc.tool.version}`].filter(Boolean).join(" \u00b7 "));
}

function fillColours() {
  const stepSum = member => layer => layer.steps.reduce((sum, step) => sum + member(step), 0);
  measures.operations = layer => Number(layer.macs || 0);
  measures.weights = layer => layer.sources.reduce((sum, index) => sum + (layers[index].drawn ? 0 : Number(layers[index].constant_bytes)), 0);
  if (times.length > 0) {
    measures.time = stepSum(step => step.duration_ns);
    measures["time above the floor"] = stepSum(step => Math.max(step.duration_ns - step.floor_ns, 0));
    measures["bytes moved"] = stepSum(bytesOf);
  }
  if (compared.length > 0)
    measures.difference = layer => (layer.compared || []).reduce((most, one) => Math.max(most, typeof one.max_abs === "number" ? one.max_abs : 0), 0);
  const select = document.getElementById("colour-by");
  select.append(...Object.keys(measures).map(name => el("option", { value: name }, name === "kind" ? "kind of op" : name)));
  select.addEventListener("change", () => {
    chooseMeasure(select.value);
    fillLegend();
  });
}

function fillLegend() {
  const swatch = (classes, text) => el("span", {}, el("i", { class: classes }), text);
  const used = [...new Set(layers.filter(layer => layer.drawn).map(kindOf))].sort();
  const names = { end: "input, output", movement: "shape, movement", matrix: "matrix product", infrastructure: "constant, state",
    unknown: "unknown to irrun" };
  const changes = doc.differences ? ["added", "changed", "removed"].map(word => swatch(word, word)) : [];
  document.getElementById("legend").replaceChildren(...(measure_of === "kind"
    ? used.map(kind => swatch("kind-" + kind, names[kind] || kind))
    : [swatch("heat-0", "none"), swatch("heat-3", ""), swatch("heat-6", ""), swatch("heat-9", `the most ${measure_of}`)]), ...changes);
}

function fillTabs() {
  document.getElementById("tabs").append(...views.map(view =>
    el("button", { role: "tab", "aria-selected": "false", onclick: () => showView(view.name) }, view.name)));
  const hasErrors = faults.some(fault => fault.severity === "error");
  const first = views.find(view => /^(differences|comparison)/.test(view.name)) || (hasErrors ? views[1] : views[0]);
  showView(first.name);
}

function itemAt(target) {
  for (let element = target; element && element !== graph; element = element.parentNode)
    if (element.item)
      return element.item;
  return null;
}

// Finds the box at a place of the screen; boxes that are drawn as one path have no element.
function itemUnder(event) {
  const area = graph.getBoundingClientRect();
  const x = view.x + (event.clientX - area.left) / view.scale, y = view.y + (event.clientY - area.top) / view.scale;
  const under = items.filter(item => isIn(item.box, { x, y, right: x + 0.01, bottom: y + 0.01 }));
  return itemAt(event.target) || under[under.length - 1] || null;
}

function clicked(event) {
  const item = itemUnder(event);
  if (!item || item.index === 0 && item.isGroup)
    choose(groups[0] || null);
  else if (item.isGroup && (!item.open || event.target.classList.contains("head"))) {
    toggle(item);
    choose(item);
  } else {
    choose(item);
  }
}

function wireGraph() {
  let from = null, dragged = false;
  graph.addEventListener("pointerdown", event => {
    from = { x: event.clientX, y: event.clientY };
    dragged = false;
  });
  graph.addEventListener("pointermove", event => {
    if (!from)
      return;
    if (!dragged && Math.hypot(event.clientX - from.x, event.clientY - from.y) < 4)
      return;
    if (!dragged)
      graph.setPointerCapture(event.pointerId);
    dragged = true;
    graph.classList.add("dragged");
    view.x -= (event.clientX - from.x) / view.scale;
    view.y -= (event.clientY - from.y) / view.scale;
    from = { x: event.clientX, y: event.clientY };
    show();
  });
  graph.addEventListener("pointerup", () => {
    from = null;
    graph.classList.remove("dragged");
  });
  graph.addEventListener("click", event => dragged || clicked(event));
  graph.addEventListener("wheel", event => {
    event.preventDefault();
    const area = graph.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.clientX - area.left, event.clientY - area.top);
  }, { passive: false });
  window.addEventListener("resize", redraw);
}

function step(list) {
  const next = chosen && !chosen.isGroup && list(chosen).map(index => layers[index]).find(layer => layer.drawn);
  if (next)
    choose(next, true);
}

const help = document.getElementById("help");

const keys = {
  "/": () => document.getElementById("search").focus(),
  "n": () => nextFault(1),
  "p": () => nextFault(-1),
  "+": () => zoom(1.25),
  "-": () => zoom(0.8),
  "f": fit,
  "o": () => setAll(true),
  "c": () => setAll(false),
  "u": () => step(layer => layer.sources),
  "d": () => step(layer => layer.readers),
  "?": () => help.showModal(),
  "Escape": () => choose(null),
  "ArrowLeft": () => { view.x -= 80 / view.scale; show(); },
  "ArrowRight": () => { view.x += 80 / view.scale; show(); },
  "ArrowUp": () => { view.y -= 80 / view.scale; show(); },
  "ArrowDown": () => { view.y += 80 / view.scale; show(); },
};

function wireKeys() {
  const box = document.getElementById("search");
  let timer = 0;
  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => search(box.value), 80);
  });
  box.addEventListener("keydown", event => {
    if (event.key === "Enter") {
      clearTimeout(timer);
      if (matches.length === 0)
        search(box.value);
      nextMatch(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      box.value = "";
      search("");
      graph.focus();
    }
  });
  document.addEventListener("keydown", event => {
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || help.open || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const call = keys[event.key];
    if (!call || (event.key.startsWith("Arrow") && event.target !== graph && event.target !== document.body))
      return;
    event.preventDefault();
    call();
  });
}

// On paper the graph is as wide as the page, and as long as it has to be.
let on_screen = null;

window.addEventListener("beforeprint", () => {
  if (groups.length === 0)
    return;
  const { width, height } = groups[0].box;
  on_screen = { ...view };
  Object.assign(view, { x: 0, y: 0, scale: 1 });
  move();
  draw({ x: 0, y: 0, right: width, bottom: height });
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  picture.style.maxWidth = width + "px";
});

window.addEventListener("afterprint", () => {
  picture.removeAttribute("viewBox");
  picture.style.maxWidth = "";
  Object.assign(view, on_screen || view);
  redraw();
});

for (const group of groups)
  group.all = layersIn(group);
fillHeader();
fillColours();
fillLegend();
fillTabs();
onClick("fit", fit);
onClick("larger", () => zoom(1.25));
onClick("smaller", () => zoom(0.8));
onClick("open-all", () => setAll(true));
onClick("fold-all", () => setAll(false));
onClick("show-help", () => help.showModal());
wireGraph();
wireKeys();
openSome(60);
arrange();
begin();
