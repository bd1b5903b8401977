#include "widgets/sample/verdict_badge.h"

#include "engine/metrics/catalog/catalog.h"
#include "engine/report/glossary/glossary.h"
#include "engine/report/scores/explain.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/common/verdict_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QPainter>

#include <cmath>
#include <utility>
#include <vector>

namespace assay {
namespace {

/// Key of the verdict's word in the glossary.
std::string_view keyOf(CoverageVerdict verdict) {
    switch (verdict) {
    case CoverageVerdict::Missed:
        return "word/missed";
    case CoverageVerdict::Thin:
        return "word/thin";
    case CoverageVerdict::Covered:
        break;
    }
    return "word/covered";
}

std::string_view keyOf(Verdict verdict) {
    switch (verdict) {
    case Verdict::Copy:
        return "word/copy";
    case Verdict::Crowded:
        return "word/crowded";
    case Verdict::Invented:
        return "word/invented";
    case Verdict::Unrealistic:
        return "word/unrealistic";
    case Verdict::Good:
        break;
    }
    return "word/good";
}

} // namespace

VerdictBadge::VerdictBadge(QWidget* parent) : QLabel(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    QFont bold = font();
    bold.setBold(true);
    setFont(bold);
    hide();
}

void VerdictBadge::showVerdict(const ViewState& state, SampleId sample) {
    const bool real = isReal(sample.set);
    const ModelAudit* model = nullptr;
    if (!real)
        model = state.audit->models[modelIndex(sample.set)].get();
    else if (state.hasModel())
        model = &state.current();
    const Column* column = findColumn(real ? "coverage_verdict" : "verdict");
    const bool known = model != nullptr && model->hasColumn(column->id);
    setVisible(known);
    if (!known)
        return;
    const double value = model->column(column->id)[sample.row];
    verdict_ = real ? Verdict::Good : static_cast<Verdict>(value);
    coverage_ = real ? static_cast<CoverageVerdict>(value) : CoverageVerdict::Covered;
    setText(locale().toUpper(real ? verdictWord(coverage_) : verdictWord(verdict_)));
    setToolTip(definitionToolTip(*findGlossaryEntry(real ? keyOf(coverage_) : keyOf(verdict_))));
    updateGeometry();
    update();
}

QSize VerdictBadge::sizeHint() const {
    return {fontMetrics().horizontalAdvance(text()) + fontMetrics().height(), fontMetrics().height() + 4};
}

QColor VerdictBadge::color() const {
    return coverage_ != CoverageVerdict::Covered ? colors::real(palette()) : colors::verdict(verdict_, palette());
}

void VerdictBadge::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor fill = color();
    const bool accused = coverage_ != CoverageVerdict::Covered || verdict_ != Verdict::Good;
    painter.setPen(QPen(fill, 1.0));
    painter.setBrush(accused ? QBrush(fill) : QBrush(Qt::NoBrush));
    const QRectF pill = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.drawRoundedRect(pill, pill.height() / 2.0, pill.height() / 2.0);
    // Dark colours carry light text in the light theme, bright ones dark text in the dark theme.
    painter.setPen(!accused ? fill : fill.lightnessF() > 0.55F ? QColor(0x1B1E22) : QColor(Qt::white));
    painter.drawText(rect(), Qt::AlignCenter, text());
}

namespace {

/// Translation context of this file's texts.
struct ScoreList {
    Q_DECLARE_TR_FUNCTIONS(assay::ScoreList)
};

struct Score {
    const Column* column;
    QString value;
    QString hint; ///< of the value
    QString standing;
    QString standingHint;
};

/// Where a value stands among those of its column.
void addStanding(Score& score, const std::vector<double>& values, std::size_t row) {
    const Standing stand = standingOf(values, row);
    if (stand.total == 0 || score.column->unit == Unit::Row)
        return;
    if (score.column->unit == Unit::YesNo || score.column->unit == Unit::Word) {
        score.standing =
            ScoreList::tr("like %1").arg(formatPercent(static_cast<double>(stand.equal) / double(stand.total)));
        score.standingHint =
            ScoreList::tr("%1 of %2 samples share this answer").arg(formatCount(stand.equal), formatCount(stand.total));
    } else {
        score.standing = QString::number(std::lround(100.0 * stand.percentile()));
        score.standingHint =
            ScoreList::tr("Percentile %1: %2 of %3 samples lie below, %4 share this value")
                .arg(score.standing, formatCount(stand.below), formatCount(stand.total), formatCount(stand.equal - 1));
    }
    score.hint += QStringLiteral("<br>%1").arg(score.standingHint.toHtmlEscaped());
}

Score scoreOf(const AuditResult& audit, const ColumnValues& values, std::size_t row) {
    const Column& column = columnOf(values);
    const double value = values.values.get()[row];
    Score score{&column, formatValue(value, column), metricToolTip(column), {}, {}};
    if (column.unit == Unit::Row && !std::isnan(value)) {
        score.value = QString::fromStdString(audit.real->set->idText(static_cast<std::size_t>(value)));
        score.hint = QStringLiteral("<b>%1</b><br>%2").arg(score.value.toHtmlEscaped(), score.hint);
    }
    addStanding(score, values.values, row);
    return score;
}

} // namespace

TableContent scoreList(const ViewState& state, const ModelAudit& model, SampleId sample) {
    const Side side = isReal(sample.set) ? Side::Real : Side::Synthetic;
    std::vector<Score> scores;
    for (const ColumnValues& values : model.columns)
        if (columnOf(values).side == side && sample.row < values.values.size())
            scores.push_back(scoreOf(*state.audit, values, sample.row));
    TableContent content{.rows = static_cast<int>(scores.size()), .isSortable = false, .isDense = true};
    const auto of = cellsOf(std::move(scores));
    content.columns = {
        {.title = ScoreList::tr("Score"),
         .cell =
             of([](const Score& one) { return textCell(catalogText(one.column->title), metricToolTip(*one.column)); }),
         .side = Qt::AlignLeft,
         .elide = Qt::ElideRight,
         .least = 8,
         .takesRoom = true},
        {.title = ScoreList::tr("value"),
         .cell = of([](const Score& one) { return textCell(one.value, one.hint); }),
         .most = 15},
        {.title = ScoreList::tr("percentile"),
         .hint = ScoreList::tr("Where the value stands among all samples of this set, from 0, the lowest"),
         .cell = of([](const Score& one) {
             return TableCell{.text = one.standing, .hint = one.standingHint, .ink = colors::mutedText};
         }),
         .leavesAt = 1}}; // the tooltip of the value says it, too
    return content;
}

} // namespace assay
