// Shows what is known about the chosen layer or group. Texts are set as texts, never as HTML.

function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {}))
    if (name === "onclick")
      element.addEventListener("click", value);
    else
      element.setAttribute(name, value);
  element.append(...children.filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

function linkTo(item, text) {
  return el("button", { class: "link", dir: "auto", onclick: () => choose(item, true) }, text || (item.isGroup ? titleOf(item) : item.name) || "(no name)");
}

function tableOf(rows, attributes) {
  return el("table", attributes, ...rows.map(row => row instanceof Element ? row
    : el("tr", {}, el("th", {}, row[0]), ...row.slice(1).map(cell => el("td", { dir: "auto" }, cell)))));
}

function section(title, ...content) {
  const shown = content.flat().filter(Boolean);
  return shown.length > 0 ? [el("h3", {}, title), ...shown] : [];
}

// ---- values ----

function valueText(value) {
  const inferred = typeText(value.type, value.shape);
  if (value.declaration !== "differs")
    return [inferred];
  return [inferred + " ", el("span", { class: "error-text" }, `declared ${typeText(value.declared_type, value.declared)}`)];
}

function portName(ports, isVariadic, port) {
  if (!ports || ports.length === 0)
    return String(port);
  const known = ports[port] || (isVariadic ? ports[ports.length - 1] : null);
  return known ? known.name : String(port);
}

function sourceOf(layer, port) {
  const from = layer.inputs[port].from || "", id = from.slice(0, from.lastIndexOf(":"));
  return layer.removed ? layer.removed.get(id) : layer.sources.map(index => layers[index]).find(one => String(one.id) === id);
}

function inputRows(layer) {
  const op = opOf(layer);
  return layer.inputs.map((input, port) => {
    const source = sourceOf(layer, port);
    return [portName(op && op.inputs, op && op.inputs_variadic, port),
      el("div", {}, ...valueText(input), input.from === null ? " not connected" : "",
        el("br"), source ? linkTo(source) : input.from || "", source && source.constant ? constantText(source.constant) : "")];
  });
}

function outputRows(layer) {
  const op = opOf(layer);
  const readers = layer.readers.map(index => layers[index]);
  return layer.outputs.map((output, port) => [portName(op && op.outputs, op && op.outputs_variadic, port),
    el("div", {}, ...valueText(output), " ", el("span", { class: "soft" }, output.bytes === null ? "" : bytesText(output.bytes)),
      ...(output.names ? [el("br"), el("code", {}, output.names)] : []),
      ...(port === 0 ? readers.slice(0, 12).flatMap(reader => [el("br"), linkTo(reader)]) : []),
      port === 0 && readers.length > 12 ? ` and ${readers.length - 12} more` : "")]);
}

function attributeRows(layer) {
  const op = opOf(layer), given = Object.entries(layer.attributes);
  const rows = given.map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value)]);
  const names = new Set(given.map(([name]) => name));
  for (const attribute of op ? op.attributes : [])
    if (!names.has(attribute.name) && attribute.default !== null)
      rows.push(el("tr", { class: "usual" }, el("th", {}, attribute.name), el("td", {}, `${attribute.default} (default)`)));
  return rows;
}

// The elements of a small constant, the range of a larger one, or why neither is known.
function constantText(constant) {
  if (constant.why)
    return el("div", { class: "soft" }, constant.why);
  const isSmall = constant.finite + oddCount(constant) <= constant.first.length;
  return el("div", { class: "soft" }, isSmall ? el("code", {}, constant.first.join(", "))
    : `${numberText(constant.min)} to ${numberText(constant.max)}`);
}

// Number of elements that are not finite.
function oddCount(tensor) {
  return tensor.nan + tensor.inf + tensor.negative_inf;
}

// What is odd about a tensor, red if it has NaN or infinities.
function oddText(tensor) {
  return tensor.odd ? el("div", { class: oddCount(tensor) > 0 ? "error-text" : "soft" }, tensor.odd) : null;
}

// A tensor's statistics with its histogram.
function statistics(tensor) {
  const rows = tensor.finite > 0 ? [["min", "min"], ["mean", "mean"], ["max", "max"], ["deviation", "std"], ["0.1 %", "low"], ["99.9 %", "high"]] : [];
  const table = rows.map(([name, key]) => [name, numberText(tensor[key])]);
  return [tableOf([...table, ...(tensor.odd ? [["odd", oddText(tensor)]] : []),
    ...(tensor.first ? [["first", el("code", {}, tensor.first.join(", "))]] : [])]), histogram(tensor)];
}

