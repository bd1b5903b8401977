#include "widgets/agreement/agreement_panel.h"

#include "widgets/charts/plot.h"
#include "widgets/common/colors.h"
#include "widgets/common/controls.h"
#include "widgets/common/labels.h"
#include "widgets/common/number_format.h"
#include "widgets/link/figure_parameters.h"
#include "widgets/tables/heat_table.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace assay {
namespace {

constexpr QSize kMinChart{150, 110};

QString intervalText(const Correlation& correlation) {
    const auto number = [](double value) { return QLocale().toString(value, 'f', 2); };
    return correlation.interval ? AgreementPanel::tr("%1 (%2 to %3)")
                                      .arg(number(correlation.value), number(correlation.interval->low),
                                           number(correlation.interval->high))
                                : number(correlation.value);
}

} // namespace

AgreementPanel::AgreementPanel(PanelHost& host)
    : Panel(host), sentence_(new WrappingLabel(this)), coefficient_(new QComboBox(this)), table_(new HeatTable(this)),
      plot_(new Plot(this)) {
    setObjectName(QStringLiteral("agreementPanel"));
    sentence_->setObjectName(QStringLiteral("agreementSentence"));
    coefficient_->setObjectName(QStringLiteral("agreementCoefficient"));
    coefficient_->setAccessibleName(tr("Coefficient of correlation"));
    coefficient_->addItem(tr("Spearman"));
    coefficient_->addItem(tr("Pearson"));
    coefficient_->addItem(tr("Kendall"));
    coefficient_->setItemData(0, tr("Correlation of the ranks: 1 where both put the models in the same order"),
                              Qt::ToolTipRole);
    coefficient_->setItemData(1, tr("Linear correlation: 1 where all models lie on a rising line"), Qt::ToolTipRole);
    coefficient_->setItemData(2, tr("tau-b: share of pairs of models in the same order, less those in the other"),
                              Qt::ToolTipRole);
    coefficient_->setToolTip(tr("Which coefficient the table shows"));
    connect(coefficient_, &QComboBox::activated, this, &AgreementPanel::showTable);
    table_->setObjectName(QStringLiteral("agreementTable"));
    connect(table_, &HeatTable::chosenChanged, this, &AgreementPanel::showChosen);
    plot_->setObjectName(QStringLiteral("agreementChart"));
    plot_->setMinimumSize(kMinChart); // less than a chart alone has: a sentence stands above
    connect(plot_, &Plot::themed, this, &AgreementPanel::showChosen);
    connect(plot_, &Plot::chosen, this, [this](const PlotChoice& choice) {
        if (const std::size_t model = plot_->idOf(choice.to); model != state().model)
            this->host().setModel(model);
    });
    auto* full = new QWidget(this);
    auto* bar = newLayout<QHBoxLayout>(nullptr, {8, 4, 8, 4});
    bar->addWidget(sentence_, 1);
    bar->addWidget(coefficient_, 0, Qt::AlignTop);
    auto* halves = new QSplitter(full);
    halves->addWidget(table_);
    halves->addWidget(plot_);
    halves->setStretchFactor(0, 1);
    halves->setStretchFactor(1, 1);
    auto* column = newLayout<QVBoxLayout>(full, {}, 0);
    column->addLayout(bar);
    column->addWidget(halves, 1);
    setContent(full, tr("Here you see which metrics agree with scores of the same models from elsewhere, such as human "
                        "error rates."));
}

void AgreementPanel::stateChanged(const Changes& changes) {
    if (changes.audit || changes.external) {
        compare();
    } else if (changes.model) {
        showPage();
        showChosen();
    }
}

void AgreementPanel::showPage() {
    if (state().hasModel() && agreements_.empty())
        showMessage(
            state().external
                ? tr("%1 has different scores for fewer than %2 models of this audit. That is too few to compare "
                     "metrics with.")
                      .arg(QString::fromStdString(state().external->source), formatCount(kMinAgreeing))
                : tr("Human error rates, an FID from elsewhere, training steps: add a table with one row per "
                     "model and one column per figure to see which metrics follow it."),
            tr("Add model scores\u2026"), [this] { host().run(PanelCommand::AddModelScores); });
    else if (state().hasModel())
        showContent();
}

void AgreementPanel::compare() {
    agreements_.clear();
    if (state().audit && state().external)
        agreements_ = agreements(*state().audit, *state().external);
    showPage();
    showTable();
}

const Correlation& AgreementPanel::coefficientOf(const Agreement& agreement) const {
    switch (static_cast<Coefficient>(coefficient_->currentIndex())) {
    case Coefficient::Pearson:
        return agreement.pearson;
    case Coefficient::Kendall:
        return agreement.kendall;
    case Coefficient::Spearman:
        break;
    }
    return agreement.spearman;
}

const Agreement* AgreementPanel::at(std::size_t row, std::size_t column) const {
    const auto found = std::ranges::find_if(agreements_, [&](const Agreement& one) {
        return one.column == column && subjectOf(one, *state().external) == subjects_[row];
    });
    return found == agreements_.end() ? nullptr : &*found;
}

