// The lists beside the graph. Each view appears only if the page has its data.

const views = [];

function rowOf(item, title, small, bar) {
  const row = el("button", { class: "row", onclick: () => item && choose(item, true) }, el("span", { dir: "auto" }, title || "(no name)"), " ",
    el("small", { dir: "auto" }, small || ""));
  if (bar !== undefined) {
    const line = el("span", { class: "bar" });
    line.style.width = `${Math.max(100 * bar, 0.5)}%`;
    row.append(line);
  }
  return row;
}

// A list of which only the first rows are made, with a button for more.
function longList(all, makeRow, step = 300) {
  const list = el("div", { class: "list" });
  const add = from => {
    list.append(...all.slice(from, from + step).map(makeRow));
    if (from + step < all.length) {
      const more = el("button", { class: "more", onclick: () => { more.remove(); add(from + step); } }, `${all.length - from - step} more`);
      list.append(more);
    }
  };
  add(0);
  return list;
}

// ---- the model ----

function ioRows(list) {
  return list.map(io => [io.name || "(no name)", el("div", {}, typeText(io.type, io.shape), el("br"),
    byName.has(io.layer) ? linkTo(byName.get(io.layer)) : "")]);
}

function sizeRows(sizes) {
  return [["parameters", Number(sizes.parameters).toLocaleString("en")], ["constants", bytesText(sizes.constant_bytes)],
    ...sizes.weights.map(one => [`${one.type} weights`, `${Number(one.parameters).toLocaleString("en")}, ${bytesText(one.bytes)}`])];
}

function modelView() {
  const macs = ownLayers.reduce((sum, layer) => sum + (layer.macs || 0), 0);
  const rows = [["file", model.path], ["kind", model.kind || ""], ["layers", String(ownLayers.length)]];
  if (macs > 0)
    rows.push(["operations", Number(macs).toLocaleString("en") + " multiplications, additions and comparisons"]);
  return el("div", {}, tableOf(rows), ...section("inputs", tableOf(ioRows(model.inputs || []))), ...section("outputs", tableOf(ioRows(model.outputs || []))),
    ...section("sizes", model.sizes ? tableOf(sizeRows(model.sizes)) : null),
    ...section("ops", tableOf(opCounts(ownLayers).map(([name, count]) => [name, String(count)]))));
}

// ---- finding layers ----

function textOf(layer) {
  if (!layer.text)
    layer.text = [layer.name, opName(layer), layer.id, ...layer.faults.flatMap(fault => [fault.rule, fault.slug]),
      ...(layer.names || []), ...layer.outputs.flatMap(output => [output.names || "", typeText(output.type, output.shape)]),
      ...layer.steps.map(step => step.kernel)].join("\n").toLowerCase();
  return layer.text;
}

for (const io of [...(model.inputs || []), ...(model.outputs || [])])
  if (byName.has(io.layer))
    (byName.get(io.layer).names ||= []).push(io.name);

let matches = [], at_match = -1;

function search(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  matches = words.length === 0 ? [] : layers.filter(layer => words.every(word => textOf(layer).includes(word)));
  at_match = -1;
  found = new Set(matches);
  redraw();
  if (words.length > 0)
    showView("found", el("div", {}, el("p", { class: "soft" }, countText(matches.length, "layer")),
      longList(matches, layer => rowOf(layer, layer.name, subtitleOf(layer)))));
  else
    showView(views[0].name);
}

function nextMatch(step) {
  if (matches.length === 0)
    return;
  at_match = (at_match + step + matches.length) % matches.length;
  choose(matches[at_match], true);
}

// ---- faults ----

let at_fault = -1;

function faultsView() {
  return longList(faults, fault => {
    const row = rowOf(fault.at, fault.message, `${fault.rule} ${fault.layer ? fault.layer.name : ""}`);
    row.prepend(el("b", { class: fault.severity + "-text" }, fault.severity + " "));
    const card = el("div", {}, row, excerptOf(fault, 16, false));
    if (!fault.at)
      row.addEventListener("click", () => details.replaceChildren(faultCard(fault)));
    return card;
  });
}

