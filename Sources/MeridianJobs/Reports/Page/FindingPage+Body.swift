// SPDX-License-Identifier: Apache-2.0

extension FindingPage {
  /// What stands on the page; the scripts fill it.
  static let body = #"""
    <header>
    <h1>What is wrong with the geometries</h1>
    <p id="lead" class="pale"></p>
    </header>
    <main>
    <section id="overview" aria-label="Summary">
    <dl id="totals"></dl>
    <details id="files"><summary></summary><div class="scroll" tabindex="0" role="region" aria-label="Files"></div></details>
    <details id="run"><summary>The run</summary><ul></ul></details>
    </section>
    <div id="work">
    <section id="place" aria-label="Map">
    <div id="frame">
    <canvas id="map" tabindex="0" role="application" aria-label="Map of the features with findings"
    aria-describedby="keys"></canvas>
    <div id="tools">
    <button type="button" data-do="in" aria-label="Zoom in">+</button>
    <button type="button" data-do="out" aria-label="Zoom out">&minus;</button>
    <button type="button" data-do="all">All</button>
    <button type="button" data-do="previous" aria-label="Previous finding">&larr;</button>
    <button type="button" data-do="next" aria-label="Next finding">&rarr;</button>
    </div>
    </div>
    <p id="keys" class="note">On the map: arrows move it, + and &minus; zoom, 0 shows all. Anywhere: n and p go to the next and
    the previous finding.</p>
    <div id="detail" aria-live="polite"></div>
    </section>
    <section id="list" aria-label="Findings">
    <form id="filters" role="search">
    <label>Search <input type="search" id="search" autocomplete="off"></label>
    <label>Severity <select id="severity"></select></label>
    <label>Code <select id="code"></select></label>
    <label>File <select id="file"></select></label>
    <label>Baseline <select id="known"></select></label>
    </form>
    <p id="shown" role="status"></p>
    <div class="scroll" tabindex="0" role="region" aria-label="Table of findings"><table>
    <thead><tr></tr></thead>
    <tbody id="rows"></tbody>
    </table></div>
    <nav id="pages" aria-label="Pages of the table">
    <button type="button" data-page="-1">Previous page</button>
    <span id="page"></span>
    <button type="button" data-page="1">Next page</button>
    </nav>
    </section>
    </div>
    </main>
    <noscript><p>The table and the map are drawn by a script in this page, and scripts are switched off.</p></noscript>

    """#
}
