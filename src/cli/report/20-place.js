// Places boxes. The program laid out each group with folded children; here rows and columns stretch around open ones.

const PAD = 14, HEAD = 24;

// Widths of open children push the places beside them apart. Between two marks the map is linear; where open children of
// several rows lie above each other, the widest decides.
function stretchColumns(group) {
  const opened = group.children.filter(child => child.isGroup && child.open);
  const marks = [...new Set(opened.flatMap(child => [child.x - BOX.width / 2, child.x + BOX.width / 2]))].sort((a, b) => a - b);
  const shifts = [0];
  for (let i = 0; i + 1 < marks.length; i++) {
    let extra = 0;
    for (const child of opened)
      if (child.x - BOX.width / 2 <= marks[i] && child.x + BOX.width / 2 >= marks[i + 1])
        extra = Math.max(extra, Math.max(child.size.width - BOX.width, 0) / BOX.width);
    shifts.push(shifts[i] + extra * (marks[i + 1] - marks[i]));
  }
  return x => {
    let low = 0, high = marks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (marks[middle] <= x)
        low = middle + 1;
      else
        high = middle;
    }
    if (low === 0)
      return x;
    if (low === marks.length)
      return x + shifts[low - 1];
    const share = (x - marks[low - 1]) / (marks[low] - marks[low - 1]);
    return x + shifts[low - 1] + share * (shifts[low] - shifts[low - 1]);
  };
}

function stretchRows(group) {
  const heights = new Array(group.rows).fill(BOX.height), tops = [];
  for (const child of group.children)
    heights[child.row] = Math.max(heights[child.row], child.size.height);
  let top = HEAD + PAD;
  for (const height of heights) {
    tops.push(top);
    top += height + BOX.gap;
  }
  return { heights, tops, height: top - BOX.gap + PAD };
}

function measure(item) {
  item.size = { width: BOX.width, height: BOX.height };
  if (!item.isGroup || !item.open)
    return;
  for (const child of item.children)
    measure(child);
  item.column = stretchColumns(item);
  item.grid = stretchRows(item);
  item.size = { width: Math.max(item.column(item.width) + 2 * PAD, BOX.width), height: item.grid.height };
}

// Sets the box of each visible item, and lists the items from the outside to the inside.
function place(group, x, y, list) {
  group.box = { x, y, width: group.size.width, height: group.size.height };
  list.push(group);
  for (const child of group.children) {
    const left = x + PAD + group.column(child.x) - child.size.width / 2;
    const top = y + group.grid.tops[child.row] + (group.grid.heights[child.row] - child.size.height) / 2;
    if (child.isGroup && child.open) {
      place(child, left, top, list);
    } else {
      child.box = { x: left, y: top, width: child.size.width, height: child.size.height };
      list.push(child);
    }
  }
  return list;
}

// The item that stands for a layer: the layer, or the outermost folded group around it.
function visibleOf(item) {
  let shown = item;
  for (let group = groups[item.parent]; group; group = groups[group.parent])
    if (!group.open)
      shown = group;
  return shown;
}

// ---- lines ----

function depthOf(item) {
  let depth = 0;
  for (let group = groups[item.parent]; group; group = groups[group.parent])
    depth++;
  return depth;
}

// A line passes a row of a group straight.
function passRow(points, group, row, x) {
  const at = group.box.x + PAD + group.column(x), top = group.box.y + group.grid.tops[row];
  points.push([at, top], [at, top + group.grid.heights[row]]);
}

function passBelow(points, item, group, end) {
  for (let k = 0; k < item.bends.length && item.row + 1 + k < end; k++)
    passRow(points, group, item.row + 1 + k, item.bends[k]);
}

function enter(points, group, source, child) {
  const entry = group.entries.get(source);
  if (!entry)
    return;
  const x = group.box.x + PAD + group.column(entry.x);
  points.push([x, group.box.y], [x, group.box.y + HEAD]);
  for (let row = 0; row < entry.bends.length && row < child.row; row++)
    passRow(points, group, row, entry.bends[row]);
}

