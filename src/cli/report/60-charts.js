// Small charts, each an SVG of its own.

function chart(width, height, ...children) {
  return svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img" }, ...children);
}

function label(x, y, text, anchor = "start") {
  return svg("text", { x, y, "text-anchor": anchor }, text);
}

// Equal parts from min to max; red: -inf at the left, inf and NaN at the right.
function histogram(tensor) {
  const red = (count, name) => count > 0 ? [{ count, name: ` ${name}` }] : [];
  const bars = [...red(tensor.negative_inf, "-inf"), ...(tensor.bins || []).map(count => ({ count, name: "" })),
    ...red(tensor.inf, "inf"), ...red(tensor.nan, "NaN")];
  const width = 320, height = 70, top = Math.max(...bars.map(bar => bar.count)), step = width / bars.length;
  return bars.length === 0 ? null : chart(width, height + 14, ...bars.map((bar, i) => svg("rect", { class: bar.name ? "bad" : "bin",
    x: i * step, width: step - 1, y: height - height * bar.count / top, height: height * bar.count / top },
  svg("title", {}, bar.count + bar.name))),
  ...(tensor.bins ? [label(0, height + 12, numberText(tensor.min)), label(width, height + 12, numberText(tensor.max), "end")] : []));
}

// The marks of a logarithmic axis: powers of ten.
function powers(least, most) {
  const marks = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); power++)
    marks.push(power);
  return marks.length > 8 ? marks.filter((_, i) => i % Math.ceil(marks.length / 8) === 0) : marks;
}

// Error of each compared tensor over the order of computation, on a logarithmic axis. What is not finite is at the top.
function errorChart(list) {
  const width = 320, height = 150, left = 34;
  const sizes = list.map(one => typeof one.max_abs === "number" ? one.max_abs : Infinity);
  const positive = sizes.filter(size => size > 0 && size < Infinity);
  const least = Math.min(...positive, 1e-9), most = Math.max(...positive, least * 10);
  const low = Math.floor(Math.log10(least)), high = Math.ceil(Math.log10(most));
  const yOf = size => size === Infinity ? 4 : size > 0
    ? 10 + (height - 20) * (high - Math.log10(size)) / Math.max(high - low, 1) : height - 4;
  const xOf = i => left + (width - left - 8) * (list.length > 1 ? i / (list.length - 1) : 0.5);
  const points = sizes.map((size, i) => `${xOf(i).toFixed(1)},${yOf(size).toFixed(1)}`).join(" ");
  return chart(width, height + 16,
    ...powers(least, most).flatMap(power => [svg("path", { class: "axis", d: `M${left} ${yOf(10 ** power)}H${width}` }),
      label(left - 4, yOf(10 ** power) + 3, `1e${power}`, "end")]),
    svg("polyline", { class: "trace", points }),
    ...list.map((one, i) => {
      const dot = svg("circle", { class: "dot" + (one.match ? "" : " bad"), cx: xOf(i), cy: yOf(sizes[i]), r: 3, "data-at": i },
        svg("title", {}, `${one.name}: largest difference ${one.max_abs}`));
      dot.addEventListener("click", () => one.at && choose(one.at, true));
      return dot;
    }), label(left, height + 12, "first computed"), label(width, height + 12, "last", "end"));
}

// Got against expected. Equal pairs lie on the diagonal.
function scatter(pairs) {
  const size = 260, numbers = pairs.flat();
  const least = Math.min(...numbers), most = Math.max(...numbers), range = most - least || 1;
  const at = x => 8 + (size - 16) * (x - least) / range;
  return chart(size, size + 16, svg("rect", { class: "axis", x: 0.5, y: 0.5, width: size - 1, height: size - 1 }),
    svg("path", { class: "axis", d: `M8 ${size - 8}L${size - 8} 8` }),
    ...pairs.map(([got, expected]) => svg("circle", { class: "dot", cx: at(expected), cy: size - at(got), r: 1.6 })),
    label(2, size + 12, `expected ${numberText(least)} to ${numberText(most)}; upwards: got`));
}

// The block of memory: steps from left to right, bytes upwards.
function memoryChart(plan, tensors, textOf) {
  const width = 320, height = 200, left = 1, column = (width - left) / Math.max(plan.steps, 1);
  const byte = height / Math.max(plan.block_bytes, 1);
  const colours = ["convolution", "activation", "arithmetic", "pooling", "normalization", "movement", "sequence", "other"];
  return chart(width, height + 16, svg("rect", { class: "axis", x: left, y: 0, width: width - left, height }),
    ...tensors.map(tensor => {
      const box = svg("rect", { class: `tensor kind-${colours[tensor.number % colours.length]}`, x: left + tensor.first_step * column,
        y: height - (tensor.offset + tensor.bytes) * byte, width: (tensor.last_step - tensor.first_step + 1) * column,
        height: tensor.bytes * byte }, svg("title", {}, textOf(tensor)));
      box.addEventListener("click", () => tensor.layer !== null && choose(layers[tensor.layer], true));
      return box;
    }), label(left, height + 12, "step 0"), label(width, height + 12, `step ${plan.steps - 1}`, "end"));
}

// A heat map: a character for each cell, "." equal, "+" within the tolerance, "0" to "9" differs, "!" not finite, " " no cell.
function heatMap(map) {
  const scale = ["#ffe164", "#ffc952", "#fab03f", "#f5982e", "#e9742b", "#d95125", "#c62b21", "#a5161f", "#7f0a1b", "#5a0014"];
  const canvas = el("canvas", { class: "heat", width: map.columns, height: map.rows.length });
  const pen = canvas.getContext("2d");
  const enlarged = Math.max(Math.floor(320 / Math.max(map.columns, map.rows.length)), 1);
  canvas.style.width = map.columns * enlarged + "px";
  map.rows.forEach((row, y) => [...row].forEach((cell, x) => {
    pen.fillStyle = cell === "." ? "#ffffff" : cell === "+" ? "#b4d2f0" : cell === "!" ? "#c800c8" : cell === " " ? "#aaaaaa" : scale[Number(cell)];
    pen.fillRect(x, y, 1, 1);
  }));
  return canvas;
}
