// Draws what is in view: one SVG, which is made anew when the view leaves the drawn part.

const SVG = "http://www.w3.org/2000/svg";
const MOST_BOXES = 900; // more boxes in view are drawn as one path for each colour
const LEAST_SCALE = 0.3; // below, texts cannot be read

const picture = document.getElementById("picture");
const world = document.getElementById("world");
const graph = document.getElementById("graph");
const view = { x: 0, y: 0, scale: 1 };
let items = [], lines = [], drawn = null, chosen = null, found = new Set();

function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes || {}))
    element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// ---- colours ----

function kindOf(layer) {
  const op = opOf(layer), folder = op && op.spec && /operation-specs\/([^/]+)\//.exec(op.spec);
  if (layer.op === "Parameter" || layer.op === "Result")
    return "end";
  return folder ? page.kinds[folder[1]] || "other" : op ? "other" : "unknown";
}

function kindOfItem(item) {
  if (!item.isGroup)
    return kindOf(item);
  const weights = {};
  for (const layer of item.all)
    weights[kindOf(layer)] = (weights[kindOf(layer)] || 0) + Number(layer.macs || 0) + 1;
  return Object.keys(weights).sort((a, b) => weights[b] - weights[a])[0];
}

// What the choice "colours" can show beside kinds: a number for each layer, the sum in groups.
const measures = { kind: null };
let measure_of = "kind", largest = 1;

function valueOf(item) {
  return item.isGroup ? item.all.reduce((sum, layer) => sum + (measures[measure_of](layer) || 0), 0)
    : measures[measure_of](item) || 0;
}

function colourOf(item) {
  if (measure_of === "kind")
    return "kind-" + kindOfItem(item);
  return "heat-" + Math.min(Math.ceil(9 * Math.sqrt(valueOf(item) / largest)), 9);
}

function chooseMeasure(name) {
  measure_of = name;
  if (name !== "kind")
    largest = Math.max(...layers.map(layer => measures[name](layer) || 0), 1e-300);
  redraw();
}

// ---- boxes ----

const pen = document.createElement("canvas").getContext("2d");

// Cuts a text in its middle so that it is at most `width` pixels wide.
function cut(text, width, font) {
  pen.font = `${font} ${getComputedStyle(document.body).fontFamily}`;
  let cutText = text;
  for (let kept = Math.min(text.length, 200); kept > 3 && pen.measureText(cutText).width > width; kept--)
    cutText = text.slice(0, Math.ceil(kept / 2)) + "\u2026" + text.slice(text.length - Math.floor(kept / 2));
  return cutText;
}

const NAME_FONT = "600 11.5px", WHAT_FONT = "10px";

function subtitleOf(item) {
  if (item.isGroup)
    return `${item.repeats > 1 ? item.repeats + " \u00d7, " : ""}${countText(item.layers, "layer")}`;
  const value = item.outputs && item.outputs[0] || item.inputs && item.inputs[0];
  const words = titleOf(item).startsWith(item.op) ? [] : [item.op];
  return [...words, value ? typeText(value.type, value.shape) : ""].join(" ");
}

function isAddition(change) {
  return change.what === "layer" && change.old === null;
}

function classesOf(item) {
  const all = item.isGroup ? item.all : [item];
  const severity = all.reduce((worst, layer) => layer.faults.reduce((w, fault) =>
    fault.severity === "error" || w === "error" ? "error" : fault.severity === "warning" ? "warning" : w, worst), "");
  return ["box", item.isGroup ? "group" : "layer", colourOf(item), severity, item === chosen ? "chosen" : "",
    found.size > 0 && all.some(layer => found.has(layer)) ? "found" : "",
    item.removed ? "removed" : item.changes && item.changes.some(isAddition) ? "added" : all.some(layer => layer.changes.length > 0) ? "changed" : ""].filter(Boolean).join(" ");
}