function constantSection(constant) {
  return constant ? section("contents", constant.why ? el("p", {}, constant.why) : statistics(constant)) : [];
}

// ---- faults ----

// Lines of the file around a fault, with their numbers. What is left out of the fault's line is left out of their indents.
function contextOf(text, number, left) {
  return (text || "").split("\n").slice(0, -1).map((line, i) =>
    `${number + i} | ${line.slice(Math.min(left, line.search(/\S|$/)))}\n`).join("");
}

// The line of the file with a caret below the fault, and at most `before` characters before it; with `isWhole` also the
// lines around it.
function excerptOf(fault, before, isWhole) {
  if (fault.excerpt === null || fault.excerpt === undefined || fault.line === null)
    return null;
  const characters = [...fault.excerpt], from = Math.max(fault.column - 1 - fault.excerpt_skipped, 0);
  const until = Math.max((fault.end_column || fault.column + 1) - 1 - fault.excerpt_skipped, from + 1);
  const left = Math.max(from - before, 0), isCut = left > 0 || fault.excerpt_skipped > 0;
  const begin = `${fault.line} | ${isCut ? "\u2026" : ""}`;
  const above = isWhole ? fault.lines_before || "" : "", first = fault.line - above.split("\n").length + 1;
  const blanks = " ".repeat(begin.length) + characters.slice(left, from).map(one => one === "\t" ? "\t" : " ").join("");
  return el("pre", { dir: "ltr" }, el("span", { class: "soft" }, contextOf(above, first, left)), begin + characters.slice(left).join("") + "\n" + blanks,
    el("span", { class: "caret" }, "^" + "~".repeat(Math.max(Math.min(until, characters.length) - from - 1, 0))),
    el("span", { class: "soft" }, isWhole ? "\n" + contextOf(fault.lines_after, fault.line + 1, left) : ""));
}

function placeText(place) {
  return place.file ? place.file + (place.line ? `:${place.line}:${place.column}` : "") : "";
}

function faultCard(fault) {
  const rule = rules.get(fault.rule);
  return el("div", { class: "fault" },
    el("div", { dir: "auto" }, el("b", { class: fault.severity + "-text" }, fault.severity), " ", fault.message),
    el("div", { class: "soft" }, `${fault.rule} ${fault.slug} ${placeText(fault)}`), excerptOf(fault, 24, true),
    ...fault.notes.map(note => el("div", { class: "soft", dir: "auto" }, `note: ${note.message} ${placeText(note)}`)),
    fault.hint ? el("div", { dir: "auto" }, `hint: ${fault.hint}`) : null,
    rule ? el("details", {}, el("summary", {}, "the rule"), el("p", {}, rule.text), rule.reason ? el("p", {}, rule.reason) : null) : null);
}

// ---- the panel ----

function bytesOf(step) {
  return step.read_bytes + step.written_bytes;
}

function speedText(step, count, unit) {
  return step.duration_ns > 0 ? scaled(count * 1e9 / step.duration_ns, ["", "k", "M", "G", "T"], 1000) + unit : "";
}

// How near a step is to the time in which this machine moves its bytes without computing.
function floorText(step) {
  return step.floor_ns === null || step.duration_ns === 0 ? "" : percentText(step.floor_ns, step.duration_ns) + " of the floor";
}

function runSection(layer) {
  const rows = layer.steps.flatMap(step => [["time", `${timeText(step.duration_ns)}, ${percentText(step.duration_ns, page.run_ns)}`],
    ["kernel", `${step.kernel} (${step.isa})${step.calls > 1 ? `, ${step.calls} times` : ""}`],
    ["moves", `${bytesText(step.read_bytes)} read, ${bytesText(step.written_bytes)} written, ${speedText(step, bytesOf(step), "B/s")}`],
    ...(step.floor_ns === null ? [] : [["floor", `${timeText(step.floor_ns)} to move these bytes; the step reaches ${floorText(step)}`]]),
    ...(layer.macs && step.calls === 1 ? [["computes", speedText(step, layer.macs, " operations/s")]] : [])]);
  for (const choice of layer.choices || []) {
    rows.push(["why", page.plan.reasons[choice.why]]);
    if (choice.fused)
      rows.push(["fused", choice.fused]);
  }
  if (layer.fusedInto)
    rows.push(["fused into", linkTo(layer.fusedInto)]);
  return rows.length > 0 ? section("run", tableOf(rows)) : [];
}

