#include "widgets/pairs/pairs_panel.h"

#include "widgets/common/controls.h"
#include "widgets/common/eliding_combo_box.h"
#include "widgets/common/number_format.h"
#include "widgets/grid/pair_cells.h"
#include "widgets/link/sample_selection.h"
#include "widgets/link/thumbnail_cache.h"

#include <QBoxLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {
namespace {

constexpr int kRoomForOneLine = 480; // of the bar, in logical pixels

} // namespace

PairsPanel::PairsPanel(PanelHost& host) : Panel(host) {
    setObjectName(QStringLiteral("pairsPanel"));
    cells_ = std::make_unique<PairCells>(&pairs_, selection());
    gallery_ = named<SampleGrid>("pairGallery", selection(), pictures(), PairCells::look(), this);
    gallery_->setAccessibleName(tr("Pairs of samples, nearest first"));
    gallery_->setHeldOutPictures(host.heldOutPictures());
    gallery_->setContents(cells_.get());
    auto* header = new QWidget(this);
    summary_ = named<QLabel>("pairsSummary", header);
    summary_->setWordWrap(true);
    summary_->setContentsMargins(6, 0, 6, 4);
    auto* layout = newLayout<QVBoxLayout>(header, {}, 0);
    layout->addWidget(makeBar());
    layout->addWidget(summary_);
    setContent(gallery_,
               tr("Pairs of nearly identical samples are shown here, the closest first: two synthetic samples, or a "
                  "synthetic and a real one."),
               header);
    connect(gallery_, &SampleGrid::inspectRequested, this, [this](SampleId sample) { this->host().inspect(sample); });
    fillKinds();
    showList();
}

PairsPanel::~PairsPanel() = default;

QPushButton* PairsPanel::makeButton(const QString& name, const QString& text, PairSide side) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(name);
    connect(button, &QPushButton::clicked, this, [this, side] {
        this->selection()->chooseBy(QGuiApplication::keyboardModifiers(), pairs_.remarkableSamples(side));
        gallery_->setFocus(); // the next key is for the samples
    });
    return button;
}

QWidget* PairsPanel::makeBar() {
    auto* bar = new QWidget(this);
    kinds_ = named<ElidingComboBox>("pairKinds", bar, 8);
    kinds_->setToolTip(tr("Which samples to pair, and how many pairs are remarkably near"));
    connect(kinds_, &QComboBox::currentIndexChanged, this, &PairsPanel::showList);
    left_ = makeButton(QStringLiteral("pairsSelectLeft"), tr("Select left"), PairSide::Left);
    right_ = makeButton(QStringLiteral("pairsSelectRight"), tr("Select right"), PairSide::Right);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(left_);
    buttons->addWidget(right_);
    barLayout_ = new QBoxLayout(QBoxLayout::LeftToRight, bar);
    barLayout_->setContentsMargins(6, 4, 6, 4);
    barLayout_->addWidget(kinds_, 1);
    barLayout_->addLayout(buttons);
    return bar;
}

PairKind PairsPanel::kind() const {
    return kinds_->count() > 0 ? static_cast<PairKind>(kinds_->currentData().toInt()) : PairKind::Duplicates;
}

bool PairsPanel::areOfState(const PairLists& lists) const {
    return state().hasModel() && lists.model.get() == &state().current() && lists.heldOut == state().audit->heldOut;
}

void PairsPanel::showPairs(std::shared_ptr<const PairLists> lists) {
    if (!lists || !areOfState(*lists) || lists == lists_)
        return;
    lists_ = std::move(lists);
    showList();
}

void PairsPanel::stateChanged(const Changes& changes) {
    if (lists_ && !areOfState(*lists_))
        lists_.reset();
    const bool otherModel = changes.model || changes.heldOut;
    if (otherModel || changes.shown) {
        showList();
    } else { // what is rejected, for one; the place in the list stays
        cells_->setState(state());
        gallery_->viewport()->update();
    }
    if (otherModel && state().hasModel() && !lists_)
        askOfModel("pairs", tr("Looking for pairs"), findPairs, &PairsPanel::showPairs);
}