function drawFolded(item) {
  const { x, y, width, height } = item.box;
  const element = svg("g", { class: classesOf(item), transform: `translate(${x} ${y})` });
  if (item.isGroup)
    element.append(svg("rect", { class: "behind", x: 4, y: 4, width, height, rx: 5 }));
  const isEnd = item.op === "Parameter" || item.op === "Result";
  element.append(svg("rect", { width, height, rx: isEnd ? height / 2 : 5 }),
    svg("text", { x: width / 2, y: 17, class: "name" }, cut(titleOf(item), width - 10, NAME_FONT)),
    svg("text", { x: width / 2, y: 32, class: "what" }, cut(subtitleOf(item), width - 10, WHAT_FONT)),
    svg("title", {}, (item.isGroup ? item.path || titleOf(item) : item.name) + "\n" + subtitleOf(item)));
  element.item = item;
  return element;
}

function drawFrame(group) {
  const { x, y, width, height } = group.box;
  return svg("rect", { class: `frame ${group.kind}${group === chosen ? " chosen" : ""}`, x, y, width, height, rx: 7 });
}

// The title of an open group lies above the lines that enter it.
function drawHead(group) {
  const { x, y, width } = group.box;
  const element = svg("g", { class: "title", transform: `translate(${x} ${y})` });
  element.append(svg("rect", { class: "head", x: 1, y: 1, width: width - 2, height: HEAD - 2, rx: 6 }), svg("text", { x: 10, y: 16, class: "name" }, "\u2212 " + cut(titleOf(group), width - 30, NAME_FONT)),
    svg("title", {}, `${group.path || titleOf(group)}\n${subtitleOf(group)}\nclick to fold`));
  element.item = group;
  return element;
}

function isIn(box, area) {
  return box.x < area.right && box.x + box.width > area.x && box.y < area.bottom && box.y + box.height > area.y;
}

function rectPath({ x, y, width, height }) {
  return `M${Math.round(x)} ${Math.round(y)}h${Math.round(width)}v${Math.round(height)}h${-Math.round(width)}z`;
}

// Draws boxes that are too small or too many for texts: one path for each look.
function drawSmall(boxes) {
  const paths = new Map();
  for (const item of boxes) {
    const classes = classesOf(item);
    paths.set(classes, (paths.get(classes) || "") + rectPath(item.box));
  }
  return [...paths].map(([classes, d]) => svg("path", { class: classes, d }));
}

function drawLines(area) {
  const shown = lines.filter(line => line.bounds.x < area.right && line.bounds.right > area.x &&
    line.bounds.y < area.bottom && line.bounds.bottom > area.y);
  const join = some => some.map(line => line.path).join("");
  const near = chosen ? shown.filter(line => line.above === visibleOf(chosen) || line.below === visibleOf(chosen)) : [];
  const kept = shown.filter(line => !line.isRemoved);
  return [svg("path", { class: "line", d: join(kept.filter(line => !line.isBack && !line.isBody)) }),
    svg("path", { class: "line back", d: join(kept.filter(line => line.isBack || line.isBody)) }),
    svg("path", { class: "line removed", d: join(shown.filter(line => line.isRemoved)) }),
    svg("path", { class: "line near", d: join(near) })];
}

// The part of the graph in view, and half of it more on each side.
function areaInView() {
  const width = graph.clientWidth / view.scale, height = graph.clientHeight / view.scale;
  return { x: view.x - width / 2, y: view.y - height / 2, right: view.x + 1.5 * width, bottom: view.y + 1.5 * height };
}

function draw(area = areaInView()) {
  drawn = { ...area, scale: view.scale };
  const inView = items.filter(item => isIn(item.box, drawn));
  const frames = inView.filter(item => item.isGroup && item.open && item.index > 0), boxes = inView.filter(item => !item.isGroup || !item.open);
  const isSmall = boxes.length > MOST_BOXES || view.scale < LEAST_SCALE;
  world.replaceChildren(...frames.map(drawFrame), ...drawLines(drawn), ...(view.scale < LEAST_SCALE ? [] : frames.map(drawHead)), ...(isSmall ? drawSmall(boxes) : boxes.map(drawFolded)));
}

