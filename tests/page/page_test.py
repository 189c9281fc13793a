"""page_test.py IRRUN: opens pages of --report in a headless Chromium and uses every control. Skipped (status 77) without
Chromium. With PICTURES=FOLDER, leaves pictures of the pages there."""
import os
import subprocess
import sys
import tempfile
import time

from browser import Browser, find

irrun = os.path.abspath(sys.argv[1])
models = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models")
EVIL = "</script><script>document.title='broken'</script><!-- \"quoted\" \u05e9\u05dc\u05d5\u05dd " + "long" * 75
n_faults = 0


def expect(fact, what):
    global n_faults
    if not fact:
        n_faults += 1
        print("not so:", what)


def page(name, *arguments, status=0):
    """Makes a page and returns its path."""
    path = name + ".html"
    done = subprocess.run([irrun, *arguments, "--report=" + path, "-q"], check=False, capture_output=True, text=True, timeout=60)
    expect(done.returncode == status, f"{name}: status {done.returncode}, not {status}: {done.stderr}")
    return path


def network(path, n_blocks, names=("first", "second", "third")):
    """Writes a chain of residual blocks in scopes, whose second layer is named by `names`."""
    from xml.sax.saxutils import quoteattr

    dims = "<dim>1</dim><dim>8</dim><dim>8</dim>"
    layers, edges, at, last = [], [], 0, (0, 0)

    def add(name, op, sources, data=""):
        nonlocal at
        ports = "".join(f'<port id="{i}" precision="FP32">{dims}</port>' for i in range(len(sources)))
        output = "" if op == "Result" else f'<output><port id="{len(sources)}" precision="FP32">{dims}</port></output>'
        layers.append(f'<layer id="{at}" name={quoteattr(name)} type="{op}" version="opset1">{data}'
                      + (f"<input>{ports}</input>" if sources else "") + output + "</layer>")
        edges.extend(f'<edge from-layer="{a}" from-port="{p}" to-layer="{at}" to-port="{i}"/>' for i, (a, p) in enumerate(sources))
        at += 1
        return at - 1, len(sources)

    last = add("x", "Parameter", [], '<data shape="1,8,8" element_type="f32"/>')
    for block in range(n_blocks):
        scope, begin = f"net/stage.{block // 40}/block.{block % 40}/", last
        for name in names:
            last = add(scope + name, "ReLU", [last])
        last = add(scope + "add", "Add", [last, begin], '<data auto_broadcast="numpy"/>')
    add("y", "Result", [last])
    with open(path, "w", encoding="utf-8") as file:
        file.write('<net name="made" version="11"><layers>' + "\n".join(layers) + "</layers><edges>" + "".join(edges) + "</edges></net>")
    return path


def picture(browser, name):
    if "PICTURES" in os.environ:
        browser.screenshot(os.path.join(os.environ["PICTURES"], name + ".png"))


def use_all_buttons(browser):
    """Clicks every button, tab, link and choice of the page, and returns how many there were."""
    n = 0
    for i in range(browser.run("document.querySelectorAll('#tabs button').length")):
        browser.click("#tabs button", i)
        name = browser.run(f"document.querySelectorAll('#tabs button')[{i}].textContent")
        expect(browser.run("document.querySelector('#tabs [aria-selected=true]').textContent") == name, f"tab {name}")
        expect(browser.run("document.getElementById('views').textContent.length") > 0, f"tab {name} has a content")
        for k in range(min(browser.run("document.querySelectorAll('#views button').length"), 4)):
            browser.click("#views button", k)
            expect(browser.run("details.textContent.length") > 0, f"button {k} of tab {name} shows details")
            n += 1
        n += 1
    for button in ("fit", "smaller", "larger", "open-all", "fold-all"):
        before = browser.run("JSON.stringify(view) + items.length")
        browser.click("#" + button)
        after = browser.run("JSON.stringify(view) + items.length")
        expect(before != after or button in ("fit", "open-all", "fold-all"), button)
        n += 1
    for name in browser.run("[...document.getElementById('colour-by').options].map(o => o.value)"):
        browser.run(f"(() => {{ const s = document.getElementById('colour-by'); s.value = '{name}'; s.dispatchEvent(new Event('change')); }})()")
        expect(browser.run("document.querySelectorAll('#legend i').length") > 0, f"legend of {name}")
        n += 1
    browser.run("(() => { const s = document.getElementById('colour-by'); s.value = 'kind'; s.dispatchEvent(new Event('change')); })()")
    browser.click("#show-help")
    expect(browser.run("help.open"), "the help opens")
    browser.click("#close-help")
    expect(not browser.run("help.open"), "the help closes")
    return n + 2


