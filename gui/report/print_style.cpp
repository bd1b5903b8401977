#include "gui/report/print_style.h"

#include "gui/report/report_objects.h"

#include <QGuiApplication>
#include <QRegularExpression>
#include <QScreen>

namespace assay {
namespace {

/// Lengths that are no size of letters are in points too, as `4u`: QTextDocument knows them in pixels only.
constexpr const char* kStyle = R"css(
p, li, td, th, dt, dd { line-height: 118%; }
p { margin: 4u 0u 0u 0u; }
.h1, .h2, .h3 { font-weight: 700; }
.h1 { font-size: 16pt; margin: 0u; -qt-user-state: 1; }
.h2 { font-size: 13pt; margin: 25u 0u 0u 0u; -qt-user-state: 2; }
.h3 { font-size: 10.5pt; margin: 12u 0u 0u 0u; -qt-user-state: 1; }
.new-page { page-break-before: always; }
.muted, .caption, .below { color: @muted; }
.mark-text { color: @mark; font-weight: 700; }
.sentence { font-size: 10.5pt; }
a { color: @text; text-decoration: none; }
.below { font-size: 7.2pt; font-weight: 400; margin: 0u; }
code { font-family: "DejaVu Sans Mono"; font-size: 8.2pt; font-weight: 400; }
ul { margin: 2.5u 0u 0u 0u; }
li { margin: 2.5u 0u 0u 0u; }
dt { font-size: 9pt; font-weight: 700; margin: 6u 0u 0u 0u; -qt-user-state: 1; }
dd { font-size: 9pt; margin: 1u 0u 0u 0u; }
table { margin: 0u; }
td, th { font-size: 8.5pt; text-align: left; padding: 2u 8u 1.6u 0u; border-bottom: 0.5u solid @rule; }
thead th { border-bottom: 1u solid @muted; }
.number, .number p { text-align: right; }
.caption { font-size: 8.5pt; margin: 8u 0u 0u 0u; }
table.contents { margin: 10u 0u 20u 0u; }
table.contents td { font-size: 9pt; padding: 1u 0u 0.5u 0u; }
td.gap, td.figures, td.examples, td.code { border: 0u; padding: 0u; }
table.panel, table.gallery, table.figures, table.code { margin: 6u 0u 0u 0u; }
td.panel, td.code { background-color: @panel; padding: 6u; font-size: 9.5pt; }
td.panel { border: 0.5u solid @rule; border-left: 3u solid @rule; }
td.marked { border-left: 3u solid @mark; }
td.panel p { font-size: 9.5pt; margin: 2u 0u 0u 0u; }
td.panel p.sentence { font-size: 10.5pt; }
td.gallery { background-color: @panel; padding: 5u; border: 0.5u solid @rule; }
td.gap { width: 6u; }
p.pictures, td.figures { line-height: 100%; }
.tile { font-size: 7.25pt; background-color: #ffffff; }
.own { font-weight: 700; }
td.gallery p.about { font-size: 7.25pt; }
td.examples { padding: 0u 4u 0u 0u; }
td.figures { padding: 0u 7u 0u 0u; }
td.examples p { white-space: nowrap; font-size: 7.25pt; color: @muted; }
td.figures p { font-size: 8pt; color: @muted; }
p.code { font-family: "DejaVu Sans Mono"; font-size: 8pt; margin: 0u; }
)css";

} // namespace

double pixelsPerPoint() {
    const QScreen* screen = QGuiApplication::primaryScreen();
    return (screen == nullptr ? 96.0 : screen->logicalDotsPerInchY()) / 72.0;
}

QString printStyle() {
    QString style = QString::fromLatin1(kStyle);
    for (const char* color : {"text", "muted", "mark", "rule", "panel"})
        style.replace(QLatin1Char('@') + QLatin1String(color), reportColor(color).name());
    static const QRegularExpression length(QStringLiteral("([0-9.]+)u\\b"));
    for (QRegularExpressionMatch found = length.match(style); found.hasMatch(); found = length.match(style))
        style.replace(found.capturedStart(), found.capturedLength(),
                      QString::number(found.captured(1).toDouble() * pixelsPerPoint()) + QStringLiteral("px"));
    return style;
}

} // namespace assay
