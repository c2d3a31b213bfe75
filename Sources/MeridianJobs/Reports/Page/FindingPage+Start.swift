// SPDX-License-Identifier: Apache-2.0

extension FindingPage {
  /// Fingers, keys and buttons, and the first drawing.
  static let start = #"""

    /* Fingers and the mouse: one drags, two zoom, a click chooses. */
    const pointers = new Map();
    let moved = 0;
    canvas.addEventListener('pointerdown', e => {
      canvas.setPointerCapture(e.pointerId);
      pointers.set(e.pointerId, [e.offsetX, e.offsetY]);
      if (pointers.size === 1) moved = 0;
    });
    canvas.addEventListener('pointermove', e => {
      const before = pointers.get(e.pointerId);
      if (!before) return;
      const now = [e.offsetX, e.offsetY];
      if (pointers.size === 2) {
        const other = [...pointers].find(([id]) => id !== e.pointerId)[1];
        const spread = p => Math.max(Math.hypot(p[0] - other[0], p[1] - other[1]), 1);
        zoom(spread(now) / spread(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
        pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
        moved = 99;
      } else {
        moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
        if (moved > 4) pan(now[0] - before[0], now[1] - before[1]);
      }
      pointers.set(e.pointerId, now);
    });
    for (const name of ['pointerup', 'pointercancel']) {
      canvas.addEventListener(name, e => {
        if (name === 'pointerup' && pointers.size === 1 && moved <= 4) {
          const f = findingAt(e.offsetX, e.offsetY);
          if (f) choose(f);
        }
        pointers.delete(e.pointerId);
      });
    }
    canvas.addEventListener('wheel', e => {
      e.preventDefault();
      zoom(Math.exp(-Math.sign(e.deltaY) * Math.min(Math.abs(e.deltaY), 200) / 300), e.offsetX, e.offsetY);
    }, {passive: false});

    const tools = {
      in: () => zoom(1.6), out: () => zoom(1 / 1.6), all: () => show(everything), previous: () => step(-1), next: () => step(1),
    };
    byId('tools').addEventListener('click', e => tools[e.target.dataset.do]?.());

    canvas.addEventListener('keydown', e => {
      const keys = {
        ArrowLeft: () => pan(60, 0), ArrowRight: () => pan(-60, 0), ArrowUp: () => pan(0, 60), ArrowDown: () => pan(0, -60),
        '+': tools.in, '=': tools.in, '-': tools.out, '0': tools.all,
      };
      if (!keys[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
      e.preventDefault();
      keys[e.key]();
    });
    document.addEventListener('keydown', e => {
      if (e.ctrlKey || e.metaKey || e.altKey || ['INPUT', 'SELECT'].includes(e.target.tagName)) return;
      if (e.key === 'n') step(1);
      if (e.key === 'p') step(-1);
    });
    byId('rows').addEventListener('keydown', e => {
      if (e.key !== 'ArrowDown' && e.key !== 'ArrowUp') return;
      e.preventDefault();
      const tr = e.target.closest('tr'), at = shown.findIndex(f => f.i === +tr.dataset.i);
      const next = shown[at + (e.key === 'ArrowDown' ? 1 : -1)];
      if (next) choose(next, true);
    });
    byId('rows').addEventListener('click', e => {
      const tr = e.target.closest('tr');
      if (tr) choose(findings[+tr.dataset.i]);
    });
    byId('pages').addEventListener('click', e => { if (e.target.dataset.page) turnPage(+e.target.dataset.page); });

    function fill(id, all, entries) {
      const option = (value, text) => { const o = element('option', text); o.value = value; return o; };
      byId(id).replaceChildren(option('', all), ...entries.map(([value, text]) => option(value, text)));
      byId(id).closest('label').hidden = entries.length < 2;
      byId(id).addEventListener('change', select);
    }

    function fillFilters() {
      const count = key => {
        const counts = new Map();
        for (const f of findings) counts.set(key(f), (counts.get(key(f)) || 0) + 1);
        return counts;
      };
      const entries = (counts, name) => [...counts].map(([value, n]) => [value, `${name(value)} (${number(n)})`]);
      fill('severity', 'all', entries(count(f => f.severity), v => severities[v]));
      fill('code', 'all', entries(count(f => f.codeNumber), v => given.codes[v]).sort((a, b) => compare(a[1], b[1])));
      fill('file', 'all', entries(count(f => f.feature.fileNumber), v => given.files[v][0]));
      fill('known', 'all', given.hasBaseline ? [[0, 'new'], [1, 'known']] : []);
      let pause;
      byId('search').addEventListener('input', () => { clearTimeout(pause); pause = setTimeout(select, 120); });
      byId('filters').addEventListener('submit', e => e.preventDefault());
    }

    function fillOverview() {
      const [errors, warnings, infos] = given.severities;
      const rows = given.files.reduce((n, f) => n + f[1], 0), failing = given.files.reduce((n, f) => n + f[2], 0);
      const totals = [['rows', rows], ['rows with errors', failing], ['errors', errors], ['warnings', warnings]];
      if (infos) totals.push(['without verdict', infos]);
      if (given.hasBaseline) totals.push(['known', given.known]);
      byId('totals').replaceChildren(...totals.map(([name, n]) => {
        const div = element('div');
        div.append(element('dt', name), element('dd', number(n)));
        return div;
      }));
      const files = given.files;
      byId('lead').textContent = files.length === 1 ? files[0][0] : number(files.length) + ' files';
      const list = byId('files');
      list.hidden = files.length < 2;
      list.querySelector('summary').textContent = number(files.length) + ' files';
      const table = element('table'), head = element('tr');
      head.append(...['File', 'Rows', 'With errors'].map((t, i) => element('th', t, i ? 'n' : '')));
      table.append(head, ...files.map(f => {
        const tr = element('tr');
        tr.append(element('td', f[0]), element('td', number(f[1]), 'n'), element('td', number(f[2]), 'n'));
        return tr;
      }));
      list.querySelector('.scroll').replaceChildren(table);
      byId('run').hidden = !given.summary.length;
      byId('run').querySelector('ul').replaceChildren(...given.summary.map(line => element('li', line)));
    }

    fillOverview();
    if (findings.length) {
      readColours();
      fillFilters();
      drawHead();
      drawTable();
      show(everything);
      if (given.undrawn) {
        byId('keys').append(` ${number(given.undrawn)} features with many vertices are not drawn.`);
      }
      if (given.withoutProperties) {
        byId('keys').append(` Properties of ${number(given.withoutProperties)} features are too long to be shown.`);
      }
      matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readColours(); drawMap(); });
      new ResizeObserver(drawMap).observe(canvas);
    } else {
      byId('work').hidden = true;
      byId('overview').append(element('p', given.unlisted ? '' : 'Nothing is wrong.'));
    }

    """#
}
