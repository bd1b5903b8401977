"""Drives headless Chromium by the DevTools protocol over a pipe, with Python's own library alone."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """One page of a browser of its own; notes every request, error and message of the console."""

    def __init__(self, width=1440, height=1000):
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()

        def wire():  # Chromium reads descriptor 3 and writes descriptor 4
            first, second = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self._profile = tempfile.mkdtemp()
        self._process = subprocess.Popen(
            [
                PROGRAM,
                "--headless=new",
                "--remote-debugging-pipe",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",  # small in containers
                "--no-first-run",
                f"--user-data-dir={self._profile}",
                f"--window-size={width},{height}",
                "--hide-scrollbars",
                "--disable-background-networking",
            ],
            preexec_fn=wire,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._number = 0
        self._rest = b""
        self.events = []
        self._session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        self.resize(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait()
        os.close(self._write)
        os.close(self._read)
        shutil.rmtree(self._profile, ignore_errors=True)

    def _message(self):
        while b"\0" not in self._rest:
            piece = os.read(self._read, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has ended")
            self._rest += piece
        text, self._rest = self._rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data) :]
        while True:
            answer = self._message()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def resize(self, width, height, phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)

    def dark(self, is_dark):
        self.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}],
        )

    def open(self, file, ready="document.documentElement?.dataset.readyMs"):
        self.events.clear()
        self.call("Page.navigate", url=file if "://" in str(file) else "file://" + os.path.abspath(file))
        self.wait(ready)

    def wait(self, expression, seconds=60):
        end = time.time() + seconds
        while time.time() < end:
            if self.run(f"Boolean({expression})"):
                return
            time.sleep(0.05)
        raise AssertionError(f"not so after {seconds} s: {expression}; {self.complaints()}")

    def run(self, expression):
        result = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True
        )
        if "exceptionDetails" in result:
            raise AssertionError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def mouse(self, kind, x, y, modifiers=0, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", modifiers=modifiers, clickCount=1, **more)

    def place(self, selector):
        """Left, top, width and height of an element that is scrolled into view."""
        return self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView("
            "{block: 'center'}); const r = e.getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; })()"
        )

    def wheel(self, selector, delta):
        left, top, width, height = self.place(selector)
        self.mouse("mouseWheel", left + width / 2, top + height / 2, deltaX=0, deltaY=delta)

    def choose(self, selector, value):
        self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.value = {json.dumps(value)}; "
            "e.dispatchEvent(new Event('change')); e.dispatchEvent(new Event('input')); })()"
        )

    def drag(self, selector, shares, modifiers=0):
        """Drags through points given as shares of the element's width and height."""
        left, top, width, height = self.place(selector)
        self.drag_at([(left + x * width, top + y * height) for x, y in shares], modifiers)

    def drag_at(self, points, modifiers=0):
        self.mouse("mousePressed", *points[0], modifiers)
        for point in points[1:]:
            self.mouse("mouseMoved", *point, modifiers, buttons=1)
        self.mouse("mouseReleased", *points[-1], modifiers)

    def click(self, selector, modifiers=0):
        self.drag(selector, [(0.5, 0.5)], modifiers)

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key)

    def complaints(self):
        """Errors, messages of the console, and requests beyond the page itself."""
        self.run("0")  # what has been sent before is there now
        found = []
        for event in self.events:
            method, about = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(about["exceptionDetails"].get("exception", {}).get("description", "exception"))
            elif method in ("Runtime.consoleAPICalled", "Log.entryAdded"):
                found.append(json.dumps(about)[:300])
            elif method == "Network.requestWillBeSent":
                url = about["request"]["url"]
                if about.get("type") != "Document" and not url.startswith(("data:", "blob:")):
                    found.append("request: " + url)
        return found

    def picture(self, file, whole=False):
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(file, "wb") as out:
            out.write(base64.b64decode(shot["data"]))
