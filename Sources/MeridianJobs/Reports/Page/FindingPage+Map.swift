// SPDX-License-Identifier: Apache-2.0

extension FindingPage {
  /// The map, drawn on a canvas from the coordinates of the data.
  static let map = #"""

    const canvas = byId('map'), pen = canvas.getContext('2d');
    /* The centre in coordinates, and pixels a unit. */
    let centre = [0, 0], scale = 1, colours = {}, waiting = false;

    function readColours() {
      const style = getComputedStyle(document.documentElement);
      for (const name of ['error', 'warning', 'info', 'shape', 'fill', 'edge', 'text', 'panel', 'chosen']) {
        colours[name] = style.getPropertyValue('--' + name).trim();
      }
    }

    const width = () => canvas.clientWidth, height = () => canvas.clientHeight;
    const toX = x => (x - centre[0]) * scale + width() / 2;
    const toY = y => (centre[1] - y) * scale + height() / 2;
    const fromX = px => centre[0] + (px - width() / 2) / scale;
    const fromY = py => centre[1] - (py - height() / 2) / scale;

    /* Shows a box with some room around it. */
    function show(b) {
      if (b.x0 > b.x1) return;
      const w = b.x1 - b.x0, h = b.y1 - b.y0;
      const least = Math.max(Math.abs(b.x0), Math.abs(b.y0), 1e-300) * 1e-12;
      scale = 0.9 * Math.min(width() / Math.max(w, least), height() / Math.max(h, least));
      centre = [b.x0 + w / 2, b.y0 + h / 2];
      drawMap();
    }

    const sizeOf = b => Math.max(b.x1 - b.x0, b.y1 - b.y0);

    /* Near enough to see what is wrong: the shorter edge fills a third of the map; without edges, a fifth of the feature. */
    function zoomTo(f) {
      if (!f.hasPlace) return show(f.feature.bounds);
      let reach = sizeOf(f.feature.bounds) / 10;
      if (f.edges) {
        const [a, b, c, d, e, g, h, k] = f.edges;
        reach = Math.min(Math.hypot(c - a, d - b), Math.hypot(h - e, k - g));
      }
      if (!(reach > 0)) reach = Math.max(sizeOf(everything) / 50, Math.abs(f.x) * 1e-9, 1e-9);
      show({x0: f.x - reach, y0: f.y - reach, x1: f.x + reach, y1: f.y + reach});
    }

    function zoom(by, px = width() / 2, py = height() / 2) {
      const x = fromX(px), y = fromY(py);
      scale = Math.min(Math.max(scale * by, 1e-300), 1e300);
      centre = [x - (px - width() / 2) / scale, y + (py - height() / 2) / scale];
      drawMap();
    }

    function pan(dx, dy) {
      centre = [centre[0] - dx / scale, centre[1] + dy / scale];
      drawMap();
    }

