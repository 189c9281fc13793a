"""Drives Chromium by the DevTools protocol over a pipe, with the standard library alone."""
import base64
import itertools
import json
import os
import shutil
import subprocess
import tempfile


def find():
    """Returns the path of a Chromium, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    return None


class Browser:
    def __init__(self, path, width=1400, height=900):
        self.profile = tempfile.mkdtemp(prefix="irrun-page-")
        read_here, write_there = os.pipe()
        read_there, write_here = os.pipe()

        def connect():  # the browser reads requests from descriptor 3 and writes answers to 4
            os.dup2(read_there, 30)
            os.dup2(write_there, 31)
            os.dup2(30, 3)
            os.dup2(31, 4)

        self.process = subprocess.Popen(
            [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "about:blank"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_there)
        os.close(write_there)
        self.write_end, self.read_end, self.rest = write_here, read_here, b""
        self.numbers, self.session, self.events, self.faults = itertools.count(1), None, [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def receive(self):
        while b"\0" not in self.rest:
            block = os.read(self.read_end, 1 << 20)
            if not block:
                raise RuntimeError("the browser ended")
            self.rest += block
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def note(self, message):
        method, params = message.get("method"), message.get("params", {})
        self.events.append(method)
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.faults.append(details.get("exception", {}).get("description") or details["text"])
        if method == "Network.requestWillBeSent" and not params["request"]["url"].startswith(("file:", "about:", "data:")):
            self.faults.append("the page asks the network for " + params["request"]["url"])

    def call(self, method, **params):
        number = next(self.numbers)
        request = {"id": number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.write_end, json.dumps(request).encode() + b"\0")
        while True:
            message = self.receive()
            if message.get("id") != number:
                self.note(message)
            elif "error" in message:
                raise RuntimeError(f"{method}: {message['error']['message']}")
            else:
                return message["result"]

    def open(self, path):
        self.events.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while "Page.loadEventFired" not in self.events:
            self.note(self.receive())

    def run(self, script):
        """Returns the value of a JavaScript expression. What waits for the next frame is drawn before."""
        result = self.call("Runtime.evaluate", expression=f"waiting && draw(); {script}", returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click_at(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def click(self, selector, number=0):
        """Clicks the middle of an element."""
        element = f"document.querySelectorAll({json.dumps(selector)})[{number}]"
        place = self.run(f"(() => {{ const e = {element}; if (!e) return null; e.scrollIntoView({{block: 'nearest'}});"
                         "const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        if place is None:
            raise RuntimeError(f"there is no {selector} number {number}")
        self.click_at(*place)

    def key(self, key):
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=key if len(key) == 1 else "")
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def screenshot(self, path):
        self.run("draw()")
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        self.process.wait(timeout=20)
        os.close(self.read_end)
        os.close(self.write_end)
        shutil.rmtree(self.profile, ignore_errors=True)