def test_model(browser):
    browser.open(page("model", os.path.join(models, "networks/digits.xml")))
    expect(browser.run("document.querySelectorAll('.box.layer').length") == 8, "each layer but constants has a box")
    expect(browser.run("lines.length") == 7, "a line for each tensor between two boxes")
    use_all_buttons(browser)
    browser.click("#fit")
    browser.click(".box.layer", 1)
    text = browser.run("details.innerText")
    for word in ("Convolution-1", "f32[1,10,10,12]", "strides", "explicit (default)", "digits.xml:"):
        expect(word in text, f"details of the convolution say {word}")
    expect("operation-specs/convolution" in browser.run("details.querySelector('a').href"), "a link to the op's page")
    browser.run("choose(layers.find(layer => layer.name === 'filters'), true)")
    expect(browser.run("details.querySelectorAll('.chart .bin').length") == 20, "a constant has a histogram")
    way = browser.run("[1, 2].map(most => wayUp(byName.get('best'), byName.get('match'), most)).map(way => way && way.map(one => one.name))")
    expect(way == [None, ["best", "score"]], f"the way from a layer to another, not {way}")
    picture(browser, "model")


def test_fault(browser):
    browser.open(page("fault", os.path.join(models, "spec/P1.xml"), status=3))
    expect(browser.run("document.getElementById('verdict').textContent") == "invalid", "verdict")
    expect(browser.run("document.querySelector('#tabs [aria-selected=true]').textContent") == "faults 2", "faults are shown first")
    browser.click("#views .row", 0)
    text = browser.run("details.innerText")
    for word in ("output port 1 declares 32x32", "P1.xml:17:68", "declared f32[1,3,32,32]", "^~"):
        expect(word in text, f"the fault says {word}")
    expect(browser.run("document.querySelectorAll('.box.error').length") == 1, "the layer at fault is red")
    lines = browser.run("details.querySelector('pre').textContent").split("\n")
    with open(os.path.join(models, "spec/P1.xml")) as file:
        around = [f"{i + 1} | {line.strip()}" for i, line in enumerate(file) if 14 <= i <= 18]
    for i, line in enumerate(around):
        shown = lines[i + (i > 2)]
        expect(shown.replace("\u2026", "").replace("| ", "|").split("|")[0] == line.replace("| ", "|").split("|")[0], f"line {line}")
        expect(shown.split("|")[1].strip(" \u2026") in line, f"the file has {shown}")
    caret = lines[2][lines[3].index("^"):len(lines[3])]
    expect(caret == "32", f"the caret is below 32, not {caret}")
    browser.key("n")
    expect(browser.run("chosen.name") == "pool", "n goes to the next fault")
    picture(browser, "fault")


