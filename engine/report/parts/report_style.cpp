#include "engine/report/parts/report_style.h"

#include "engine/base/error.h"

#include <algorithm>

namespace assay::report {
namespace {

constexpr std::string_view kPageRules = R"css(
:root {
  color-scheme: light dark;
  --page: #ffffff; --panel: #f4f6f8; --text: #1b1e22; --muted: #555c66; --rule: #d5dade; --grid: #dde1e5;
  --link: #1a5f9e; --mark: #9e3b3b; --real: #546a7b; --synthetic: #d9730d; --focus: #1a5f9e;
  --c0: #1f6fb5; --c1: #1b8a5a; --c2: #7a4fb0; --c3: #0d7f8c; --c4: #8a6d1b; --c5: #9e3b3b;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #16191d; --panel: #20252b; --text: #e8eaed; --muted: #a9b1bb; --rule: #3e444b; --grid: #353b42;
    --link: #7ab8f2; --mark: #f0a0a0; --real: #9fb4c7; --synthetic: #f5a04c; --focus: #ffd92e;
    --c0: #6fb1f0; --c1: #58c79a; --c2: #b598f0; --c3: #4fcbd9; --c4: #cdb45f; --c5: #e08a8a;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 0 1rem 3rem; max-width: 72rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: anywhere;
}
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; margin: 1.5rem 0 .3rem; }
h2 { font-size: 1.35rem; margin: 2.5rem 0 .6rem; padding-top: .6rem; border-top: 2px solid var(--rule); }
h3 { font-size: 1.1rem; margin: 1.6rem 0 .4rem; }
p { margin: .4rem 0; max-width: 46rem; }
.verdicts p, .findings p { max-width: 60rem; }
a { color: var(--link); }
a:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
.muted { color: var(--muted); }
.mark-text { color: var(--mark); font-weight: 700; }
nav ul { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: .6rem 0; padding: 0; list-style: none; }
ol.verdicts, ol.findings { padding: 0; list-style: none; }
ol.verdicts > li, ol.findings > li {
  margin: .6rem 0; padding: .5rem .8rem; background: var(--panel); border: 1px solid var(--rule);
  border-left: 5px solid var(--rule); border-radius: 4px;
}
ol.verdicts > li.marked, ol.findings > li.marked { border-left-color: var(--mark); }
.sentence { font-size: 1.1rem; }
.figures { display: flex; flex-wrap: wrap; gap: 1rem 2rem; }
figure { margin: .5rem 0; }
.figures > figure { flex: 1 1 20rem; max-width: 32rem; }
figcaption { color: var(--muted); font-size: .9rem; }
.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: .5rem 0; font-size: .95rem; }
caption { text-align: left; padding: .3rem 0; color: var(--muted); font-size: .9rem; }
th, td { padding: .25rem .7rem .25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
thead th { border-bottom: 2px solid var(--muted); min-width: 4.5rem; max-width: 10rem; overflow-wrap: break-word; }
tbody th { font-weight: 600; min-width: 6.5rem; overflow-wrap: break-word; }
td.number, th.number { text-align: right; padding-right: 1.2rem; }
td.number { white-space: nowrap; }
td .below { white-space: nowrap; }
.below { display: block; font-weight: 400; color: var(--muted); font-size: .85em; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .88em; }
pre {
  padding: .7rem; background: var(--panel); border: 1px solid var(--rule); border-radius: 4px; white-space: pre-wrap;
}
dt { font-weight: 600; margin-top: .6rem; }
dd { margin: 0; max-width: 46rem; }
svg.chart { display: block; width: 100%; max-width: 32rem; height: auto; }
)css";

constexpr std::string_view kChartRules =
    R"css(svg text { fill: var(--text); font: 12px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
