#include "widgets/inspector/inspector_view.h"

#include "engine/report/scores/explain.h"
#include "widgets/common/caption_label.h"
#include "widgets/common/colors.h"
#include "widgets/common/eliding_label.h"
#include "widgets/common/hint_label.h"
#include "widgets/common/number_format.h"
#include "widgets/common/wrapping_label.h"
#include "widgets/inspector/neighbor_strip.h"
#include "widgets/inspector/note_edit.h"
#include "widgets/inspector/picture_widget.h"
#include "widgets/link/decision_text.h"
#include "widgets/link/sample_selection.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QShortcut>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr std::size_t kNeighbors = 8;
constexpr std::size_t kLongestHistory = 1000;
constexpr int kPercentileFrom = 270; // logical pixels; a narrower panel shows it in the tooltip of the value
constexpr int kWidestId = 90;        // of a sample among the scores

} // namespace

InspectorView::InspectorView(SampleSelection* selection, QWidget* parent, ThumbnailCache* pictures)
    : LinkedView(selection, parent), own_(pictures ? nullptr : std::make_unique<ThumbnailCache>()),
      pictures_(pictures ? pictures : own_.get()) {
    hint_ = new QLabel(this);
    hint_->setObjectName(QStringLiteral("inspectorHint"));
    makeHint(hint_);
    setMinimumWidth(200); // narrower, and scores would be cut off
    scroll_ = new QScrollArea(this);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setWidgetResizable(true);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setWidget(makeBody());
    pages_ = new QStackedWidget(this);
    pages_->addWidget(hint_);
    pages_->addWidget(scroll_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHeader());
    layout->addWidget(pages_, 1);
    showSample();
}

QWidget* InspectorView::makeHeader() {
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(8, 6, 8, 2);
    const auto button = [&](const QString& objectName, Qt::ArrowType arrow, const QString& hint) {
        auto* made = new QToolButton(bar);
        made->setObjectName(objectName);
        made->setArrowType(arrow);
        made->setAutoRaise(true);
        made->setToolTip(hint);
        made->setAccessibleName(hint);
        return made;
    };
    back_ = button(QStringLiteral("inspectorBack"), Qt::LeftArrow, tr("Back to the sample before (Alt+Left)"));
    forward_ = button(QStringLiteral("inspectorForward"), Qt::RightArrow, tr("Forward again (Alt+Right)"));
    connect(back_, &QToolButton::clicked, this, &InspectorView::goBack);
    connect(forward_, &QToolButton::clicked, this, &InspectorView::goForward);
    // Handled here and not by the buttons, since a disabled button would let the key through to another widget.
    connect(new QShortcut(QKeySequence(Qt::ALT | Qt::Key_Left), this), &QShortcut::activated, this,
            &InspectorView::goBack);
    connect(new QShortcut(QKeySequence(Qt::ALT | Qt::Key_Right), this), &QShortcut::activated, this,
            &InspectorView::goForward);
    name_ = new ElidingLabel(bar, Qt::ElideMiddle);
    name_->setObjectName(QStringLiteral("inspectorName"));
    name_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont font = name_->font();
    font.setBold(true);
    name_->setFont(font);
    layout->addWidget(back_);
    layout->addWidget(forward_);
    layout->addWidget(name_, 1);
    return bar;
}

QLabel* InspectorView::makeCaption(const QString& text, const QString& toolTip) {
    auto* label = new QLabel(text, this);
    label->setToolTip(toolTip);
    assay::makeCaption(label);
    return label;
}

QWidget* InspectorView::makeBody() {
    auto* body = new QWidget(this);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(8, 4, 8, 8);
    layout->setSpacing(8);
    picture_ = new PictureWidget(pictures_, body);
    picture_->setObjectName(QStringLiteral("inspectorPicture"));
    origin_ = new WrappingLabel(body);
    origin_->setObjectName(QStringLiteral("inspectorOrigin"));
    note_ = new NoteEdit(body);
    note_->setObjectName(QStringLiteral("inspectorNote"));
    connect(note_, &NoteEdit::noteWritten, this, &InspectorView::noteWritten);
    reason_ = new WrappingLabel(body);
    reason_->setObjectName(QStringLiteral("inspectorReason"));
    reason_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    scores_ = new QWidget(body);
    scores_->setObjectName(QStringLiteral("inspectorScores"));
    scoreGrid_ = new QGridLayout(scores_);
    scoreGrid_->setContentsMargins(0, 0, 0, 0);
    scoreGrid_->setVerticalSpacing(2);
    scoreGrid_->setColumnStretch(0, 1);
    realCaption_ = makeCaption(tr("Nearest real"), tr("The nearest samples of the real set with their distances"));
    syntheticCaption_ =
        makeCaption(tr("Nearest synthetic"), tr("The nearest samples of the synthetic set with their distances"));
    nearestReal_ = new NeighborStrip(pictures_, body);
    nearestReal_->setObjectName(QStringLiteral("nearestReal"));
    nearestSynthetic_ = new NeighborStrip(pictures_, body);
    for (QWidget* shows : {static_cast<QWidget*>(picture_), static_cast<QWidget*>(nearestReal_),
                           static_cast<QWidget*>(nearestSynthetic_)})
        connect(pictures_, &ThumbnailCache::arrived, shows, [shows] {
            shows->update();
            for (auto* tile : shows->findChildren<QWidget*>())
                tile->update();
        });
    nearestSynthetic_->setObjectName(QStringLiteral("nearestSynthetic"));
    for (NeighborStrip* strip : {nearestReal_, nearestSynthetic_}) {
        connect(strip, &NeighborStrip::chosen, this, [this](SampleId id) { this->selection()->select(id); });
        connect(strip, &NeighborStrip::hovered, this, [this](SampleId id, bool inside) {
            this->selection()->hover(inside ? std::optional(id) : std::nullopt);
        });
    }
    for (QWidget* part : std::initializer_list<QWidget*>{picture_, origin_, note_, reason_, scores_, realCaption_,
                                                         nearestReal_, syntheticCaption_, nearestSynthetic_})
        layout->addWidget(part);
    layout->addStretch(1);
    return body;
}

