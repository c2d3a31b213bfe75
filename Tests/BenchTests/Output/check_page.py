#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens a page of the harness in headless Chromium and checks it at several widths, in light and dark.

    check_page.py CHROMIUM PAGE [FOLDER]

Prints one line of JSON a view: width, scheme, overflow, counts of marks, the visible text, and what is wrong. FOLDER
takes a screenshot of each view. Talks to the browser over a pipe, so that nothing but Python itself is needed.
"""

import base64
import itertools
import json
import os
import select
import subprocess
import sys
import tempfile

WIDTHS = (360, 768, 1440)
SCHEMES = ("light", "dark")
# Seconds between two messages of the browser, on a machine that has much to do.
PATIENCE = 120

# What is looked at in the page. Contrast is that of WCAG 2: 4.5 for text, 3 for large text.
LOOK = r"""
(() => {
  const root = document.documentElement;
  const channels = c => (c.match(/[\d.]+/g) || []).map(Number);
  const light = c => {
    const [r, g, b] = c.slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const background = e => {
    for (; e; e = e.parentElement) {
      const c = channels(getComputedStyle(e).backgroundColor);
      if (c.length && (c.length < 4 || c[3] > 0)) return c;
    }
    return [255, 255, 255];
  };
  const contrast = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const faint = [], outside = [], covered = [];
  let smallest = 1e9;
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || ['title', 'desc', 'style'].includes(e.localName)) continue;
    const style = getComputedStyle(e);
    const isDrawn = e.localName === 'text';
    const ratio = contrast(channels(isDrawn ? style.fill : style.color), background(e));
    if (ratio < 4.5) faint.push(e.textContent.slice(0, 40) + ' ' + ratio.toFixed(2));
    if (isDrawn) {
      const svg = e.ownerSVGElement.getBoundingClientRect(), box = e.getBoundingClientRect();
      smallest = Math.min(smallest, parseFloat(style.fontSize) * svg.width / e.ownerSVGElement.viewBox.baseVal.width);
      if (box.left < svg.left - 1 || box.right > svg.right + 1 || box.top < svg.top - 1 || box.bottom > svg.bottom + 1)
        outside.push(e.textContent);
    }
  }
  for (const svg of document.querySelectorAll('figure > svg')) {
    const boxes = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]);
    boxes.forEach(([a, p], i) => boxes.slice(i + 1).forEach(([b, q]) => {
      if (p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 2 && q.top < p.bottom - 2)
        covered.push(a + ' / ' + b);
    }));
  }
  const thin = [...document.querySelectorAll('.mark, .dots, .outlier, .line')].filter(e => {
    const style = getComputedStyle(e);
    const c = style.fill === 'none' ? style.stroke : style.fill;
    return contrast(channels(c), background(e)) < 3;
  }).length;
  const count = s => document.querySelectorAll(s).length;
  return {
    scrollWidth: root.scrollWidth, clientWidth: root.clientWidth, height: root.scrollHeight,
    figures: count('figure'), svgs: count('figure > svg'), marks: count('svg .mark'), bars: count('rect.bar'),
    dots: count('path.dots'), outliers: count('.outlier'), lines: count('figure > svg path.line'),
    advice: count('path.advice'), tables: count('table'), scripts: count('script, link, img, iframe'),
    unnamed: [...document.querySelectorAll('figure > svg')].filter(s => !s.querySelector('title') ||
      !s.querySelector('desc') || s.getAttribute('role') !== 'img').length,
    headings: [...document.querySelectorAll('h1, h2, h3')].map(h => h.textContent),
    text: document.body.innerText, faint, thin, outside, covered, smallestDrawnText: smallest,
    nan: /NaN|undefined/.test(document.body.innerHTML),
  };
})()
"""


class Browser:
    """Chromium, and a session with one page of it."""

    def __init__(self, program, profile):
        ours, theirs = os.pipe(), os.pipe()
        # The browser reads commands from descriptor 3 and writes answers to 4.
        def arrange():
            incoming, outgoing = os.dup(ours[0]), os.dup(theirs[1])
            os.dup2(incoming, 3)
            os.dup2(outgoing, 4)

        flags = ["--headless=new", "--remote-debugging-pipe", "--user-data-dir=" + profile, "--no-first-run",
                 "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--disable-background-networking",
                 "--disable-component-update", "--force-color-profile=srgb"]
        if os.geteuid() == 0:
            # Its sandbox refuses to run as root; the page is ours.
            flags.append("--no-sandbox")
        self.process = subprocess.Popen([program, *flags, "about:blank"], preexec_fn=arrange, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(ours[0])
        os.close(theirs[1])
        self.commands, self.answers = ours[1], os.fdopen(theirs[0], "rb", buffering=0)
        self.pending, self.number, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def message(self):
        while b"\0" not in self.pending:
            if not select.select([self.answers], [], [], PATIENCE)[0]:
                raise SystemExit(f"the browser says nothing for {PATIENCE} seconds")
            data = self.answers.read(1 << 16)
            if not data:
                raise SystemExit("the browser has gone")
            self.pending += data
        text, self.pending = self.pending.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.commands, data):]
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, event):
        while not any(e.get("method") == event for e in self.events):
            self.events.append(self.message())

    def close(self):
        self.session = None
        try:
            self.call("Browser.close")
            self.process.wait(timeout=30)
        except (SystemExit, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()


def look(browser, page, width, scheme, folder):
    browser.events.clear()
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
                 mobile=width < 600)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.call("Page.navigate", url="file://" + os.path.abspath(page))
    browser.wait("Page.loadEventFired")
    found = browser.call("Runtime.evaluate", expression=LOOK, returnByValue=True)
    if "exceptionDetails" in found:
        raise SystemExit(json.dumps(found["exceptionDetails"]))
    view = found["result"]["value"]
    view.update(width=width, scheme=scheme)
    view["requests"] = [e["params"]["request"]["url"] for e in browser.events
                        if e.get("method") == "Network.requestWillBeSent"]
    view["complaints"] = [e["params"] for e in browser.events
                          if e.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown")]
    if folder:
        shot = browser.call("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                            clip={"x": 0, "y": 0, "width": width, "height": view["height"], "scale": 1})
        with open(os.path.join(folder, f"{width}-{scheme}.png"), "wb") as file:
            file.write(base64.b64decode(shot["data"]))
    return view


def print_each(program, views, look_at):
    """Prints what `look_at(browser, view)` finds of each view."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        try:
            for domain in ("Page", "Network", "Log", "Runtime"):
                browser.call(domain + ".enable")
            for view in views:
                print(json.dumps(look_at(browser, view)))
        finally:
            browser.close()


def main(program, page, folder=None):
    print_each(program, itertools.product(WIDTHS, SCHEMES), lambda browser, view: look(browser, page, *view, folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
