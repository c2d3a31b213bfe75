// SPDX-License-Identifier: Apache-2.0

extension FindingPage {
  /// The table, its filters and what it tells of one finding.
  static let table = #"""

    const perPage = 100;
    let shown = findings, page = 0, chosen = null, sorted = {key: 'order', down: false};

    const columns = [
      {key: 'severity', title: 'Severity', value: f => f.severity},
      {key: 'code', title: 'Code', value: f => f.code},
      {key: 'file', title: 'File', value: f => f.feature.file},
      {key: 'row', title: 'Row', value: f => f.feature.row, isNumber: true},
      {key: 'id', title: 'Id', value: f => f.feature.id === null ? '' : f.feature.id},
      {key: 'message', title: 'What', value: f => f.message},
      {key: 'x', title: 'x', value: f => f.x, isNumber: true},
      {key: 'y', title: 'y', value: f => f.y, isNumber: true},
    ];
    if (given.files.length < 2) columns.splice(2, 1);

    function compare(a, b) {
      const missing = v => v === null || v === '';
      if (missing(a) || missing(b)) return missing(a) - missing(b);
      if (typeof a === 'number' && typeof b === 'number') return a - b;
      return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
    }

    /* Applies filters and order, and goes to the first page. */
    function select() {
      const search = byId('search').value.trim().toLowerCase().split(/\s+/).filter(w => w);
      const pick = id => byId(id).value;
      const [severity, code, file, known] = ['severity', 'code', 'file', 'known'].map(pick);
      shown = findings.filter(f => (severity === '' || f.severity === +severity) && (code === '' || f.codeNumber === +code)
        && (file === '' || f.feature.fileNumber === +file) && (known === '' || f.known === +known)
        && search.every(w => words(f).includes(w)));
      const column = columns.find(c => c.key === sorted.key);
      if (column) {
        const keyed = shown.map(f => [column.value(f), f]);
        const sign = sorted.down ? -1 : 1;
        keyed.sort((a, b) => sign * compare(a[0], b[0]) || a[1].i - b[1].i);
        shown = keyed.map(k => k[1]);
      }
      page = 0;
      drawTable();
      drawMap();
    }

    function drawHead() {
      const head = document.querySelector('#list thead tr');
      head.replaceChildren(...columns.map(c => {
        const th = element('th', undefined, c.isNumber ? 'n' : '');
        const button = element('button', c.title);
        th.scope = 'col';
        button.type = 'button';
        button.onclick = () => {
          sorted = {key: c.key, down: sorted.key === c.key && !sorted.down};
          for (const other of head.children) other.removeAttribute('aria-sort');
          th.setAttribute('aria-sort', sorted.down ? 'descending' : 'ascending');
          select();
        };
        th.append(button);
        return th;
      }));
    }

    function tableRow(f) {
      const tr = element('tr');
      tr.dataset.i = f.i;
      if (f === chosen) tr.setAttribute('aria-current', 'true');
      for (const c of columns) {
        const value = c.value(f), td = element('td', undefined, c.isNumber ? 'n' : c.key);
        if (c.key === 'severity') {
          td.append(element('span', severities[f.severity], severities[f.severity]));
          if (f.known) td.append(' (known)');
        } else if (c.key === 'code') {
          const button = element('button', f.code);
          button.type = 'button';
          td.append(button);
        } else {
          td.textContent = value ?? '';
        }
        tr.append(td);
      }
      return tr;
    }

    function drawTable() {
      const pages = Math.max(1, Math.ceil(shown.length / perPage)), first = page * perPage;
      byId('rows').replaceChildren(...shown.slice(first, first + perPage).map(tableRow));
      const all = shown.length === findings.length ? '' : ' of ' + number(findings.length);
      const unlisted = given.unlisted ? ` (and ${number(given.unlisted)} that are not listed)` : '';
      byId('shown').textContent = `${number(shown.length)}${all} findings${unlisted}`;
      byId('page').textContent = `Page ${number(page + 1)} of ${number(pages)}`;
      const [back, forth] = byId('pages').querySelectorAll('button');
      back.disabled = page === 0;
      forth.disabled = page + 1 >= pages;
      byId('pages').hidden = pages < 2;
    }

    function turnPage(step) {
      const pages = Math.ceil(shown.length / perPage);
      page = Math.min(Math.max(page + step, 0), Math.max(pages - 1, 0));
      drawTable();
      document.querySelector('#list .scroll').scrollTop = 0;
    }

    /* Chooses a finding: the table turns to it, the map zooms to it. */
    function choose(f, focus) {
      chosen = f;
      const place = shown.indexOf(f);
      if (place >= 0 && Math.floor(place / perPage) !== page) {
        page = Math.floor(place / perPage);
        drawTable();
      }
      for (const tr of byId('rows').children) {
        if (+tr.dataset.i !== f.i) { tr.removeAttribute('aria-current'); continue; }
        tr.setAttribute('aria-current', 'true');
        const scroll = tr.closest('.scroll'), box = tr.getBoundingClientRect(), frame = scroll.getBoundingClientRect();
        if (box.top < frame.top + 40) scroll.scrollTop -= frame.top + 40 - box.top;
        if (box.bottom > frame.bottom) scroll.scrollTop += box.bottom - frame.bottom;
        if (focus) tr.querySelector('button').focus({preventScroll: true});
      }
      drawDetail(f);
      zoomTo(f);
    }

    function step(by, focus) {
      if (!shown.length) return;
      const place = chosen ? shown.indexOf(chosen) : -1;
      const next = place < 0 ? (by > 0 ? 0 : shown.length - 1) : place + by;
      if (shown[next]) choose(shown[next], focus);
    }

    function drawDetail(f) {
      const list = element('dl');
      const add = (name, value) => {
        if (value === null || value === undefined || value === '') return;
        list.append(element('dt', name), element('dd', String(value)));
      };
      add('File', f.feature.file);
      add('Row', f.feature.row);
      add('Id', f.feature.id);
      add('Where', [['part', f.part], ['ring', f.ring], ['vertex', f.vertex]].filter(p => p[1] !== null)
        .map(p => p.join(' ')).join(', '));
      if (f.hasPlace) add('At', f.x + ' ' + f.y);
      if (given.hasBaseline) add('Baseline', f.known ? 'known' : 'new');
      const title = element('h2', f.code + ': ' + f.message);
      title.classList.add(severities[f.severity]);
      const parts = [title, list];
      const properties = f.feature.properties ? Object.entries(f.feature.properties) : [];
      if (properties.length) {
        const table = element('dl');
        for (const [name, value] of properties) {
          table.append(element('dt', name), element('dd', value));
        }
        parts.push(element('h3', 'Properties'), table);
      }
      if (f.feature.thinned) {
        parts.push(element('p', 'The outline is drawn with fewer vertices where no finding is near.', 'note'));
      }
      if (!f.feature.paths.length) parts.push(element('p', 'The outline of this feature is not in this page.', 'note'));
      byId('detail').replaceChildren(...parts);
    }

    """#
}
