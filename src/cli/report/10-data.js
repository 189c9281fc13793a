"use strict";
// Reads the document of the page: that of irrun --json, with tables of layers, and a member "page" in each model.

const doc = JSON.parse(document.getElementById("data").textContent);
const model = doc.models[doc.models.length - 1];
const page = model.page || { groups: [], places: [], sources: [], owners: [], ops: [], box: {}, kinds: {} };
const BOX = page.box;

// The objects of a table, { columns: [keys], rows: [[values]] }.
function rowsOf(table) {
  return table ? table.rows.map(row => Object.fromEntries(row.map((value, i) => [table.columns[i], value]))) : [];
}

function numbersIn(text) {
  return text ? text.split(" ").map(Number) : [];
}

// "parent x row bend bend ...", as page_data.c writes it
function readPlace(item, text) {
  const numbers = numbersIn(text);
  item.drawn = text !== null;
  item.parent = item.drawn ? numbers[0] : -1;
  item.x = numbers[1];
  item.row = numbers[2];
  item.bends = numbers.slice(3);
  return item;
}

function readEntry(text) {
  const numbers = numbersIn(text);
  return [numbers[0], { x: numbers[1], bends: numbers.slice(2) }];
}

const groups = page.groups.map((group, index) =>
  readPlace({ ...group, index, isGroup: true, open: index === 0, children: [], entries: new Map(group.entries.map(readEntry)) },
    group.place));

function makeLayer(layer, index, sources, place) {
  return readPlace({ ...layer, index, sources, isGroup: false, readers: [], faults: [], steps: [], tensors: [], changes: [] }, place);
}

const layers = rowsOf(model.layers).map((layer, index) => makeLayer(layer, index, numbersIn(page.sources[index]), page.places[index]));
const ownLayers = [...layers]; // without those of the old model, which follow in 15-removed.js

for (const layer of layers)
  for (const source of layer.sources)
    layers[source].readers.push(layer.index);
for (const item of [...groups, ...layers])
  if (item.drawn && item.parent >= 0)
    groups[item.parent].children.push(item);
for (const constant of rowsOf(page.constants))
  layers[constant.layer].constant = constant;

// The name of a layer may be that of another layer in a body: ids and bodies decide.
function keyOf(id, name, inside) {
  return JSON.stringify([String(id), name, inside || []]);
}
const byKey = new Map(layers.map(layer => [keyOf(layer.id, layer.name, layer.inside), layer]));
const byName = new Map();
for (const layer of layers)
  for (const name of [layer.name, [...(layer.inside || []), layer.name].join(" > ")])
    if (!byName.has(name))
      byName.set(name, layer);

const ops = new Map(doc.models.flatMap(one => one.page ? one.page.ops : []).map(op => [op.type + "-" + op.version, op]));
const rules = new Map((doc.rules || []).map(rule => [rule.id, rule]));
const faults = doc.models.flatMap(one => one.diagnostics || []).concat(doc.diagnostics || []);
const SEVERITIES = ["error", "warning", "note"];
faults.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
for (const fault of faults) {
  fault.at = fault.layer ? byKey.get(keyOf(fault.layer.id, fault.layer.name, fault.layer.inside)) : undefined;
  if (fault.at)
    fault.at.faults.push(fault);
}

function opName(layer) {
  return layer.version === null ? `${layer.op} (${layer.opset})` : `${layer.op}-${layer.version}`;
}

function opOf(layer) {
  return ops.get(layer.op + "-" + layer.version);
}

// What the box of a layer or a group says: its name without what the groups around it say.
function titleOf(item) {
  if (item.isGroup)
    return item.title || model.name || "model";
  for (let group = groups[item.parent]; group && group.kind !== "body"; group = groups[group.parent])
    if (group.path)
      return item.name.startsWith(group.path) && item.name.length > group.path.length
        ? item.name.slice(group.path.length + 1) : item.name.slice(item.name.lastIndexOf("/") + 1);
  return item.name;
}

// All layers in a group, at any depth.
function layersIn(group) {
  return group.children.flatMap(child => child.isGroup ? layersIn(child) : [child]);
}

// ---- texts ----

function sizeText(size) {
  if (size === null)
    return "?";
  return typeof size === "object" ? `${size.min}..${size.max === null ? "" : size.max}` : String(size);
}

function typeText(type, shape) {
  return (type || "?") + (shape ? `[${shape.map(sizeText).join(",")}]` : type ? "[...]" : "");
}

function scaled(number, units, step) {
  let unit = 0;
  for (; number >= step * 0.9995 && unit < units.length - 1; unit++)
    number /= step;
  return `${unit === 0 ? Math.round(number) : number.toPrecision(3)} ${units[unit]}`;
}

function bytesText(bytes) {
  return bytes === null || bytes === undefined ? "?" : scaled(Number(bytes), ["B", "kB", "MB", "GB", "TB"], 1000);
}

function timeText(ns) {
  return scaled(ns, ["ns", "us", "ms", "s"], 1000);
}

function percentText(part, whole) {
  return (100 * part / whole).toFixed(1) + " %";
}

function countText(count, noun) {
  return `${Number(count).toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

function numberText(number) {
  return typeof number === "number" ? String(Number(number.toPrecision(6))) : number === null ? "none" : String(number);
}