svg text.tick { fill: var(--muted); font-size: 11px; }
svg text.label { font-weight: 700; stroke: var(--page); stroke-width: 3px; paint-order: stroke; }
.middle { text-anchor: middle; }
.end { text-anchor: end; }
.grid { stroke: var(--grid); stroke-width: 1; }
.axis { stroke: var(--muted); stroke-width: 1; }
.leader { stroke: var(--muted); stroke-width: 1; }
.ideal { stroke: var(--muted); stroke-width: 1.5; stroke-dasharray: 2 4; }
.curve { fill: none; stroke-width: 2.2; }
.curve.fidelity { stroke: var(--synthetic); }
.curve.coverage { stroke: var(--real); stroke-dasharray: 7 4; }
.interval { stroke-width: 1.6; }
.mark { stroke: var(--page); stroke-width: 1; }
.bar.synthetic { fill: var(--synthetic); }
.bar.real { fill: var(--real); }
.compared { stroke: var(--text); stroke-width: 2.5; }
.interval.c0 { stroke: var(--c0); } .interval.c1 { stroke: var(--c1); } .interval.c2 { stroke: var(--c2); }
.interval.c3 { stroke: var(--c3); } .interval.c4 { stroke: var(--c4); } .interval.c5 { stroke: var(--c5); }
.mark.c0 { fill: var(--c0); } .mark.c1 { fill: var(--c1); } .mark.c2 { fill: var(--c2); }
.mark.c3 { fill: var(--c3); } .mark.c4 { fill: var(--c4); } .mark.c5 { fill: var(--c5); }
)css";

constexpr std::string_view kGalleryAndPrintRules = R"css(ol.gallery {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: .7rem; padding: 0;
  list-style: none;
}
ol.gallery > li { padding: .6rem; background: var(--panel); border: 1px solid var(--rule); border-radius: 4px; }
.pictures { display: flex; align-items: flex-end; gap: .5rem; flex-wrap: wrap; }
.pictures img { display: block; image-rendering: pixelated; border: 1px solid var(--rule); }
.pictures .nearest { display: flex; gap: .3rem; align-items: flex-end; padding-left: .5rem; border-left: 1px solid var(--muted); }
.examples { display: flex; flex-wrap: wrap; gap: .4rem 1rem; margin: .4rem 0; }
.example .pictures { gap: 3px; }
.example p { margin: 0; font-size: .88rem; color: var(--muted); }
.tile {
  display: inline-block; min-width: 3rem; max-width: 7rem; padding: .3rem .4rem; background: var(--page);
  border: 1px solid var(--muted); border-radius: 3px; font-size: .8rem; line-height: 1.3; max-height: 4.6rem;
  overflow: hidden;
}
.tile.own { font-weight: 700; }
.about { margin: .4rem 0 0; font-size: .88rem; }
@media screen and (max-width: 40rem) {
  tbody th { position: sticky; left: 0; max-width: 9rem; background: var(--page); }
}
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, .skip { display: none; }
  h2 { break-after: avoid; } h3 { break-after: avoid; } caption { break-after: avoid; }
  li, figure, tr, dt, pre { break-inside: avoid; }
  dt { break-after: avoid; }
  section.model { break-before: page; }
  .scroll { overflow: visible; }
  ol.gallery { grid-template-columns: repeat(3, 1fr); gap: .4rem; }
  ol.gallery > li { padding: .35rem; font-size: 8.5pt; }
  .figures > figure { flex: 1 1 45%; max-width: 45%; }
  h3 + p { break-after: avoid; }
  ol.gallery { break-before: avoid; }
  a { color: inherit; text-decoration: none; }
  svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
@page { margin: 14mm; }
)css";

} // namespace

const std::string& reportStyle() {
    static const std::string style =
        std::string(kPageRules) + std::string(kChartRules) + std::string(kGalleryAndPrintRules);
    return style;
}

std::string lightColor(std::string_view name) {
    const std::string declared = "--" + std::string(name) + ": ";
    const std::size_t at = kPageRules.find(declared); // the light theme comes first
    if (at == std::string_view::npos)
        throw Error(ErrorKind::InvalidArgument, std::string(name) + ": expected a colour of the report's style");
    const std::size_t from = at + declared.size();
    return std::string(kPageRules.substr(from, kPageRules.find(';', from) - from));
}

std::string lightChartStyle() {
    constexpr std::string_view kVariable = "var(--";
    std::string style;
    for (std::size_t from = 0; from < kChartRules.size();) {
        const std::size_t at = std::min(kChartRules.find(kVariable, from), kChartRules.size());
        style += kChartRules.substr(from, at - from);
        if (at == kChartRules.size())
            break;
        const std::size_t name = at + kVariable.size();
        const std::size_t end = kChartRules.find(')', name);
        style += lightColor(kChartRules.substr(name, end - name));
        from = end + 1;
    }
    return style;
}

} // namespace assay::report