void AgreementPanel::showTable() {
    subjects_.clear();
    if (agreements_.empty()) {
        table_->setHeat({});
        return;
    }
    const ExternalScores& external = *state().external;
    std::map<std::string, double> strongest;
    for (const Agreement& one : agreements_) {
        double& strength = strongest[subjectOf(one, external)];
        strength = std::max(strength, std::abs(coefficientOf(one).value));
    }
    for (const Agreement& one : agreements_) // in catalogue order, which decides ties
        if (const std::string name = subjectOf(one, external); std::ranges::find(subjects_, name) == subjects_.end())
            subjects_.push_back(name);
    std::ranges::stable_sort(subjects_, std::greater(), [&](const std::string& name) { return strongest[name]; });
    HeatContent content;
    content.rowsTitle = tr("Metric");
    content.columnsTitle = external.columns.size() == 1 ? QString() : tr("External score");
    content.widest = QStringLiteral("-0.99");
    for (const std::string& name : subjects_)
        content.rows << QString::fromStdString(name);
    for (const std::string& name : external.columns)
        content.columns << QString::fromStdString(name);
    content.cell = [this](HeatPlace place) {
        const Agreement* one = at(place.row, place.column);
        if (one == nullptr)
            return HeatCell{};
        const double value = coefficientOf(*one).value;
        return HeatCell{.shade = std::abs(value), .text = QLocale().toString(value, 'f', 2)};
    };
    content.toolTip = [this](HeatPlace place) {
        const Agreement* one = at(place.row, place.column);
        return one != nullptr ? cellToolTip(*one) : tr("Too few models have both figures, or all have the same.");
    };
    table_->setHeat(std::move(content));
    table_->choose({0, 0});
    showChosen();
}

QString AgreementPanel::cellToolTip(const Agreement& agreement) const {
    const QString subject = QString::fromStdString(subjectOf(agreement, *state().external)).toHtmlEscaped();
    return tr("<b>%1 and %2</b><br>Spearman %3<br>Pearson %4<br>Kendall %5<br>%6 models, 95 % intervals")
        .arg(subject, QString::fromStdString(state().external->columns[agreement.column]).toHtmlEscaped(),
             intervalText(agreement.spearman), intervalText(agreement.pearson), intervalText(agreement.kendall),
             formatCount(agreement.models.size()));
}

void AgreementPanel::showChosen() {
    if (agreements_.empty())
        return;
    const std::vector<HeatPlace> chosen = table_->chosen();
    const Agreement* one = chosen.empty() ? nullptr : at(chosen.front().row, chosen.front().column);
    if (one == nullptr)
        one = &agreements_.front();
    const ExternalScores& external = *state().external;
    sentence_->setText(QString::fromStdString(agreementSentence(agreements_, external, one->column)));
    ValueRange x;
    ValueRange y;
    PlotSeries models;
    models.mark = {MarkShape::Circle, 10.0, colors::synthetic(plot_->palette()),
                   QPen(plot_->palette().color(QPalette::Base), 1.5)};
    models.ids = one->models;
    for (std::size_t entry = 0; entry < one->models.size(); ++entry) {
        x.include(one->external[entry]);
        y.include(one->values[entry]);
        models.points.emplace_back(one->external[entry], one->values[entry]);
        models.names << QString::fromStdString(state().audit->models[one->models[entry]]->name);
    }
    const AxisFit fit{.margin = 0.06};
    PlotContent content{.x = fittedAxis(QString::fromStdString(external.columns[one->column]), x, fit),
                        .y = fittedAxis(QString::fromStdString(subjectOf(*one, external)), y, fit),
                        .series = {models},
                        .current = state().model};
    if (one->metric != nullptr)
        content.y.definition = metricToolTip(*one->metric);
    content.describe = [this](PlotPoint at) {
        const PlotSeries& shown = plot_->content().series[at.series];
        return tr("<b>%1</b><br>%2: %3<br>%4: %5")
            .arg(shown.names[static_cast<qsizetype>(at.point)].toHtmlEscaped(), plot_->xAxis().title.toHtmlEscaped(),
                 formatNumber(shown.points[at.point].x()), plot_->yAxis().title.toHtmlEscaped(),
                 formatNumber(shown.points[at.point].y()));
    };
    plot_->show(std::move(content));
}

std::optional<Figure> AgreementPanel::figure() {
    if (agreements_.empty())
        return std::nullopt;
    Figure figure;
    figure.title = title();
    figure.chart = plot_;
    figure.caption =
        tr("%1 against %2 of %3. %4 %5")
            .arg(plot_->content().y.title, plot_->content().x.title, QString::fromStdString(state().external->source),
                 sentence_->text(), figureParameters(state()));
    figure.data.push_back({QStringLiteral("score"), QStringLiteral("external"), QStringLiteral("models")});
    for (const char* name : {"pearson", "spearman", "kendall"})
        for (const char* part : {"%1", "%1_low", "%1_high"})
            figure.data.back() << QString::fromLatin1(part).arg(QString::fromLatin1(name));
    for (const Agreement& one : agreements_) {
        QStringList row{one.metric != nullptr ? catalogText(one.metric->id)
                                              : QString::fromStdString(subjectOf(one, *state().external)),
                        QString::fromStdString(state().external->columns[one.column]),
                        QString::number(one.models.size())};
        for (const Correlation* correlation : {&one.pearson, &one.spearman, &one.kendall}) {
            row << dataNumber(correlation->value);
            row << (correlation->interval ? dataNumber(correlation->interval->low) : QString());
            row << (correlation->interval ? dataNumber(correlation->interval->high) : QString());
        }
        figure.data.push_back(row);
    }
    return figure;
}

} // namespace assay