// Points of the line from the item `above` to the item `below`; `source` is the layer whose tensor it is.
function route(above, below, source) {
  const points = [[above.box.x + above.box.width / 2, above.box.y + above.box.height]];
  const inside = [below];
  let upper = above, lower = below;
  while (upper.parent !== lower.parent) {
    const ofUpper = depthOf(upper), ofLower = depthOf(lower);
    if (ofUpper >= ofLower) {
      passBelow(points, upper, groups[upper.parent], Infinity);
      upper = groups[upper.parent];
      points.push([points[points.length - 1][0], upper.box.y + upper.box.height]);
    }
    if (ofLower >= ofUpper) {
      lower = groups[lower.parent];
      inside.unshift(lower);
    }
  }
  passBelow(points, upper, groups[upper.parent], lower.row);
  for (let i = 0; i + 1 < inside.length; i++)
    enter(points, inside[i], source, inside[i + 1]);
  points.push([below.box.x + below.box.width / 2, below.box.y]);
  return { points, isBack: lower.row <= upper.row };
}

function boundsOf(points) {
  const bounds = { x: Infinity, y: Infinity, right: -Infinity, bottom: -Infinity };
  for (const [x, y] of points) {
    bounds.x = Math.min(bounds.x, x);
    bounds.y = Math.min(bounds.y, y);
    bounds.right = Math.max(bounds.right, x);
    bounds.bottom = Math.max(bounds.bottom, y);
  }
  return bounds;
}

function pathOf(points) {
  let path = "M" + points[0].map(Math.round).join(" ");
  for (let i = 1; i < points.length; i++) {
    const [x0, y0] = points[i - 1], [x1, y1] = points[i], middle = (y0 + y1) / 2;
    path += Math.abs(x0 - x1) < 1 ? `L${Math.round(x1)} ${Math.round(y1)}`
      : `C${Math.round(x0)} ${Math.round(middle)} ${Math.round(x1)} ${Math.round(middle)} ${Math.round(x1)} ${Math.round(y1)}`;
  }
  return path;
}

function makeLine(above, below, source, isBody) {
  const { points, isBack } = route(above, below, source);
  return { above, below, isBody, isBack, isRemoved: Boolean(above.removed || below.removed), bounds: boundsOf(points), path: pathOf(points) };
}

// One line between two visible items, also if many layers of folded groups feed each other.
function findLines() {
  const seen = new Set(), lines = [];
  const add = (source, reader, isBody) => {
    const above = visibleOf(source), below = visibleOf(reader);
    const key = `${above.isGroup} ${above.index} ${below.isGroup} ${below.index}`;
    if (above === below || isAround(above, below) || isAround(below, above) || seen.has(key))
      return;
    seen.add(key);
    lines.push(makeLine(above, below, source.index, isBody));
  };
  for (const layer of layers)
    for (const source of layer.drawn ? layer.sources : [])
      if (layers[source].drawn)
        add(layers[source], layer, false);
  for (const layer of layers)
    for (const reader of layer.removed && layer.drawn ? layer.readers : [])
      if (layers[reader].drawn)
        add(layer, layers[reader], false);
  for (const group of groups)
    if (group.kind === "body" && group.index > 0 && group.owner)
      add(group.owner, group, true);
  return lines;
}

function isAround(outer, item) {
  for (let group = groups[item.parent]; group; group = groups[group.parent])
    if (group === outer)
      return true;
  return false;
}

// page.owners has, for each layer of a body, the layer whose body it is.
function findOwners() {
  const nOwn = ownLayers.length - page.owners.length;
  for (let i = nOwn; i < ownLayers.length; i++)
    for (let group = groups[layers[i].parent]; group; group = groups[group.parent])
      if (group.kind === "body" && group.index > 0) {
        group.owner = layers[page.owners[i - nOwn]];
        break;
      }
}
findOwners();