function move() {
  world.setAttribute("transform", `scale(${view.scale}) translate(${-view.x} ${-view.y})`);
}

function isOutside() {
  const right = view.x + graph.clientWidth / view.scale, bottom = view.y + graph.clientHeight / view.scale;
  return !drawn || view.x < drawn.x || view.y < drawn.y || right > drawn.right || bottom > drawn.bottom ||
    drawn.scale / view.scale > 2 || (drawn.scale < LEAST_SCALE) !== (view.scale < LEAST_SCALE);
}

let waiting = false;
function show() {
  move();
  if (!waiting && isOutside()) {
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  }
}

function redraw() {
  drawn = null;
  show();
}

// Places all boxes anew, after groups were opened or folded. `anchor` keeps its place on the screen.
function arrange(anchor) {
  const before = anchor && visibleOf(anchor).box, left = before && before.x - view.x, top = before && before.y - view.y;
  if (groups.length === 0)
    return;
  measure(groups[0]);
  items = place(groups[0], 0, 0, []);
  lines = findLines();
  const after = anchor && visibleOf(anchor).box;
  if (before && after) {
    view.x = after.x - left;
    view.y = after.y - top;
  }
  redraw();
}

// ---- moving the view ----

function zoom(factor, x = graph.clientWidth / 2, y = graph.clientHeight / 2) {
  const scale = Math.min(Math.max(view.scale * factor, 0.005), 4);
  view.x += x / view.scale - x / scale;
  view.y += y / view.scale - y / scale;
  view.scale = scale;
  show();
}

function fitTo(box, most) {
  const margin = 20;
  view.scale = Math.min((graph.clientWidth - 2 * margin) / box.width, (graph.clientHeight - 2 * margin) / box.height, most);
  view.x = box.x + box.width / 2 - graph.clientWidth / 2 / view.scale;
  view.y = box.y + box.height / 2 - graph.clientHeight / 2 / view.scale;
  redraw();
}

function fit() {
  if (groups.length > 0)
    fitTo(groups[0].box, 1.25);
}

// Shows the whole width from the top, or all if it can be read.
function begin() {
  fit();
  if (view.scale >= 0.6 || groups.length === 0)
    return;
  const { width } = groups[0].box, first = groups[0].children.find(item => item.row === 0) || groups[0];
  view.scale = Math.min(Math.max((graph.clientWidth - 40) / width, 0.6), 1);
  const middle = width * view.scale < graph.clientWidth ? width / 2 : first.box.x + first.box.width / 2;
  view.x = middle - graph.clientWidth / 2 / view.scale;
  view.y = -20 / view.scale;
  redraw();
}

function centre(item) {
  const box = item.box;
  view.scale = Math.max(view.scale, 0.8);
  view.x = box.x + box.width / 2 - graph.clientWidth / 2 / view.scale;
  view.y = box.y + Math.min(box.height, graph.clientHeight / view.scale) / 2 - graph.clientHeight / 2 / view.scale;
  redraw();
}

function openAround(item) {
  let changed = false;
  for (let group = groups[item.parent]; group; group = groups[group.parent]) {
    changed = changed || !group.open;
    group.open = true;
  }
  if (changed)
    arrange();
}

function toggle(group) {
  if (group.index === 0)
    return;
  group.open = !group.open;
  arrange(group);
}

function setAll(open) {
  for (const group of groups)
    group.open = open || group.index === 0;
  arrange();
  fit();
}

// Opens groups from the outside to the inside as long as few boxes are visible.
function openSome(most) {
  let front = groups.slice(0, 1), n = front.length > 0 ? front[0].children.length : 0;
  while (front.length > 0) {
    const next = front.flatMap(group => group.children.filter(child => child.isGroup))
      .sort((a, b) => a.children.length - b.children.length);
    front = [];
    for (const group of next)
      if (n + group.children.length - 1 <= most) {
        n += group.children.length - 1;
        group.open = true;
        front.push(group);
      }
  }
}
