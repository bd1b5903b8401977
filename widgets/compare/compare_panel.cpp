#include "widgets/compare/compare_panel.h"

#include "widgets/common/colors.h"
#include "widgets/common/controls.h"
#include "widgets/common/eliding_combo_box.h"
#include "widgets/common/labels.h"
#include "widgets/common/number_format.h"
#include "widgets/compare/differences_table.h"
#include "widgets/compare/distribution_pair.h"
#include "widgets/compare/neighborhood_pair.h"
#include "widgets/grid/sample_group_card.h"
#include "widgets/link/figure_parameters.h"
#include "widgets/link/sample_selection.h"
#include "widgets/link/thumbnail_cache.h"
#include "widgets/tables/table_view.h"
#include "widgets/text/score_text.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace assay {
namespace {

constexpr int kWide = 900;           // from here on the parts stand in two columns
constexpr int kTableHeight = 260;    // of the differences
constexpr qsizetype kMaxOfName = 60; // letters
constexpr qsizetype kLettersOnCard = 40;

QString briefName(const ModelAudit& model) {
    return QString::fromStdString(model.name).left(kMaxOfName);
}

/// By CoveredBy. @param contrast null: not known yet
std::array<QString, kCoverageGroups> coverageTitles(const ModelContrast* contrast) {
    const auto only = [contrast](std::shared_ptr<const ModelAudit> ModelContrast::*model) {
        if (contrast == nullptr)
            return QString();
        const QString name = QString::fromStdString((contrast->*model)->name);
        const QString brief =
            name.size() > kLettersOnCard ? name.left(kLettersOnCard) + QStringLiteral("\u2026") : name;
        return ComparePanel::tr("Covered by %1 only").arg(brief);
    };
    std::array<QString, kCoverageGroups> titles;
    titles[static_cast<std::size_t>(CoveredBy::Both)] = ComparePanel::tr("Covered by both");
    titles[static_cast<std::size_t>(CoveredBy::OnlyFirst)] = only(&ModelContrast::first);
    titles[static_cast<std::size_t>(CoveredBy::OnlySecond)] = only(&ModelContrast::second);
    titles[static_cast<std::size_t>(CoveredBy::Neither)] = ComparePanel::tr("Covered by neither");
    return titles;
}

/// Shows the line of one of the models as it is in the chart.
class LineSample : public QWidget {
public:
    LineSample(std::size_t model, QWidget* parent) : QWidget(parent), model_(model) { setFixedSize(32, 16); }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        paintComparedSample(painter, QRectF(rect()).adjusted(2, 0, -2, 0), model_, palette());
    }

private:
    std::size_t model_;
};

} // namespace

ComparePanel::ComparePanel(PanelHost& host) : Panel(host) {
    setObjectName(QStringLiteral("comparePanel"));
    auto* page = new QWidget(this);
    makeBar(page);
    makeParts();
    auto* column = newLayout<QVBoxLayout>(page, {}, 0);
    column->addWidget(bar_);
    sentence_ = named<WrappingLabel>("compareSentence", page);
    sentence_->setContentsMargins(8, 0, 8, 4);
    column->addWidget(sentence_);
    column->addWidget(scroll_, 1);
    setContent(page, tr("Two synthetic sets are compared here, sample by sample."));
    connect(neighborhood_, &NeighborhoodPair::inspectRequested, this,
            [&host](SampleId sample) { host.inspect(sample); });
    connect(firstPicker_, &QComboBox::activated, this,
            [&host](int at) { host.setModel(static_cast<std::size_t>(at)); });
    connect(secondPicker_, &QComboBox::activated, this, [this](int at) {
        secondName_ = state().audit->models[static_cast<std::size_t>(at)]->name;
        if (static_cast<std::size_t>(at) == state().model) // the two swap
            chooseSecond();
        want();
        emit choicesChanged();
    });
    showParts();
}

void ComparePanel::makeBar(QWidget* page) {
    bar_ = new QWidget(page);
    firstPicker_ = named<ElidingComboBox>("compareFirst", bar_);
    firstPicker_->setAccessibleName(tr("First model: the current one"));
    secondPicker_ = named<ElidingComboBox>("compareSecond", bar_);
    secondPicker_->setAccessibleName(tr("Model to compare with"));
    auto* layout = newLayout<QHBoxLayout>(bar_, {6, 4, 6, 4});
    std::size_t model = 0;
    for (ElidingComboBox* picker : {firstPicker_, secondPicker_}) {
        picker->setMinimumContentsLength(5);
        picker->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        picker->setMaximumWidth(280);
        if (model == 1)
            layout->addWidget(new QLabel(tr("compared with"), bar_));
        layout->addWidget(new LineSample(model++, bar_));
        layout->addWidget(picker, 1);
    }
    layout->addStretch(1);
}