function nextFault(step) {
  const placed = faults.filter(fault => fault.at);
  if (placed.length === 0)
    return;
  at_fault = (at_fault + step + placed.length) % placed.length;
  choose(placed[at_fault].at, true);
}

// ---- a run ----

const times = rowsOf(page.times);
for (const step of times)
  layers[step.layer].steps.push(step);

// The layers on a way of at most `most` lines from `last` up to `first`, without `first`; null: there is none.
function wayUp(last, first, most) {
  if (last === first)
    return [];
  for (const index of most > 0 ? last.sources : []) {
    const way = layers[index].drawn ? wayUp(layers[index], first, most - 1) : null;
    if (way)
      return [last, ...way];
  }
  return null;
}

// A layer that fuses others writes the result of the last of them.
for (const choice of rowsOf(page.plan && page.plan.choices)) {
  const layer = layers[choice.layer], last = choice.fused && choice.last !== null ? layers[choice.last] : null;
  (layer.choices ||= []).push(choice);
  for (const fused of last ? wayUp(last, layer, choice.fused.split("+").length) || [] : [])
    fused.fusedInto = layer;
}

function timeView() {
  const steps = [...times].sort((a, b) => b.duration_ns - a.duration_ns);
  const outer = steps.filter(step => step.depth === 0 && step.floor_ns !== null);
  const sum = key => outer.reduce((total, step) => total + step[key], 0);
  const floor = floorText({ duration_ns: sum("duration_ns"), floor_ns: sum("floor_ns") });
  return el("div", {}, el("p", {}, [`${timeText(page.run_ns)} in ${countText(steps.length, "step")}`, floor].filter(Boolean).join(", ")),
    longList(steps, step => rowOf(layers[step.layer], layers[step.layer].name, [timeText(step.duration_ns), percentText(step.duration_ns, page.run_ns),
      `${step.kernel} (${step.isa})`, bytesText(bytesOf(step)), floorText(step)].filter(Boolean).join(", "),
    step.duration_ns / Math.max(steps[0].duration_ns, 1))));
}

function memoryView() {
  const plan = page.plan, tensors = new Map(rowsOf(plan.tensors).map(tensor => [tensor.number, tensor]));
  const list = [...tensors.values()].sort((a, b) => b.bytes - a.bytes);
  const nameOf = tensor => tensor.layer === null ? "a tensor of the plan" : layers[tensor.layer].name;
  const textOfPlace = tensor => `${typeText(tensor.type, tensor.shape)} ${bytesText(tensor.bytes)}, steps ${tensor.first_step} to ${tensor.last_step}`;
  return el("div", {}, el("p", {}, `a block of ${bytesText(plan.block_bytes)} for ${countText(list.length, "tensor")}, ` +
    `scratch ${bytesText(plan.scratch_bytes)} a thread`), memoryChart(plan, list, tensor => `${nameOf(tensor)} ${textOfPlace(tensor)}`),
  longList(list, tensor => rowOf(layers[tensor.layer], nameOf(tensor), textOfPlace(tensor), tensor.bytes / list[0].bytes)));
}

const tensors = rowsOf(page.tensors);
for (const tensor of tensors)
  layers[tensor.layer].tensors.push(tensor);

function tensorsView() {
  return longList(tensors, tensor => {
    const layer = layers[tensor.layer], output = layer.outputs[tensor.port];
    const row = rowOf(layer, layer.name, `${output ? typeText(output.type, output.shape) : ""}  ` +
      (tensor.finite > 0 ? `${numberText(tensor.min)} to ${numberText(tensor.max)}, mean ${numberText(tensor.mean)}` : "no finite element"));
    row.append(oddText(tensor) || "");
    return row;
  });
}

// ---- a comparison ----