def test_run(browser):
    mixer = os.path.join(models, "networks/pool_mixer.xml")
    browser.open(page("run", mixer, "--fill", "random"))
    expect(use_all_buttons(browser) > 20, "a run has four tabs")
    browser.click("#tabs button", 2)
    expect(browser.run("document.querySelectorAll('.chart .tensor').length") > 10, "the memory has boxes")
    browser.click(".chart .tensor", 3)
    expect(browser.run("chosen !== null && !chosen.isGroup"), "a tensor leads to its layer")
    for word in ("kernel", "floor", "of the floor"):
        expect(word in browser.run("details.innerText"), f"the layer has its {word}")
    browser.run("showView('time')")
    shares = browser.run("[...document.querySelectorAll('#views .row small')].map(row => row.textContent)")
    expect(len(shares) > 10 and all("of the floor" in share for share in shares), "each step has its share of the floor")
    steps = browser.run("times.map(step => [step.duration_ns, step.floor_ns])")
    expect(all(floor > 0 for _, floor in steps), "each floor was measured")
    expect(browser.run("page.run_ns >= times.reduce((sum, step) => sum + step.duration_ns, 0)"), "the run has all its steps")
    picture(browser, "run")
    browser.open(page("nan", network("nan.xml", 1), "--input", "x=nan,inf," + ",".join("1" * 62)))
    browser.run("showView('tensors')")
    expect("1 nan, 1 inf" in browser.run("document.querySelector('#views .error-text').textContent"), "NaN is red")
    browser.click("#views .row", 0)
    expect("deviation" in browser.run("details.innerText"), "a result has its deviation")
    expect(browser.run("details.querySelectorAll('.chart .bad').length") == 2, "NaN and infinities are red in the histogram")
    browser.run("choose(layers.find(layer => layer.name.endsWith('block.0/add')), true)")
    expect(browser.run("details.querySelectorAll('.chart').length") == 1, "a result has a histogram")


def test_comparison(browser):
    inside = os.path.join(models, "demo")
    subprocess.run([irrun, f"{inside}/pool.xml", "--input", f"{inside}/x.npy", "--save-all", "all.npz", "-q"], check=True, stdout=subprocess.DEVNULL)
    with open(f"{inside}/pool.xml") as file, open("other.xml", "w") as other:
        other.write(file.read().replace('exclude-pad="true"', 'exclude-pad="false"'))
    browser.open(page("comparison", "other.xml", "--input", f"{inside}/x.npy", "--expect", "all.npz", status=1))
    use_all_buttons(browser)
    browser.run("showView('comparison')")
    expect("first that differs: pool" in browser.run("document.getElementById('views').innerText"), "the first that differs")
    browser.click("#views .link")
    expect(browser.run("details.querySelectorAll('canvas.heat').length") == 1, "a heat map")
    expect(browser.run("details.querySelectorAll('.chart .dot').length") == 9, "got against expected")
    picture(browser, "comparison")
    expect(browser.run("compared.find(one => one.name === 'y').at.name") == "pool", "a compared output leads to what computes it")
    browser.open(page("differences", "other.xml", "--diff", f"{inside}/pool.xml", status=1))
    use_all_buttons(browser)
    browser.run("showView('differences 1')")
    browser.click("#views .row")
    expect("exclude-pad" in browser.run("details.innerText"), "the change")
    expect(browser.run("document.querySelectorAll('.box.changed').length") == 1, "a changed layer is marked")


def test_removed_layers(browser):
    network("old.xml", 3)
    network("new.xml", 3, ("first", "new"))
    browser.open(page("removed", "new.xml", "--diff", "old.xml", status=1))
    use_all_buttons(browser)
    browser.click("#open-all")
    counts = browser.run("['removed', 'added'].map(word => document.querySelectorAll('.box.' + word).length)")
    expect(counts == [6, 3], f"six removed and three added layers, not {counts}")
    check_places(browser, "removed")
    lines = browser.run("lines.filter(line => line.isRemoved).map(line => line.above.name.slice(-6) + ' ' + line.below.name.slice(-6)).sort()")
    expect(lines == sorted(
        f"{a} {b}" for i in range(3) for a, b in (("/first", "second"), ("second", "/third"), ("/third", f".{i}/add"))), f"their lines, not {lines}")
    rows = browser.run("['first', 'second', 'third', 'add'].map(name => layers.find(layer => layer.name.endsWith('block.1/' + name)).box.y)")
    expect(rows == sorted(set(rows)), f"removed layers stand between their neighbours, not at {rows}")
    browser.run("showView(views.find(view => view.name.startsWith('differences')).name)")
    row = browser.run("doc.differences.findIndex(change => change.layer.endsWith('block.1/second'))")
    browser.click("#views .row", row)
    text = browser.run("details.innerText")
    for word in ("block.1/second", "block.1/first", "block.1/third", "old.xml:", "ReLU-1"):
        expect(word in text, f"a removed layer says {word}")
    browser.key("u")
    expect(browser.run("chosen.name") == "net/stage.0/block.1/first", "u leads from a removed layer to its source")
    picture(browser, "removed")
    browser.open(page("other", os.path.join(models, "networks/digits.xml"), "--diff", "old.xml", status=1))
    browser.click("#open-all")
    expect(browser.run("document.querySelectorAll('.box.removed').length") == 14, "all layers of another model are removed")
    overlaps = browser.run("items.some((a, i) => items.some((b, k) => k < i && !a.open && !b.open && isIn(a.box, { x: b.box.x, y: b.box.y, right: b.box.x + b.box.width, bottom: b.box.y + b.box.height })))")
    expect(not overlaps, "boxes of two models do not overlap")