void ComparePanel::makeParts() {
    scroll_ = new QScrollArea(this);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    parts_ = new QWidget(scroll_);
    grid_ = newLayout<QGridLayout>(parts_, {6, 0, 6, 6}, 8);
    groups_ = makeGroups();
    spread_ = new QWidget(parts_);
    spreadTitle_ = new WrappingLabel(tr("How faithful are the samples of each model?"), spread_);
    distributions_ = new DistributionPair(spread_);
    auto* column = newLayout<QVBoxLayout>(spread_, {}, 2);
    column->addWidget(spreadTitle_);
    column->addWidget(distributions_, 1);
    neighborhood_ = new NeighborhoodPair(selection(), pictures(), parts_);
    auto* scores = new QWidget(parts_);
    caveat_ = named<WrappingLabel>("compareCaveat", scores);
    differences_ = named<TableView>("differencesTable", scores);
    differences_->setAccessibleName(tr("Differences of scores"));
    differences_->setMinimumHeight(kTableHeight);
    auto* below = newLayout<QVBoxLayout>(scores, {}, 2);
    below->addWidget(caveat_);
    below->addWidget(differences_, 1);
    scores->setObjectName(QStringLiteral("compareScores"));
    scroll_->setWidget(parts_);
    arrange();
}

/// The real samples that both models cover, only one of them, or neither.
QWidget* ComparePanel::makeGroups() {
    auto* groups = new QWidget(parts_);
    auto* column = newLayout<QVBoxLayout>(groups, {}, 4);
    for (const CoveredBy group : {CoveredBy::OnlyFirst, CoveredBy::OnlySecond, CoveredBy::Neither, CoveredBy::Both}) {
        auto* card = new SampleGroupCard(host(), QStringLiteral("coverageGroup"), GridLook::strip(),
                                         tr("Select the real samples of this group"), groups);
        card->setObjectName(QStringLiteral("coverageGroup%1").arg(static_cast<int>(group)));
        column->addWidget(card);
        cards_[static_cast<std::size_t>(group)] = card;
    }
    export_ =
        newButton<QPushButton>("coverageGroupsExport", tr("Export list\u2026"),
                               tr("Write every real sample with which of the two models cover it, as CSV"), groups);
    connect(export_, &QPushButton::clicked, this, [this] { host().exportCoverage(contrast_); });
    column->addWidget(export_, 0, Qt::AlignRight);
    column->addStretch(1);
    return groups;
}

void ComparePanel::arrange() {
    const bool isWide = width() >= kWide;
    if (isWide_ == isWide)
        return;
    isWide_ = isWide;
    auto* scores = parts_->findChild<QWidget*>(QStringLiteral("compareScores"));
    for (QWidget* part : {groups_, spread_, static_cast<QWidget*>(neighborhood_), scores})
        grid_->removeWidget(part);
    if (isWide) {
        grid_->addWidget(groups_, 0, 0, 2, 1);
        grid_->addWidget(spread_, 0, 1);
        grid_->addWidget(neighborhood_, 1, 1);
        grid_->addWidget(scores, 2, 0, 1, 2);
    } else {
        int row = 0;
        for (QWidget* part : {groups_, spread_, static_cast<QWidget*>(neighborhood_), scores})
            grid_->addWidget(part, row++, 0);
    }
    grid_->setColumnStretch(0, 1);
    grid_->setColumnStretch(1, isWide ? 1 : 0);
}

void ComparePanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    arrange();
}

std::optional<std::size_t> ComparePanel::second() const {
    if (!state().hasModel())
        return std::nullopt;
    const auto& models = state().audit->models;
    const auto at = std::ranges::find(models, secondName_, [](const auto& model) { return model->name; });
    if (at == models.end())
        return std::nullopt;
    return static_cast<std::size_t>(at - models.begin());
}

QJsonObject ComparePanel::saveState() const {
    return {{QStringLiteral("second"), QString::fromStdString(secondName_)}};
}