function tensorSections(layer) {
  return layer.tensors.flatMap(tensor => section(layer.tensors.length > 1 ? `output ${tensor.port}` : "result",
    statistics(tensor)));
}

function changeRows(changes) {
  return changes.map(change => [change.what, el("div", {},
    change.old === null ? null : el("div", { class: "error-text" }, "\u2212 " + change.old),
    change.new === null ? null : el("div", { class: "good-text" }, "+ " + change.new))]);
}

function layerDetails(layer) {
  const op = opOf(layer);
  const where = [["op", op && op.spec ? el("a", { href: op.spec, target: "_blank", rel: "noopener" }, opName(layer)) : opName(layer)],
    ["opset", layer.opset], ["id", String(layer.id)], ["in the file", `${layer.removed ? doc.models[0].path : model.path}:${layer.line}:${layer.column}`]];
  if (layer.inside)
    where.push(["in the body of", layer.inside.join(" > ")]);
  if (layer.macs)
    where.push(["operations", Number(layer.macs).toLocaleString("en")]);
  if (layer.formula)
    where.push(["shape", layer.formula]);
  if (!layer.runnable)
    where.push(["run", "irrun does not have this op"]);
  if (!layer.live)
    where.push(["use", "no output needs it"]);
  return [el("h2", { dir: "auto" }, layer.name || "(no name)"), tableOf(where),
    ...section("faults", layer.faults.map(faultCard)),
    ...section("changes", layer.changes.length > 0 ? tableOf(changeRows(layer.changes)) : null),
    ...section("inputs", layer.inputs.length > 0 ? tableOf(inputRows(layer)) : null),
    ...section("outputs", layer.outputs.length > 0 ? tableOf(outputRows(layer)) : layer.readers.map(index => linkTo(layers[index]))),
    ...section("attributes", attributeRows(layer).length > 0 ? tableOf(attributeRows(layer)) : null),
    ...constantSection(layer.constant), ...runSection(layer), ...tensorSections(layer), ...comparedSection(layer)];
}

function opCounts(list) {
  const counts = new Map();
  for (const layer of list)
    counts.set(opName(layer), (counts.get(opName(layer)) || 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

function groupDetails(group) {
  const time = group.all.reduce((sum, layer) => sum + layer.steps.reduce((s, step) => s + step.duration_ns, 0), 0);
  return [el("h2", { dir: "auto" }, group.path || titleOf(group)),
    tableOf([["group", { scope: "a scope of names", repeat: "equal parts", block: "a repeated block", body: group.index ? "a body" : "the model" }[group.kind]],
      ["layers", String(group.layers)], ...(group.repeats > 1 ? [["equal parts", String(group.repeats)]] : []),
      ...(time > 0 ? [["time", timeText(time)]] : [])]),
    group.index > 0 ? el("button", { id: "toggle-group", onclick: () => toggle(group) }, "open or fold") : null,
    ...section("ops", tableOf(opCounts(group.all.filter(layer => !layer.removed)).map(([name, count]) => [name, String(count)]))),
    ...section("contains", el("div", { class: "list" }, ...group.children.slice(0, 100).map(child =>
      el("button", { class: "row", dir: "auto", onclick: () => choose(child, true) }, titleOf(child) || "(no name)", " ",
        el("small", {}, subtitleOf(child))))))].filter(Boolean);
}

const details = document.getElementById("details");

// Chooses a layer or group, and with `go` brings it into view. A constant has no box: its reader is shown.
function choose(item, go) {
  chosen = item;
  details.replaceChildren(...(item ? item.isGroup ? groupDetails(item) : layerDetails(item) : []));
  details.scrollTop = 0;
  const shown = item && !item.drawn && !(item.isGroup && item.index === 0) ? firstDrawnReader(item) : item;
  if (item && go && shown) {
    openAround(shown);
    centre(shown);
  }
  redraw();
}

function firstDrawnReader(layer) {
  const seen = new Set([layer]);
  for (const one of seen) {
    if (one.drawn)
      return one;
    for (const index of one.readers)
      seen.add(layers[index]);
  }
  return null;
}
