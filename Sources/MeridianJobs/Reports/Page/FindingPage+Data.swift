// SPDX-License-Identifier: Apache-2.0

extension FindingPage {
  /// Reads the data of the page.
  static let data = #"""
    'use strict';
    const given = JSON.parse(document.getElementById('data').textContent);
    const severities = ['error', 'warning', 'info'];
    const byId = id => document.getElementById(id);

    /* An element with text; words from files never become markup. */
    function element(name, text, className) {
      const e = document.createElement(name);
      if (text !== undefined) e.textContent = text;
      if (className) e.className = className;
      return e;
    }
    const number = n => n.toLocaleString('en');

    /* Coordinates of all outlines: doubles, the lowest byte first. */
    function decoded(text) {
      const raw = atob(text), bytes = new Uint8Array(raw.length);
      for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
      const view = new DataView(bytes.buffer), numbers = new Float64Array(bytes.length / 8);
      for (let i = 0; i < numbers.length; i++) numbers[i] = view.getFloat64(i * 8, true);
      return numbers;
    }
    const xy = decoded(given.coordinates);

    function box() { return {x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity}; }
    function grow(b, x, y) {
      if (x < b.x0) b.x0 = x;
      if (x > b.x1) b.x1 = x;
      if (y < b.y0) b.y0 = y;
      if (y > b.y1) b.y1 = y;
    }

    let position = 0;
    const features = given.features.map(([file, row, id, properties, counts, thinned]) => {
      const paths = [], bounds = box();
      for (const count of counts) {
        const end = position + 2 * Math.abs(count);
        for (let i = position; i < end; i += 2) grow(bounds, xy[i], xy[i + 1]);
        paths.push({from: position, to: end, closed: count < 0});
        position = end;
      }
      return {file: given.files[file][0], fileNumber: file, row, id, properties, paths, bounds, thinned};
    });

    const findings = given.findings.map(([feature, code, severity, message, part, ring, vertex, x, y, known, edges], i) => ({
      i, feature: features[feature], code: given.codes[code], codeNumber: code, severity, message: given.messages[message],
      part, ring, vertex, x, y, known, edges, hasPlace: x !== null && y !== null,
    }));

    const everything = box();
    for (const f of features) {
      if (f.bounds.x0 > f.bounds.x1) continue;
      grow(everything, f.bounds.x0, f.bounds.y0);
      grow(everything, f.bounds.x1, f.bounds.y1);
    }
    for (const f of findings) if (f.hasPlace) grow(everything, f.x, f.y);

    /* What a search looks into, made when it is first needed. */
    function words(f) {
      if (f.words === undefined) {
        const p = f.feature.properties;
        f.words = [f.code, f.message, f.feature.file, 'row ' + f.feature.row, f.feature.id ?? '', severities[f.severity],
          f.x ?? '', f.y ?? '', p ? Object.entries(p).flat().join(' ') : ''].join(' ').toLowerCase();
      }
      return f.words;
    }

    """#
}
