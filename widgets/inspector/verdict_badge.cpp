#include "widgets/inspector/verdict_badge.h"

#include "engine/report/glossary/glossary.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/common/verdict_words.h"

#include <QLocale>
#include <QPainter>

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

} // namespace assay