    function drawMap() {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; paint(); });
    }

    function paint() {
      const ratio = window.devicePixelRatio || 1, w = width(), h = height();
      if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
        canvas.width = Math.round(w * ratio);
        canvas.height = Math.round(h * ratio);
      }
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.clearRect(0, 0, w, h);
      const view = {x0: fromX(0), x1: fromX(w), y0: fromY(h), y1: fromY(0)};
      const wanted = new Set(shown.map(f => f.feature));
      for (const feature of features) {
        if (wanted.has(feature) && meets(feature.bounds, view)) outline(feature, feature === chosen?.feature);
      }
      if (chosen) {
        outline(chosen.feature, true);
        edges(chosen);
      }
      markers(view);
      if (chosen?.hasPlace) ring(toX(chosen.x), toY(chosen.y));
      scaleBar(w, h);
    }

    const meets = (a, b) => a.x0 <= b.x1 && a.x1 >= b.x0 && a.y0 <= b.y1 && a.y1 >= b.y0;

    function outline(feature, isChosen) {
      pen.strokeStyle = isChosen ? colours.text : colours.shape;
      pen.lineWidth = isChosen ? 1.6 : 1;
      pen.fillStyle = colours.fill;
      pen.beginPath();
      let closed = false;
      for (const path of feature.paths) {
        if (path.to - path.from === 2) {
          pen.rect(toX(xy[path.from]) - 2, toY(xy[path.from + 1]) - 2, 4, 4);
          continue;
        }
        trace(path);
        if (path.closed) closed = true;
      }
      if (closed) pen.fill('evenodd');
      pen.stroke();
      if (isChosen && feature.paths.length) vertices(feature);
    }

    /* Vertices that fall on the pixel before are left out. What is far outside of the view is drawn as far outside: canvases
       lose their way among numbers that are too large. */
    function trace(path) {
      const far = 1e6, near = v => Math.min(Math.max(v, -far), far);
      let lastX = NaN, lastY = NaN;
      for (let i = path.from; i < path.to; i += 2) {
        const x = near(toX(xy[i])), y = near(toY(xy[i + 1]));
        if (i === path.from) pen.moveTo(x, y);
        else if (Math.abs(x - lastX) < 0.7 && Math.abs(y - lastY) < 0.7 && i + 2 < path.to) continue;
        else pen.lineTo(x, y);
        lastX = x;
        lastY = y;
      }
    }

    function vertices(feature) {
      let drawn = 0;
      pen.fillStyle = colours.text;
      for (const path of feature.paths) {
        for (let i = path.from; i < path.to && drawn < 2000; i += 2) {
          const x = toX(xy[i]), y = toY(xy[i + 1]);
          if (x < -3 || y < -3 || x > width() + 3 || y > height() + 3) continue;
          drawn++;
          pen.fillRect(x - 2, y - 2, 4, 4);
        }
      }
    }

    function edges(f) {
      if (!f.edges) return;
      pen.strokeStyle = colours.edge;
      pen.lineWidth = 3;
      pen.beginPath();
      for (let i = 0; i < f.edges.length; i += 4) {
        pen.moveTo(toX(f.edges[i]), toY(f.edges[i + 1]));
        pen.lineTo(toX(f.edges[i + 2]), toY(f.edges[i + 3]));
      }
      pen.stroke();
    }

    /* One marker for all findings of a cell of four pixels. */
    function markers(view) {
      const taken = new Set();
      for (const f of shown) {
        if (!f.hasPlace || f.x < view.x0 || f.x > view.x1 || f.y < view.y0 || f.y > view.y1) continue;
        const x = toX(f.x), y = toY(f.y), cell = Math.floor(x / 4) * 65536 + Math.floor(y / 4);
        if (taken.has(cell)) continue;
        taken.add(cell);
        pen.fillStyle = colours[severities[f.severity]];
        pen.strokeStyle = colours.panel;
        pen.lineWidth = 1;
        pen.beginPath();
        if (f.severity === 0) pen.arc(x, y, 4.5, 0, 2 * Math.PI);
        else { pen.moveTo(x, y - 5); pen.lineTo(x + 5, y + 4); pen.lineTo(x - 5, y + 4); pen.closePath(); }
        pen.fill();
        pen.stroke();
      }
    }

    function ring(x, y) {
      pen.strokeStyle = colours.edge;
      pen.lineWidth = 2.5;
      pen.beginPath();
      pen.arc(x, y, 11, 0, 2 * Math.PI);
      pen.stroke();
    }

    /* A length of 1, 2 or 5 times a power of ten, in the units of the coordinates. */
    function scaleBar(w, h) {
      const most = Math.min(w / 3, 180) / scale, power = 10 ** Math.floor(Math.log10(most));
      const length = [5, 2, 1].map(n => n * power).find(n => n <= most) || power, px = length * scale;
      pen.strokeStyle = pen.fillStyle = colours.text;
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.moveTo(12, h - 18);
      pen.lineTo(12, h - 12);
      pen.lineTo(12 + px, h - 12);
      pen.lineTo(12 + px, h - 18);
      pen.stroke();
      pen.font = '12px system-ui, "DejaVu Sans", sans-serif';
      pen.fillText(String(+length.toPrecision(3)), 16, h - 18);
    }

    /* The nearest finding that is shown, at most 14 pixels away. */
    function findingAt(px, py) {
      let best = null, least = 14 * 14;
      for (const f of shown) {
        if (!f.hasPlace) continue;
        const d = (toX(f.x) - px) ** 2 + (toY(f.y) - py) ** 2;
        if (d < least) { least = d; best = f; }
      }
      return best;
    }

    """#
}