void PairsPanel::selectionChanged() {
    gallery_->scrollToFocus();
}

void PairsPanel::fillKinds() {
    const QSignalBlocker quiet(kinds_);
    const int wanted = static_cast<int>(kind());
    kinds_->clear();
    for (const PairKind each : kPairKinds) {
        if (each == PairKind::Exposed)
            continue; // another panel's
        if (each == PairKind::Leaks && (!state().audit || !state().audit->heldOut))
            continue;
        const QString name = pairKindText(each);
        kinds_->addItem(lists_ ? tr("%1 (%2)").arg(name, formatCount(pairs_.remarkable(each))) : name,
                        static_cast<int>(each));
    }
    kinds_->setCurrentIndex(std::max(0, kinds_->findData(wanted)));
}

void PairsPanel::showList() {
    const PairKind before = kind();
    pairs_.show({state().audit, state().model, state().shown}, lists_, before);
    host().heldOutPictures()->setAudit(pairs_.heldOutAudit());
    fillKinds();
    if (kind() != before) // there is no held-out set any more
        pairs_.show({state().audit, state().model, state().shown}, lists_, kind());
    cells_->setState(state());
    gallery_->contentsChanged();
    gallery_->verticalScrollBar()->setValue(0); // the nearest ones
    if (pairs_.size() > 0)
        showContent();
    else if (state().hasModel())
        showMessage(!lists_ ? tr("Looking for pairs \u2026")
                    : pairs_.all().pairs.empty()
                        ? tr("This audit holds no lists of neighbours to find pairs in.")
                        : tr("No pair of samples passes the filter. Show all (Ctrl+Shift+L)."));
    showButtons();
}

void PairsPanel::showButtons() {
    const bool any = lists_ && pairs_.remarkable() > 0;
    const QString count = formatCount(pairs_.remarkable());
    left_->setEnabled(any && !pairs_.isHeldOut(PairSide::Left));
    right_->setEnabled(any);
    switch (pairs_.kind()) {
    case PairKind::Duplicates:
        left_->setToolTip(tr("Select the left sample of all %1 marked pairs").arg(count));
        right_->setToolTip(tr("Selects the right sample of all %1 marked pairs, the later one in the file. Reject them "
                              "with Space, and one of each pair is left")
                               .arg(count));
        break;
    case PairKind::Copies:
        left_->setToolTip(tr("Select the synthetic sample of all %1 marked pairs").arg(count));
        right_->setToolTip(tr("Select the real sample of all %1 marked pairs").arg(count));
        break;
    case PairKind::Leaks:
        left_->setToolTip(tr("Held-out samples cannot be selected"));
        right_->setToolTip(tr("Select the real sample of all %1 marked pairs").arg(count));
        break;
    case PairKind::Exposed:
        break;
    }
    summary_->setVisible(pairs_.size() > 0);
    if (pairs_.size() > 0)
        summary_->setText((isByChance() ? tr("Remarkably near: %1 of %2 pairs, no more than by chance. %3")
                                        : tr("Remarkably near: %1 of %2 pairs. %3"))
                              .arg(count, formatCount(pairs_.size()), thresholdText(kind(), pairs_.all().threshold)));
}

/// Whether as many good samples would have as many such pairs.
bool PairsPanel::isByChance() const {
    const bool ofModel = kind() == PairKind::Duplicates || kind() == PairKind::Copies;
    if (!ofModel || !(pairs_.all().threshold > 0.0) || pairs_.remarkable() == 0)
        return false;
    const double expected = kRemarkableShare * static_cast<double>(state().current().set->rows());
    return static_cast<double>(pairs_.remarkable()) <= expected + 2.0 * std::sqrt(expected);
}

void PairsPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    arrange();
}

void PairsPanel::arrange() {
    barLayout_->setDirection(width() >= kRoomForOneLine ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

} // namespace assay