void ComparePanel::restoreState(const QJsonObject& state) {
    secondName_ = state.value(QStringLiteral("second")).toString(QString::fromStdString(secondName_)).toStdString();
    if (this->state().hasModel() && !isAsked()) {
        if (!second() || *second() == this->state().model)
            chooseSecond();
        want();
    }
}

void ComparePanel::chooseSecond() {
    const std::size_t count = state().hasModel() ? state().audit->models.size() : 0;
    secondName_.clear();
    if (count > 1)
        secondName_ = state().audit->models[(state().model + 1) % count]->name;
}

void ComparePanel::listModels() {
    for (ElidingComboBox* picker : {firstPicker_, secondPicker_}) {
        const QSignalBlocker quiet(picker);
        picker->clear();
        if (state().audit)
            for (const auto& model : state().audit->models)
                picker->addItem(briefName(*model));
    }
}

void ComparePanel::stateChanged(const Changes& changes) {
    if (changes.audit)
        listModels();
    if (!changes.model && isAsked()) {
        showPickers();
        for (SampleGroupCard* card : cards_)
            card->setState(state());
        showNeighborhood();
        return;
    }
    if (!second())
        chooseSecond();
    else if (*second() == state().model) { // the model before takes the other place
        const ViewState& previous = changes.before;
        secondName_.clear();
        if (previous.hasModel() && previous.model < state().audit->models.size() && previous.model != state().model)
            secondName_ = state().audit->models[previous.model]->name;
        if (!second())
            chooseSecond();
    }
    want();
}

void ComparePanel::showPickers() {
    const QSignalBlocker quietFirst(firstPicker_);
    const QSignalBlocker quietSecond(secondPicker_);
    firstPicker_->setCurrentIndex(state().hasModel() ? static_cast<int>(state().model) : -1);
    secondPicker_->setCurrentIndex(second() ? static_cast<int>(*second()) : -1);
}

bool ComparePanel::isAsked() const {
    return second() && askedFirst_.lock().get() == &state().current() &&
           askedSecond_.lock() == state().audit->models[*second()];
}

void ComparePanel::want() {
    showPickers();
    contrast_.reset();
    showParts();
    askedFirst_.reset();
    askedSecond_.reset();
    if (!second())
        return;
    askedFirst_ = state().audit->models[state().model];
    askedSecond_ = state().audit->models[*second()];
    ask(
        "contrast", tr("Comparing two models"),
        [audit = state().audit, first = state().model, second = *second()](const JobContext& job) {
            return contrastModels(*audit, first, second, job);
        },
        [this](std::shared_ptr<const ModelContrast> contrast) { showContrast(std::move(contrast)); });
}

void ComparePanel::showContrast(std::shared_ptr<const ModelContrast> contrast) {
    const bool isWanted = contrast && second() && contrast->first.get() == &state().current() &&
                          contrast->second == state().audit->models[*second()];
    if (!isWanted || contrast == contrast_)
        return;
    contrast_ = std::move(contrast);
    showParts();
}

void ComparePanel::selectionChanged() {
    showNeighborhood();
}

void ComparePanel::showParts() {
    if (second())
        showContent();
    else if (state().hasModel())
        showMessage(tr("This audit has one model. Add another one to compare the two."), tr("Add models\u2026"),
                    [this] { host().run(PanelCommand::AddModels); });
    sentence_->setText(sentence());
    sentence_->setVisible(!sentence_->text().isEmpty());
    showGroups();
    distributions_->show(contrast_);
    spread_->setVisible(!contrast_ || contrast_->fidelity.bins.count() > 0);
    differences_->setContent(differencesTable(contrast_));
    const QString caveat = contrast_ ? sizeCaveat(*contrast_->first, *contrast_->second) : QString();
    caveat_->setText(!contrast_                       ? tr("Comparing\u2026")
                     : contrast_->differences.empty() ? tr("No score has an interval yet. A full audit computes them.")
                                                      : caveat);
    caveat_->setVisible(!caveat_->text().isEmpty());
    differences_->setVisible(!contrast_ || !contrast_->differences.empty());
    showNeighborhood();
}

