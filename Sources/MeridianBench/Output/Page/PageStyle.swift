// SPDX-License-Identifier: Apache-2.0

/// The style sheet of the page.
enum PageStyle {
  /// Colours of series differ in hue and in lightness, and each has a contrast of 3 at least to the background.
  static let sheet: Markup = """

    :root {
      --back: #fdfdfc; --panel: #f5f5f3; --text: #1d2024; --pale: #565d66; --rule: #d9dcdf; --grid: #e6e8ea;
      --link: #0b57a4; --good: #176b3a; --bad: #a8200d;
      --s0: #0b5fa5; --s1: #c2500a; --s2: #1f7f55; --s3: #8b3f9e; --s4: #7a6a00; --s5: #b0245f;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --back: #14171a; --panel: #1c2024; --text: #e4e7ea; --pale: #a5adb6; --rule: #363c43; --grid: #2a2f35;
        --link: #7db8f0; --good: #6fcf97; --bad: #ff8f7d;
        --s0: #6cb1f2; --s1: #f19a57; --s2: #5cc596; --s3: #cf93de; --s4: #cbbd4c; --s5: #f385ae;
      }
    }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
    body { margin: 0 auto; max-width: 1160px; padding: 24px 16px 64px; background: var(--back); color: var(--text);
      font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif; }
    h1, h2, h3, p, li, dd, figcaption { overflow-wrap: anywhere; }
    h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 4px; }
    h2 { font-size: 1.3rem; line-height: 1.3; margin: 48px 0 12px; padding-top: 12px; border-top: 1px solid var(--rule); }
    h3 { font-size: 1.05rem; line-height: 1.35; margin: 36px 0 4px; }
    p { margin: 0 0 10px; max-width: 75ch; }
    ul, ol { margin: 0 0 12px; padding-left: 1.3em; }
    a { color: var(--link); }
    .lead, .note { color: var(--pale); }
    .note { font-size: .85rem; margin: 6px 0 0; }
    .list { margin: 12px 0 2px; }
    .advice { font-weight: 600; }
    nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 16px 0 0; padding: 0; }
    nav a { display: inline-block; padding: 6px 0; }
    .warnings { border-left: 4px solid var(--bad); background: var(--panel); padding: 10px 14px; margin: 16px 0 0; }
    .warnings h2 { font-size: 1rem; border: 0; margin: 0; padding: 0; }
    .warnings ul { margin: 0; }
    dl { display: grid; grid-template-columns: minmax(7em, max-content) minmax(0, 1fr); gap: 4px 20px; margin: 0; }
    dt { color: var(--pale); }
    dd { margin: 0; }
    .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); gap: 24px 32px;
      margin: 16px 0; align-items: start; }
    figure { margin: 0; min-width: 0; max-width: 560px; }
    figcaption { font-weight: 600; font-size: .95rem; margin-bottom: 6px; }
    svg { display: block; width: 100%; height: auto; }
    svg text { fill: var(--text); font: 12px system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
      font-variant-numeric: tabular-nums; }
    svg .tick, svg .name { fill: var(--pale); }
    svg .label { font-size: 11px; }
    .s0 { --c: var(--s0); } .s1 { --c: var(--s1); } .s2 { --c: var(--s2); }
    .s3 { --c: var(--s3); } .s4 { --c: var(--s4); } .s5 { --c: var(--s5); }
    .mark { fill: var(--c); stroke: var(--back); stroke-width: .8; }
    .dots { fill: var(--c); }
    .bar { fill: var(--c); fill-opacity: .45; stroke: var(--c); }
    .whisker { fill: none; stroke: var(--text); stroke-width: 1.4; }
    .outlier { fill: none; stroke: var(--c); stroke-width: 1.2; }
    .line { fill: none; stroke: var(--c); stroke-width: 1.8; }
    .line.pale { stroke-width: 7; stroke-opacity: .28; stroke-dasharray: none; }
    .grid { fill: none; stroke: var(--grid); }
    .axis { fill: none; stroke: var(--pale); }
    path.advice { fill: none; stroke: var(--text); stroke-width: 1.4; stroke-dasharray: 6 4; }
    .legend { list-style: none; display: flex; flex-wrap: wrap; gap: 2px 18px; margin: 8px 0 0; padding: 0;
      font-size: .85rem; }
    .legend li { display: flex; align-items: center; gap: 6px; }
    .legend sup { line-height: 0; }
    .legend .key { flex: none; width: auto; height: 14px; }
    .cases { font-size: .85rem; margin: 8px 0 0; color: var(--pale); }
    .scroll { overflow-x: auto; margin: 12px 0; }
    .scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
    table { width: max-content; border-collapse: collapse; font-size: .875rem; line-height: 1.35; }
    th, td { text-align: left; vertical-align: top; padding: 5px 18px 5px 0; border-bottom: 1px solid var(--rule); }
    thead th { vertical-align: bottom; color: var(--pale); font-weight: 600; max-width: 9em; }
    tbody th { font-weight: 400; max-width: 22em; overflow-wrap: anywhere; }
    tbody th, thead th:first-child { position: sticky; left: 0; background: var(--back); }
    td { max-width: 14em; overflow-wrap: anywhere; }
    .n { text-align: right; font-variant-numeric: tabular-nums; }
    td.n { white-space: nowrap; }
    th:last-child, td:last-child { padding-right: 0; }
    .good { color: var(--good); font-weight: 600; }
    .bad { color: var(--bad); font-weight: 600; }
    .pale { color: var(--pale); }
    .different { font-weight: 600; }
    @media (max-width: 520px) {
      svg text { font-size: 15px; }
      svg .label { font-size: 13px; }
      tbody th, thead th { max-width: 9.5em; }
    }
    @media print { body { max-width: none; } article, figure { break-inside: avoid; } }

    """
}
