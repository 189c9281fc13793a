// Layers of the old model that the new one lacks. They join the layers, and get places beside what stood around them:
// rows of their own, between the rows that the program laid out.

function addRemoved(old) {
  const sources = old.page.sources.map(numbersIn), oldLayers = rowsOf(old.layers);
  const numbers = doc.partners.map(partner => partner === -1 ? 0 : partner); // of each old layer among the layers; null: none
  oldLayers.forEach((layer, i) => {
    if (doc.partners[i] !== -1)
      return;
    numbers[i] = layers.length;
    layers.push(makeLayer(layer, layers.length, [], old.page.places[i]));
  });
  const present = list => list.map(i => numbers[i]).filter(number => number !== null);
  oldLayers.forEach((layer, i) => {
    const removed = doc.partners[i] === -1 ? layers[numbers[i]] : null;
    if (removed) {
      removed.sources = present(sources[i]);
      removed.removed = new Map( // its sources by the ids that they have in the old model
        sources[i].map(source => [String(oldLayers[source].id), layers[numbers[source]]]));
    }
    for (const source of sources[i])
      if (doc.partners[source] === -1 && numbers[i] !== null)
        layers[numbers[source]].readers.push(numbers[i]);
  });
  for (const constant of rowsOf(old.page.constants))
    if (doc.partners[constant.layer] === -1)
      layers[numbers[constant.layer]].constant = constant;
}

// The spot of a removed layer `step` levels below those layers that are drawn (1), or above them (-1): `level` counts
// the removed layers between the rows `row` and `row + 1` of a group.
function spotBeside(indexes, step) {
  let best = null;
  for (const other of indexes.map(index => layers[index]).filter(one => one.drawn)) {
    const spot = !other.removed ? { group: groups[other.parent], row: step > 0 ? other.row : other.row - 1, x: other.x, level: 1 }
      : other.spot && { ...other.spot, level: other.spot.level + step };
    const further = best && spot && (spot.row - best.row || spot.level - best.level) * step > 0;
    if (spot && (!best || spot.group === best.group && further))
      best = spot;
  }
  return best;
}

// Puts rows for removed layers into a group. A line that passes the row above a new row passes the new row too.
function insertRows(group, removed) {
  const levels = new Map();
  for (const { spot } of removed) {
    const known = levels.get(spot.row) || { least: spot.level, most: spot.level };
    levels.set(spot.row, { least: Math.min(known.least, spot.level), most: Math.max(known.most, spot.level) });
  }
  const added = row => levels.has(row) ? levels.get(row).most - levels.get(row).least + 1 : 0;
  const moved = [0]; // moved[row]: number of rows that come before a row
  for (let row = 0; row <= group.rows; row++)
    moved.push(moved[row] + added(row - 1));
  const stretch = (bends, first) => bends.flatMap((x, k) => new Array(1 + added(first + k)).fill(x));
  for (const child of group.children) {
    child.bends = stretch(child.bends, child.row);
    child.row += moved[child.row + 1];
  }
  for (const entry of group.entries.values())
    entry.bends = stretch(entry.bends, -1);
  const ends = new Map(); // the right end of each new row
  for (const layer of removed) {
    const { row, x, level } = layer.spot, at = row + moved[row + 1] + level - levels.get(row).least + 1;
    const left = Math.max(x + 0.55 * BOX.width, ends.has(at) ? ends.get(at) + BOX.gap : 0);
    ends.set(at, left + BOX.width);
    Object.assign(layer, { row: at, x: left + BOX.width / 2, parent: group.index, bends: [] });
    group.width = Math.max(group.width, left + BOX.width);
    group.children.push(layer);
  }
  group.rows += moved[group.rows + 1];
}

function placeRemoved() {
  const removed = layers.filter(layer => layer.removed && layer.drawn);
  for (const layer of removed)
    layer.spot = spotBeside(layer.sources, 1);
  for (const layer of [...removed].reverse())
    layer.spot ||= spotBeside(layer.readers, -1);
  for (const layer of removed)
    layer.spot ||= spotBeside(layer.sources, 1) || { group: groups[0], row: -1, x: 0, level: 1 };
  for (const group of new Set(removed.map(layer => layer.spot.group)))
    insertRows(group, removed.filter(layer => layer.spot.group === group));
}

if (doc.partners && doc.models[0].page && model.page) {
  addRemoved(doc.models[0]);
  placeRemoved();
}