void ComparePanel::showGroups() {
    const std::array<QString, kCoverageGroups> titles = coverageTitles(contrast_.get());
    std::size_t all = 0;
    if (contrast_)
        for (const CoverageGroup& group : contrast_->groups)
            all += group.rows.size();
    for (std::size_t at = 0; at < cards_.size(); ++at) {
        SampleGroupCard::Content content{.title = titles[at], .examplesName = tr("%1: examples").arg(titles[at])};
        if (contrast_) {
            const CoverageGroup& group = contrast_->groups[at];
            content.title = tr("%1: %2 real samples (%3)")
                                .arg(titles[at], formatCount(group.rows.size()),
                                     formatParts(group.rows.size(), all - group.rows.size()).first);
            content.samples = SampleSet(SetId::Real, group.rows);
            std::vector<SampleId> examples;
            for (const std::uint32_t row : group.examples)
                examples.push_back({SetId::Real, row});
            content.examples = GridList::singles(examples);
        }
        cards_[at]->show(state(), std::move(content));
    }
    export_->setEnabled(contrast_ != nullptr);
}

QString ComparePanel::sentence() const {
    if (!contrast_)
        return {};
    const QString first = briefName(*contrast_->first);
    const QString second = briefName(*contrast_->second);
    const auto count = [this](CoveredBy group) { return formatCount(contrast_->group(group).rows.size()); };
    const QString covers = tr("%1 covers %2 real samples that %3 misses; %3 covers %4 that %1 misses.")
                               .arg(first, count(CoveredBy::OnlyFirst), second, count(CoveredBy::OnlySecond));
    const auto fidelity =
        std::ranges::find(contrast_->differences, std::string_view("clipped_density"), &MetricDifference::id);
    if (fidelity == contrast_->differences.end())
        return covers;
    if (!fidelity->excludesZero())
        return tr("%1 Neither is significantly more faithful.").arg(covers);
    const bool isFirst = fidelity->difference > 0.0;
    return tr("%1 %2 is more faithful: its clipped density is %3 higher (%4 to %5).")
        .arg(covers, isFirst ? first : second, formatNumber(std::abs(fidelity->difference)),
             formatNumber(isFirst ? fidelity->low : -fidelity->high),
             formatNumber(isFirst ? fidelity->high : -fidelity->low));
}

void ComparePanel::showNeighborhood() {
    if (!second())
        return;
    std::optional<std::uint32_t> real;
    const auto focus = selection()->focus();
    if (focus && isReal(focus->set)) {
        real = focus->row;
    } else if (focus && modelIndex(focus->set) < state().audit->models.size()) {
        // A neighbour of the shown sample is looked at beside it.
        const auto& nearest = state().audit->models[modelIndex(focus->set)]->tables->synthetic.nearest;
        const auto shown = neighborhood_->real();
        if (shown && neighborhood_->shows(*focus))
            real = shown;
        else if (focus->row < nearest.rows())
            real = nearest.indexAt(focus->row, 0);
    }
    if (!real && contrast_)
        for (const CoveredBy group : {CoveredBy::OnlyFirst, CoveredBy::OnlySecond, CoveredBy::Both})
            if (!real && !contrast_->group(group).examples.empty())
                real = contrast_->group(group).examples.front();
    neighborhood_->show(state(), state().model, *second(), real);
}

std::optional<Figure> ComparePanel::figure() {
    if (!contrast_ || contrast_->fidelity.bins.count() == 0)
        return std::nullopt;
    Figure figure;
    figure.title =
        tr("Fidelity of each sample of %1 and %2").arg(briefName(*contrast_->first), briefName(*contrast_->second));
    figure.chart = distributions_;
    std::size_t model = 0;
    for (const ModelAudit* of : {contrast_->first.get(), contrast_->second.get()}) {
        figure.legend.push_back({briefName(*of), [model](QPainter& painter, const QRectF& box) {
                                     paintComparedSample(painter, box, model, QPalette(Qt::white));
                                 }});
        ++model;
    }
    figure.caption =
        tr("Share of each model's samples by fidelity (Salvy et al., ICLR 2026). %1").arg(figureParameters(state()));
    figure.data.push_back(
        {QStringLiteral("from"), QStringLiteral("to"), QStringLiteral("first"), QStringLiteral("second")});
    const ContrastedColumn& shown = contrast_->fidelity;
    for (std::size_t bin = 0; bin < shown.bins.count(); ++bin)
        figure.data.push_back({dataNumber(shown.bins.edges[bin]), dataNumber(shown.bins.edges[bin + 1]),
                               dataNumber(shown.first[bin]), dataNumber(shown.second[bin])});
    return figure;
}

} // namespace assay