const ModelAudit* InspectorView::modelOf(SampleId sample) const {
    if (!isReal(sample.set))
        return state().audit->models[modelIndex(sample.set)].get();
    return state().hasModel() ? &state().current() : nullptr;
}

void InspectorView::stateChanged(const ViewState& previous) {
    if (own_)
        own_->setAudit(state().audit);
    if (previous.audit != state().audit) {
        // Ids of the history stay valid only while they name the same sets.
        const auto sameSet = [&](SampleId id) {
            return pictures_->contains(id) && previous.audit &&
                   &previous.audit->setOf(id.set) == &state().audit->setOf(id.set);
        };
        if (!previous.audit || !std::all_of(visited_.begin(), visited_.end(), sameSet)) {
            visited_.clear();
            place_ = -1;
            const auto focus = selection()->focus();
            if (focus && pictures_->contains(*focus))
                visit(*focus);
        }
    }
    showSample();
}

void InspectorView::selectionChanged() {
    const auto focus = selection()->focus();
    if (focus && (focus == shown_ || !pictures_->contains(*focus)))
        return;
    if (focus && !walking_)
        visit(*focus);
    showSample();
}

void InspectorView::visit(SampleId sample) {
    if (place_ >= 0 && visited_[static_cast<std::size_t>(place_)] == sample)
        return;
    visited_.resize(static_cast<std::size_t>(place_ + 1));
    visited_.push_back(sample);
    if (visited_.size() > kLongestHistory)
        visited_.erase(visited_.begin());
    place_ = static_cast<std::ptrdiff_t>(visited_.size()) - 1;
}

void InspectorView::go(std::ptrdiff_t to) {
    if (to < 0 || to >= static_cast<std::ptrdiff_t>(visited_.size()))
        return;
    place_ = to;
    walking_ = true;
    selection()->select(visited_[static_cast<std::size_t>(to)]);
    walking_ = false;
    showSample();
}

void InspectorView::goBack() {
    // With nothing in focus, back means the last sample looked at.
    go(shown_ ? place_ - 1 : place_);
}

void InspectorView::goForward() {
    go(place_ + 1);
}

void InspectorView::editNote() {
    if (!shown_)
        return;
    scroll_->ensureWidgetVisible(note_);
    note_->begin();
}

void InspectorView::showSample() {
    const auto focus = selection()->focus();
    shown_ = focus && pictures_->contains(*focus) ? focus : std::nullopt;
    back_->setEnabled(shown_ ? place_ > 0 : place_ >= 0);
    forward_->setEnabled(place_ + 1 < static_cast<std::ptrdiff_t>(visited_.size()));
    if (!shown_) {
        note_->showNote(std::nullopt, {});
        name_->clear();
        picture_->setSample(std::nullopt, {});
        if (const auto count = static_cast<int>(selection()->samples().size()); state().audit && count > 0)
            hint_->setText(
                tr("%1 samples are selected. Click one of them to see its scores, its nearest neighbours and "
                   "the reason for its scores.",
                   nullptr, count)
                    .arg(formatCount(static_cast<std::uint64_t>(count))));
        else
            hint_->setText(
                state().audit ? tr("Click a sample in any panel: its scores, its nearest neighbours and the reason for "
                                   "its scores come up here.")
                              : tr("A sample's scores, its nearest neighbours and the reason for its scores would be "
                                   "here.\nOpen a real and a synthetic set to begin."));
        pages_->setCurrentWidget(hint_);
        return;
    }
    showNames(*shown_);
    showScores(*shown_);
    showNeighbors(*shown_);
    pages_->setCurrentWidget(scroll_);
}