const compared = [];
for (const one of model.inner || []) {
  one.at = layers.find(layer => String(layer.id) === String(one.id) && !(layer.inside || []).length);
  compared.push(one);
}
for (const one of model.compare || []) {
  const io = (model.outputs || []).find(output => output.name === one.name), end = io && byName.get(io.layer);
  one.at = end && end.op === "Result" ? layers[end.sources[0]] : end; // the layer that computes it has the heat map
  compared.push(one);
}
for (const one of compared)
  if (one.at)
    (one.at.compared ||= []).push(one);

function comparedRows(one) {
  if (!one.comparable)
    return [["compared", el("span", { class: "error-text" }, "type or shape differs, or nothing was expected")]];
  return [["result", el("span", { class: one.match ? "good-text" : "error-text" }, one.match ? "matches" : `${one.mismatched} of ${countText(one.count, "element")} differ`)],
    ["largest", String(one.max_abs)], ["mean", String(one.mean_abs)], ["relative", String(one.max_rel)], ["ulp", String(one.max_ulp)],
    ["tolerance", `atol ${one.atol}, rtol ${one.rtol}`], ...(one.match ? [] : [["worst", `[${one.worst_index.join(",")}] got ${one.got}, expected ${one.expected}`]])];
}

for (const one of page.differing || [])
  (layers[one.layer].differing ||= []).push(one);

function comparedSection(layer) {
  return [...(layer.compared || []).flatMap(one => section("compared", tableOf(comparedRows(one)))),
    ...(layer.differing || []).flatMap(one => section(`differences of output ${one.port}`, one.map ? heatMap(one.map) : null,
      el("div", { class: "soft" }, "white: equal; blue: within the tolerance; yellow to dark red: the smallest to the largest difference; " +
        "magenta: not finite"), one.pairs.length > 0 ? scatter(one.pairs) : null))];
}

function comparedView() {
  const inOrder = model.inner && model.inner.length > 0 ? model.inner : compared;
  const first = inOrder.find(one => !one.match);
  return el("div", {}, el("p", {}, first ? "first that differs: " : "all match", first ? first.at ? linkTo(first.at) : first.name : ""),
    inOrder.length > 1 ? errorChart(inOrder) : null,
    longList(compared, one => {
      const row = rowOf(one.at, one.name, one.comparable ? `largest difference ${numberText(one.max_abs)}` : "not comparable");
      row.prepend(el("b", { class: one.match ? "good-text" : "error-text" }, one.match ? "ok " : "differs "));
      return row;
    }));
}

// ---- differences of two models ----

const pathOfLayer = layer => [...(layer.inside || []), layer.name].join(" > ");
const removedByName = new Map(layers.filter(layer => layer.removed).map(layer => [pathOfLayer(layer), layer]));
for (const change of doc.differences || []) {
  change.at = (change.new === null && change.what === "layer" ? removedByName : byName).get(change.layer);
  if (change.at)
    change.at.changes.push(change);
}

function changesView() {
  const old = doc.models[0];
  return el("div", {}, el("p", { dir: "auto" }, `${countText(doc.differences.length, "difference")} from ${old.path}`),
    longList(doc.differences, change => {
      const row = rowOf(change.at, change.layer, change.what);
      row.append(tableOf(changeRows([{ ...change, what: "" }])));
      return row;
    }));
}

// ---- tabs ----

views.push({ name: "model", make: modelView });
if (faults.length > 0)
  views.push({ name: `faults ${faults.length}`, make: faultsView });
if (times.length > 0)
  views.push({ name: "time", make: timeView });
if (page.plan)
  views.push({ name: "memory", make: memoryView });
if (tensors.length > 0)
  views.push({ name: "tensors", make: tensorsView });
if (compared.length > 0)
  views.push({ name: "comparison", make: comparedView });
if (doc.differences)
  views.push({ name: `differences ${doc.differences.length}`, make: changesView });

function showView(name, content) {
  const view = views.find(one => one.name === name);
  if (view && !view.content)
    view.content = view.make();
  document.getElementById("views").replaceChildren(content || view.content);
  for (const tab of document.getElementById("tabs").children)
    tab.setAttribute("aria-selected", tab.textContent === name);
}
