// SPDX-License-Identifier: Apache-2.0

extension FindingPage {
  /// Light and dark, wide screens and phones. Text has a contrast of 4.5 at least to its background.
  static let style = #"""
    :root {
      --back: #fdfdfc; --panel: #f3f4f2; --text: #1d2024; --pale: #565d66; --rule: #d5d9dc; --link: #0b57a4;
      --error: #a8200d; --warning: #8a4b00; --info: #0b5fa5; --shape: #5b6b7a; --fill: #5b6b7a22; --chosen: #fff2c9;
      --edge: #b0245f;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --back: #14171a; --panel: #1c2024; --text: #e4e7ea; --pale: #a5adb6; --rule: #363c43; --link: #7db8f0;
        --error: #ff8f7d; --warning: #f1b15c; --info: #6cb1f2; --shape: #94a3b1; --fill: #94a3b122; --chosen: #3a3413;
        --edge: #f385ae;
      }
    }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
    body { margin: 0 auto; max-width: 1600px; padding: 20px 16px 48px; background: var(--back); color: var(--text);
      font: 15px/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif; }
    h1 { font-size: 1.5rem; line-height: 1.2; margin: 0 0 4px; }
    h2 { font-size: 1.05rem; margin: 0 0 6px; }
    p { margin: 0 0 8px; overflow-wrap: anywhere; }
    .pale, .note { color: var(--pale); }
    .note { font-size: .82rem; margin: 6px 0; }
    [hidden] { display: none !important; }
    button, input, select { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--pale);
      border-radius: 4px; padding: 5px 8px; min-height: 34px; max-width: 100%; }
    button { cursor: pointer; }
    button:disabled { color: var(--pale); border-color: var(--rule); cursor: default; }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
    #totals { display: flex; flex-wrap: wrap; gap: 8px 28px; margin: 12px 0; }
    #totals div { display: flex; flex-direction: column-reverse; }
    #totals dt { color: var(--pale); font-size: .85rem; }
    #totals dd { margin: 0; font-size: 1.35rem; font-variant-numeric: tabular-nums; }
    details { margin: 0 0 8px; }
    summary { cursor: pointer; padding: 4px 0; }
    details ul { margin: 4px 0; padding-left: 1.3em; overflow-wrap: anywhere; }
    #work { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.15fr); gap: 16px 24px; align-items: start; }
    #place { position: sticky; top: 8px; order: 2; min-width: 0; }
    #list { order: 1; min-width: 0; }
    #frame { position: relative; border: 1px solid var(--rule); background: var(--panel); }
    #map { display: block; width: 100%; height: min(62vh, 720px); touch-action: none; cursor: grab; }
    #map:active { cursor: grabbing; }
    #tools { position: absolute; top: 8px; right: 8px; display: flex; gap: 4px; }
    #tools button { min-width: 36px; }
    #detail dl { display: grid; grid-template-columns: minmax(6em, max-content) minmax(0, 1fr); gap: 2px 14px; margin: 6px 0; }
    #detail dt { color: var(--pale); overflow-wrap: anywhere; }
    #detail dd { margin: 0; overflow-wrap: anywhere; }
    #detail h3 { font-size: .95rem; margin: 8px 0 0; }
    #filters { display: flex; flex-wrap: wrap; gap: 8px 12px; margin: 0 0 8px; }
    #filters label { display: flex; flex-direction: column; font-size: .82rem; color: var(--pale); min-width: 0; }
    #filters input, #filters select { color: var(--text); font-size: .95rem; }
    .scroll { overflow: auto; max-height: 70vh; border: 1px solid var(--rule); }
    table { border-collapse: collapse; width: 100%; font-size: .86rem; line-height: 1.3; }
    th, td { text-align: left; vertical-align: top; padding: 4px 10px; border-bottom: 1px solid var(--rule); }
    thead th { position: sticky; top: 0; background: var(--panel); padding: 2px 4px; white-space: nowrap; }
    thead button { border: 0; background: none; font-weight: 600; padding: 4px 6px; }
    th[aria-sort=ascending] button::after { content: " \25B2"; }
    th[aria-sort=descending] button::after { content: " \25BC"; }
    td { overflow-wrap: anywhere; min-width: 4.2em; }
    td.message { min-width: 12em; }
    td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; overflow-wrap: normal; white-space: nowrap; }
    tbody tr { cursor: pointer; }
    tbody tr[aria-current] { background: var(--chosen); }
    tbody button { border: 0; background: none; padding: 0; min-height: 24px; text-align: left; text-decoration: underline;
      text-underline-offset: 2px; overflow-wrap: normal; }
    .error { color: var(--error); } .warning { color: var(--warning); } .info { color: var(--info); }
    .severity { font-weight: 600; }
    #pages { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; margin: 8px 0; }
    @media (max-width: 900px) {
      #work { grid-template-columns: minmax(0, 1fr); }
      #place { position: static; order: 1; }
      #list { order: 2; }
      #map { height: 46vh; }
      #tools button { min-height: 42px; min-width: 42px; }
      tbody button { min-height: 36px; }
    }
    @media print { #tools, #filters, #pages, #keys { display: none; } .scroll { max-height: none; } #place { position: static; } }

    """#
}