def test_names(browser):
    browser.open(page("names", network("names.xml", 3, (EVIL, "\u202eright to left", "a'b\\c&amp;"))))
    expect(browser.run("document.title") == "names.xml - irrun", "no name runs as a script")
    browser.run("search('stage quoted')")
    expect(browser.run("matches.length") == 3, "a name is found")
    browser.run("nextMatch(1)")
    expect(browser.run("details.querySelector('h2').textContent").endswith("long" * 75), "a long name is whole in the details")
    wide = browser.run("[...document.querySelectorAll('.box')].filter(box => box.querySelector('text').getBBox().width > 160).length")
    expect(wide == 0, f"names fit their boxes, but {wide} do not")
    browser.open(page("none", "none.xml", "--check-shapes", status=6))
    expect("IR701" in browser.run("document.getElementById('views').innerText"), "a page without a model has the fault")


def test_groups(browser):
    browser.open(page("groups", network("groups.xml", 250)))
    picture(browser, "large")
    browser.click("#fold-all")
    expect(browser.run("items.length") <= 5, "all groups are folded")
    browser.click(".box.group")
    expect(browser.run("chosen.isGroup && chosen.open"), "a click opens a group")
    n_open = browser.run("items.length")
    browser.click(".head")
    expect(browser.run("items.length") < n_open, "a click on its title folds it")
    browser.click("#open-all")
    expect(browser.run("items.filter(item => !item.isGroup).length") == 1002, "all layers are visible")
    check_places(browser, "groups")
    browser.run("choose(groups[1])")
    n_open = browser.run("items.length")
    browser.click("#toggle-group")
    expect(browser.run("items.length") < n_open, "a button folds a group")
    browser.run("search('stage')")
    n_rows = browser.run("document.querySelectorAll('#views .row').length")
    browser.click("#views .more")
    expect(browser.run("document.querySelectorAll('#views .row').length") > n_rows, "a long list has more")
    browser.click("#views .row", 1)
    first = browser.run("chosen.index")
    browser.click("#details .link")
    expect(browser.run("chosen.index") != first, "a link leads to another layer")


def check_places(browser, name):
    """Checks that boxes of one group do not overlap, that they lie in their group, and that lines lead downwards."""
    overlaps, outside, upwards = browser.run("""(() => {
      const area = box => ({ x: box.x, y: box.y, right: box.x + box.width, bottom: box.y + box.height });
      const pairs = group => group.children.flatMap((a, i) => group.children.slice(i + 1).map(b => [a, b]));
      const open = groups.filter(group => items.includes(group) && group.open);
      return [open.flatMap(pairs).filter(([a, b]) => isIn(a.box, area(b.box))).length,
        open.flatMap(group => group.children.filter(child => child.box.x < group.box.x || child.box.y < group.box.y + HEAD ||
          area(child.box).right > area(group.box).right || area(child.box).bottom > area(group.box).bottom)).length,
        lines.filter(line => line.isBack).length];
    })()""")
    expect(overlaps == 0, f"{name}: {overlaps} pairs of boxes overlap")
    expect(outside == 0, f"{name}: {outside} boxes are outside of their groups")
    expect(upwards == 0, f"{name}: {upwards} lines lead upwards")


