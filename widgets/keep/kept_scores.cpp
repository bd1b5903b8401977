#include "widgets/keep/kept_scores.h"

#include "engine/math/statistics/nan.h"
#include "engine/metrics/catalog/catalog.h"
#include "widgets/common/colors.h"
#include "widgets/common/controls.h"
#include "widgets/common/number_format.h"
#include "widgets/text/names.h"
#include "widgets/text/score_text.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace assay {
KeptBar::KeptBar(QWidget* parent) : QWidget(parent) {
    setFixedHeight(6);
}

void KeptBar::setShare(double share) {
    share_ = share;
    update();
}

void KeptBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colors::rejected(palette()));
    // Every part above zero is at least one pixel wide.
    const int least = share_ > 0.0 ? 1 : 0;
    const int most = share_ < 1.0 ? width() - 1 : width();
    const int kept = std::clamp(static_cast<int>(std::lround(share_ * width())), least, std::max(least, most));
    painter.fillRect(QRect(0, 0, kept, height()), colors::synthetic(palette()));
}

namespace {

/// Scores to watch while samples are removed: fidelity rises, coverage falls.
/// Clipped coverage is relative to as many good samples as are kept; plain coverage shows how much the remaining
/// samples still reach.
constexpr std::string_view kFrechet = "frechet_distance";
constexpr std::array<std::string_view, 6> kWatched{
    "clipped_density", "clipped_coverage", "coverage", "authenticity", "pce", kFrechet};

QLabel* cell(QWidget* parent, QGridLayout* grid, int row, int column, const QString& text = {}) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(column == 0 ? Qt::PlainText : Qt::AutoText);
    label->setWordWrap(column == 0); // numbers with intervals leave titles little room
    label->setAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    grid->addWidget(label, row, column);
    return label;
}

QString named(const char* part, std::string_view metric) {
    return QStringLiteral("%1_%2").arg(QLatin1String(part), catalogText(metric));
}

/// Half the width of the 95 % interval below a score, where one is known.
QString halfWidth(const ModelAudit* model, const Metric& metric) {
    const MetricInterval* interval = model ? model->interval(metric.id) : nullptr;
    return interval ? QStringLiteral("<br><small>\u00b1%1</small>")
                          .arg(formatValue((interval->high - interval->low) / 2.0, metric.unit))
                    : QString();
}

/// Long numbers, such as a distance of 0.00235, in small type: the panel is narrow.
QString fitting(const QString& number) {
    constexpr int kUsual = 5;
    return number.size() > kUsual ? QStringLiteral("<small>%1</small>").arg(number) : number;
}

QString intervalLine(const QString& what, const ModelAudit& model, const Metric& metric) {
    const MetricInterval* interval = model.interval(metric.id);
    return interval ? KeptScores::tr("<br>%1: 95 % interval %2 to %3")
                          .arg(what, formatValue(interval->low, metric.unit), formatValue(interval->high, metric.unit))
                    : QString();
}

} // namespace

KeptScores::KeptScores(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("keptScores"));
    auto* grid = newLayout<QGridLayout>(this, {0, 4, 0, 4});
    grid->setVerticalSpacing(2);
    grid->setHorizontalSpacing(8);
    grid->setColumnStretch(0, 1);
    int line = 0;
    QLabel* all = cell(this, grid, line, 1, tr("all"));
    all->setToolTip(tr("Of all samples of the current model"));
    QLabel* kept = cell(this, grid, line, 2, tr("kept"));
    kept->setToolTip(tr("Of a set of the kept samples alone: the same as if a file of them were audited"));
    QLabel* random = cell(this, grid, line, 3, tr("random"));
    random_ = random;
    random->setToolTip(tr("Scores when as many samples are removed at random. Your choice has gained only what the "
                          "kept samples score beyond these."));
    for (QLabel* header : {all, kept, random})
        header->setForegroundRole(QPalette::PlaceholderText);
    for (const std::string_view id : kWatched) {
        const Metric* metric = findMetric(id);
        ++line;
        Row row{metric, cell(this, grid, line, 0, titleWithUnit(*metric)), cell(this, grid, line, 1),
                cell(this, grid, line, 2), cell(this, grid, line, 3)};
        row.random->setForegroundRole(QPalette::PlaceholderText);
        row.random->setObjectName(named("scoreOfRandom", id));
        row.all->setObjectName(named("scoreOfAll", id));
        row.kept->setObjectName(named("scoreOfKept", id));
        rows_.push_back(row);
    }
    note_ = named<QLabel>("keptScoresNote", this);
    note_->setWordWrap(true);
    note_->setForegroundRole(QPalette::PlaceholderText);
    grid->addWidget(note_, line + 1, 0, 1, 4);
    note_->hide();
}

