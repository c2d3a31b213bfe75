#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Uses a page of findings in headless Chromium as people do, with mouse, keys and fingers, at several widths.

    check_findings_page.py CHROMIUM PAGE [FOLDER]

Prints one line of JSON a view: what was seen, the times of what a user waits for in milliseconds, and what is wrong. FOLDER
takes a screenshot of each view.
"""

import base64
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "BenchTests", "Output"))
from check_page import LOOK, print_each  # noqa: E402

VIEWS = ((360, 740, "light"), (360, 740, "dark"), (1440, 900, "light"), (1440, 900, "dark"))

# Two frames later everything that was asked for is drawn.
SETTLED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(%s))))"

# How long a step takes until it is drawn, and how long the script was busy with it.
TIMED = """(async () => {
  const start = performance.now();
  %s;
  const busy = performance.now() - start;
  await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  return [busy, performance.now() - start];
})()"""

STATE = """({
  rows: document.querySelectorAll('#rows tr').length, shown: byId('shown').textContent, page: byId('page').textContent,
  first: document.querySelector('#rows tr')?.innerText.replaceAll('\\t', '|') ?? '',
  chosen: chosen ? chosen.i : null, detail: byId('detail').innerText, scale, centre,
  focus: document.activeElement.textContent.slice(0, 40),
  place: chosen?.hasPlace ? [toX(chosen.x) / width(), toY(chosen.y) / height()] : null,
})"""

# Colours on the canvas: how many different ones, and whether the chosen place has its ring.
PAINTED = """(() => {
  const ratio = devicePixelRatio, seen = new Set(), columns = canvas.width;
  const all = pen.getImageData(0, 0, columns, canvas.height).data;
  for (let i = 0; i < all.length; i += 4 * 97) seen.add(all[i] + ',' + all[i + 1] + ',' + all[i + 2]);
  if (!chosen || !chosen.hasPlace) return [seen.size, 0];
  const x = Math.round(toX(chosen.x) * ratio), y = Math.round(toY(chosen.y) * ratio);
  let drawn = 0;
  for (let j = y - 20; j < y + 20; j++) {
    for (let i = x - 20; i < x + 20; i++) if (all[4 * (j * columns + i) + 3] > 128) drawn++;
  }
  return [seen.size, drawn];
})()"""


class Page:
    def __init__(self, browser):
        self.browser = browser

    def run(self, expression):
        answer = self.browser.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise SystemExit(json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def settled(self, expression=STATE):
        return self.run(SETTLED % expression)

    def key(self, key, code=0):
        for kind in ("keyDown", "keyUp"):
            text = {"text": key} if kind == "keyDown" and len(key) == 1 else {}
            self.browser.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **text)

    def mouse(self, kind, x, y, **more):
        self.browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def centre(self, selector):
        return self.run("(() => { const e = document.querySelector(%s); e.scrollIntoView({block: 'center'});"
                        "const b = e.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; })()"
                        % json.dumps(selector))


def use(page):
    """The steps of a user; what the page looks like after each."""
    steps = {"start": page.settled()}
    if not steps["start"]["rows"]:
        return steps
    page.click(*page.centre("#rows tr:nth-child(2) td:nth-child(2) button"))
    steps["row"] = page.settled()
    steps["row"]["painted"] = page.settled(PAINTED)
    page.key("ArrowDown", 40)
    steps["down"] = page.settled()
    page.key("n", 78)
    steps["n"] = page.settled()
    page.key("p", 80)
    steps["p"] = page.settled()
    page.run("canvas.focus()")
    page.key("+", 187)
    steps["in"] = page.settled()
    page.key("ArrowRight", 39)
    steps["right"] = page.settled()
    page.key("0", 48)
    steps["all"] = page.settled()
    # A click on the place of the first finding that has one chooses a finding there.
    x, y = page.centre("#map")
    spot = page.run("(() => { const f = shown.find(f => f.hasPlace), b = canvas.getBoundingClientRect();"
                    "return [b.left + toX(f.x), b.top + toY(f.y), f.x, f.y]; })()")
    page.run("chosen = null")
    page.click(spot[0], spot[1])
    steps["marker"] = {"chosen": page.settled("chosen && [chosen.x, chosen.y]"), "wanted": spot[2:]}
    page.mouse("mouseWheel", x, y, deltaX=0, deltaY=-240)
    steps["wheel"] = page.settled()
    page.run("document.querySelectorAll('#list thead button')[1].click()")
    steps["sorted"] = page.settled()
    page.run("document.querySelectorAll('#list thead button')[1].click()")
    steps["down sorted"] = page.settled()
    word = page.run("shown[0].code.toLowerCase()")
    page.run("byId('search').focus()")
    for letter in word:
        page.browser.call("Input.insertText", text=letter)
    page.run("new Promise(done => setTimeout(done, 400))")
    steps["searched"] = page.settled()
    steps["searched"]["word"] = word
    page.run("byId('search').value = 'no finding has such words'; select()")
    steps["nothing"] = page.settled()
    page.run("byId('search').value = ''; select()")
    return steps


def times(page):
    """Busy and drawn, in milliseconds, of what a user waits for."""
    names = {
        "search": "byId('search').value = 'cross'; select()",
        "clear": "byId('search').value = ''; select()",
        "sort": "document.querySelectorAll('#list thead button')[3].click()",
        "page": "turnPage(1)",
        "choose": "choose(shown[Math.floor(shown.length / 2)])",
        "all": "show(everything)",
        "pan": "pan(13, 7)",
        "zoom": "zoom(1.3)",
    }
    return {name: page.run(TIMED % step) for name, step in names.items()}


def look(browser, path, view, folder):
    width, height, scheme = view
    browser.events.clear()
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                 mobile=width < 600)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.call("Page.navigate", url="file://" + os.path.abspath(path))
    browser.wait("Page.loadEventFired")
    page = Page(browser)
    loaded = page.settled("performance.now()")
    steps = use(page)
    if steps["start"]["rows"]:
        page.run("choose(findings[Math.min(1, findings.length - 1)])")
    page.settled()
    seen = page.run(LOOK)
    found = {
        "width": width, "scheme": scheme, "steps": steps, "loaded": loaded,
        "overflow": seen["scrollWidth"] > seen["clientWidth"], "faint": seen["faint"], "text": seen["text"][:20000],
        "nan": "NaN" in seen["text"] or "undefined" in seen["text"],
        "unnamed": page.run("[...document.querySelectorAll('button, input, select, canvas')].filter(e =>"
                            "!(e.textContent.trim() || e.ariaLabel || e.closest('label'))).length"),
        "small": page.run("[...document.querySelectorAll('button')].filter(e => e.offsetParent && e.offsetHeight < 24)"
                          ".map(e => e.textContent)"),
        "times": times(page) if steps["start"]["rows"] and width > 1000 and scheme == "light" else {},
        "requests": [e["params"]["request"]["url"] for e in browser.events
                     if e.get("method") == "Network.requestWillBeSent"],
        "complaints": [json.dumps(e["params"]) for e in browser.events
                       if e.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown")],
    }
    if folder:
        page.run("scrollTo(0, 0); if (findings.length) choose(findings[Math.min(1, findings.length - 1)])")
        page.settled()
        for name, whole in (("view", False), ("page", True)):
            size = {"x": 0, "y": 0, "width": width, "height": min(seen["height"], 6000) if whole else height, "scale": 1}
            shot = browser.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole, clip=size)
            with open(os.path.join(folder, f"{name}-{width}-{scheme}.png"), "wb") as file:
                file.write(base64.b64decode(shot["data"]))
    return found


def main(program, path, folder=None):
    print_each(program, VIEWS, lambda browser, view: look(browser, path, view, folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