void InspectorView::showNames(SampleId sample) {
    const EmbeddingSet& set = state().audit->setOf(sample.set);
    const QString id = QString::fromStdString(set.idText(sample.row));
    name_->setText(id);
    name_->setToolTip(tr("%1, row %2 of its file").arg(id, formatCount(set.fileRow(sample.row))));
    QString origin =
        isReal(sample.set) ? tr("real set") : tr("synthetic set %1").arg(QString::fromStdString(modelOf(sample)->name));
    if (set.hasLabel(sample.row))
        origin = tr("class %1, %2").arg(QString::fromStdString(set.labelText(sample.row)), origin);
    if (const QString decision = decisionText(state(), sample); !decision.isEmpty())
        origin = tr("%1, %2").arg(origin, decision);
    if (const QString tags = tagsText(state(), sample); !tags.isEmpty())
        origin = tr("%1; tags: %2").arg(origin, tags);
    origin_->setText(origin);
    note_->showNote(sample, QString::fromStdString(state().noteOf(sample)));
    reason_->setText(QString::fromStdString(explainSample(*state().audit, state().model, sample)));
    reason_->setVisible(!reason_->text().isEmpty());
    picture_->setSample(sample, isReal(sample.set) ? colors::real(palette()) : colors::synthetic(palette()));
}

void InspectorView::addScore(int line, const Column& column, const std::vector<double>& values, std::size_t row) {
    const QString definition = metricToolTip(column.title, column.definition, column.source);
    const double value = values[row];
    QString text = formatValue(value, column);
    QString standing;
    QString rankHint;
    QString hint = definition;
    if (column.unit == Unit::Row) {
        if (!std::isnan(value)) {
            const auto id = QString::fromStdString(state().audit->real->set->idText(static_cast<std::size_t>(value)));
            text = fontMetrics().elidedText(id, Qt::ElideMiddle, kWidestId);
            hint = QStringLiteral("<b>%1</b><br>%2").arg(id.toHtmlEscaped(), definition);
        }
    } else if (const Standing stand = standingOf(values, row); stand.total > 0) {
        if (column.unit == Unit::YesNo || column.unit == Unit::Word) {
            standing = tr("like %1").arg(formatPercent(static_cast<double>(stand.equal) / double(stand.total)));
            rankHint = tr("%1 of %2 samples share this answer").arg(formatCount(stand.equal), formatCount(stand.total));
        } else {
            standing = QString::number(std::lround(100.0 * stand.percentile()));
            rankHint = tr("Percentile %1: %2 of %3 samples lie below, %4 share this value")
                           .arg(QString::number(std::lround(100.0 * stand.percentile())), formatCount(stand.below),
                                formatCount(stand.total), formatCount(stand.equal - 1));
        }
    }
    if (!rankHint.isEmpty())
        hint += QStringLiteral("<br>%1").arg(rankHint.toHtmlEscaped());
    addCells(line, {catalogText(column.title), text, standing}, {definition, hint, rankHint}, catalogText(column.id));
}

void InspectorView::addCells(int line, const std::array<QString, 3>& texts, const std::array<QString, 3>& hints,
                             const QString& name) {
    for (int at = 0; at < 3; ++at) {
        const auto index = static_cast<std::size_t>(at);
        auto* label = at == 0 ? new ElidingLabel(scores_) : new QLabel(scores_);
        label->setTextFormat(Qt::PlainText);
        label->setText(texts[index]);
        label->setToolTip(hints[index]);
        if (at == 2) {
            label->setForegroundRole(QPalette::PlaceholderText);
            label->setVisible(width() >= kPercentileFrom);
        }
        if (at == 1 && !name.isEmpty())
            label->setObjectName(QStringLiteral("score_%1").arg(name));
        scoreGrid_->addWidget(label, line, at, (at == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
}

void InspectorView::resizeEvent(QResizeEvent* event) {
    LinkedView::resizeEvent(event);
    for (int line = 0; line < scoreGrid_->rowCount(); ++line)
        if (QLayoutItem* cell = scoreGrid_->itemAtPosition(line, 2))
            cell->widget()->setVisible(width() >= kPercentileFrom);
}

void InspectorView::showScores(SampleId sample) {
    while (QLayoutItem* item = scoreGrid_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const ModelAudit* model = modelOf(sample);
    if (!model)
        return;
    const Side side = isReal(sample.set) ? Side::Real : Side::Synthetic;
    addCells(0, {tr("Score"), tr("value"), tr("percentile")},
             {QString(), QString(), tr("Where the value stands among all samples of this set, from 0, the lowest")},
             {});
    int line = 1;
    for (const ColumnValues& values : model->columns) {
        const Column* column = findColumn(values.id);
        if (column && column->side == side && sample.row < values.values.size())
            addScore(line++, *column, values.values, sample.row);
    }
}

void InspectorView::showNeighbors(SampleId sample) {
    const AuditResult& audit = *state().audit;
    const auto real = nearestSamples(audit, state().model, sample, Side::Real, kNeighbors);
    std::vector<NeighborRelation> synthetic;
    if (modelOf(sample))
        synthetic = nearestSamples(audit, state().model, sample, Side::Synthetic, kNeighbors);
    nearestReal_->setNeighbors(state(), real);
    nearestSynthetic_->setNeighbors(state(), synthetic);
    realCaption_->setVisible(!real.empty());
    syntheticCaption_->setVisible(!synthetic.empty());
}

} // namespace assay