def test_places(browser):
    families = os.path.join(models, "..", "tests", "golden", "families")
    for name in ("patterns", "infrastructure", "condition"):
        browser.open(page(name, os.path.join(families, name + ".xml")))
        for groups in ("[]", "groups.filter((_, i) => i % 2)", "groups"):
            browser.run(f"for (const group of groups) group.open = group.index === 0 || {groups}.includes(group); arrange()")
            check_places(browser, name)


def test_keys(browser):
    browser.open("groups.html")
    browser.click("#graph")
    browser.key("/")
    browser.call("Input.insertText", text="stage.3 block.7/ second")
    time.sleep(0.2)
    expect(browser.run("matches.length") == 1, "typing finds one layer")
    browser.key("Enter")
    expect(browser.run("chosen.name") == "net/stage.3/block.7/second", "Enter goes there")
    expect(browser.run("document.querySelectorAll('.box.chosen').length") == 1, "and opens the groups around it")
    browser.key("Escape")
    browser.key("d")
    expect(browser.run("chosen.name") == "net/stage.3/block.7/third", "d goes to a reader")
    browser.key("u")
    expect(browser.run("chosen.name") == "net/stage.3/block.7/second", "u goes to a source")
    for key, member in (("+", "scale"), ("-", "scale"), ("ArrowLeft", "x"), ("ArrowRight", "x"), ("ArrowUp", "y"), ("ArrowDown", "y"), ("f", "scale"), ("o", "y"), ("c", "scale")):
        before = browser.run(f"view.{member}")
        browser.key(key)
        expect(browser.run(f"view.{member}") != before, f"the key {key} moves the view")
    browser.key("Escape")
    expect(browser.run("chosen") is None, "Escape chooses nothing")
    browser.key("?")
    expect(browser.run("help.open"), "? opens the help")


def test_wheel(browser):
    browser.open("groups.html")
    scale = browser.run("view.scale")
    browser.mouse("mouseWheel", 800, 500, deltaX=0, deltaY=-200)
    expect(browser.run("view.scale") > scale, "the wheel zooms")
    before = browser.run("[view.x, view.y]")
    browser.mouse("mousePressed", 800, 500, button="left", clickCount=1)
    browser.mouse("mouseMoved", 700, 400, button="left")
    browser.mouse("mouseReleased", 700, 400, button="left", clickCount=1)
    after = browser.run("[view.x, view.y]")
    expect(after[0] > before[0] and after[1] > before[1], "dragging moves the graph")


def test_dark_and_print(browser):
    browser.open("groups.html")
    light = browser.run("getComputedStyle(document.body).backgroundColor")
    browser.scheme("dark")
    dark = browser.run("getComputedStyle(document.body).backgroundColor")
    expect(light != dark, "dark and light differ")
    picture(browser, "dark")
    browser.scheme("light")
    printed = browser.call("Page.printToPDF", printBackground=True)["data"]
    expect(len(printed) > 20000, "the page prints")


def test_large(browser):
    path = network("large.xml", 5000)
    begin = time.monotonic()
    page("large", path)
    made = time.monotonic() - begin
    begin = time.monotonic()
    browser.open("large.html")
    browser.run("0")
    opened = time.monotonic() - begin
    expect(made < 3, f"20,000 layers took irrun {made:.1f} s")
    expect(opened < 3, f"20,000 layers took the browser {opened:.1f} s")
    browser.click("#open-all")
    expect(browser.run("items.length") > 20000, "all 20,000 layers can be open")


def main():
    path = find()
    if path is None:
        print("skipped: there is no Chromium (Debian package chromium)")
        return 77
    os.chdir(tempfile.mkdtemp(prefix="irrun-pages-", dir=os.environ.get("TMPDIR")))
    browser = Browser(path)
    try:
        for name, test in list(globals().items()):
            if name.startswith("test_"):
                test(browser)
                for fault in browser.faults:
                    expect(False, f"{name}: {fault}")
                browser.faults.clear()
    finally:
        browser.close()
    return 1 if n_faults > 0 else 0


if __name__ == "__main__":
    sys.exit(main())