void KeptScores::show(const ViewState& state, const WhatIfResult* scores, const WhatIfResult* random,
                      const KeptAudit* audits, const KeptFrechet* frechet) {
    if (!state.hasModel())
        return;
    random_->setVisible(state.kept != nullptr);
    for (const Row& row : rows_) {
        const std::string_view id = row.metric->id;
        const double all = metricOr(state.current(), id);
        if (id == kFrechet)
            for (QLabel* label : {row.title, row.all, row.kept, row.random})
                label->setVisible(!std::isnan(all));
        Values values{state.kept ? kNaN : all, kNaN};
        if (id == kFrechet && frechet != nullptr)
            values = {frechet->kept, frechet->random};
        else if (id != kFrechet && scores != nullptr) // those of the state before until the new ones are known
            values = {scores->metric(id), random != nullptr ? random->metric(id) : kNaN};
        showRow(row, state, values, state.kept ? audits : nullptr);
    }
    const std::size_t k = state.audit->k;
    const bool tooFew =
        state.kept && static_cast<std::size_t>(std::count(state.kept->begin(), state.kept->end(), true)) <= k;
    note_->setVisible(tooFew);
    if (tooFew)
        note_->setText(tr("Scores need more than %1 kept samples.").arg(formatCount(k)));
}

void KeptScores::showRow(const Row& row, const ViewState& state, const Values& values, const KeptAudit* audits) const {
    const Metric& metric = *row.metric;
    const double before = metricOr(state.current(), metric.id);
    const bool known = !std::isnan(values.kept) || !state.kept;
    const auto textOf = [&](double value) {
        return std::isnan(value) && state.kept ? QStringLiteral("\u2013") : fitting(formatValue(value, metric.unit));
    };
    const QString all = fitting(formatValue(before, metric.unit));
    const QString kept = textOf(values.kept);
    row.all->setText(all + halfWidth(audits ? &state.current() : nullptr, metric));
    row.kept->setText((known && kept != all ? QStringLiteral("<b>%1</b>").arg(kept) : kept) +
                      halfWidth(audits ? audits->kept.get() : nullptr, metric));
    row.random->setText((state.kept ? textOf(values.random) : QString()) +
                        halfWidth(audits ? audits->random.get() : nullptr, metric));
    QString toolTip = metricToolTip(metric);
    if (known)
        toolTip += tr("<br>All samples: %1. Kept samples: %2.")
                       .arg(formatWithUnit(before, metric.unit), formatWithUnit(values.kept, metric.unit));
    if (audits)
        toolTip += intervalLine(tr("All"), state.current(), metric) + intervalLine(tr("Kept"), *audits->kept, metric) +
                   intervalLine(tr("Random"), *audits->random, metric);
    if (state.kept && metric.id == "clipped_coverage")
        toolTip += tr("<br>Clipped coverage compares the kept samples with equally many good ones: it does not fall "
                      "just because there are fewer. Coverage, below, does.");
    for (QLabel* label : {row.title, row.all, row.kept, row.random})
        label->setToolTip(toolTip);
}

} // namespace assay
