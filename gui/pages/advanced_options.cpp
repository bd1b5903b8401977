#include "gui/pages/advanced_options.h"

#include "engine/audit/run/audit_cost.h"
#include "engine/base/error.h"
#include "engine/gpu/backends/backends.h"
#include "widgets/common/controls.h"
#include "widgets/common/number_format.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>

namespace assay {
namespace {

constexpr int kAutomatic = -1; ///< in place of a Scaling

void choose(QComboBox* choice, int data) {
    choice->setCurrentIndex(std::max(0, choice->findData(data)));
}

} // namespace

AdvancedOptions::AdvancedOptions(QWidget* parent)
    : QWidget(parent), toggle_(named<QToolButton>("advanced")), k_(named<QSpinBox>("k")),
      coverK_(named<QSpinBox>("coverK")), coverC_(named<QSpinBox>("coverC")),
      backend_(newChoice("backend", {{tr("automatic"), static_cast<int>(BackendChoice::Auto)}})),
      scaling_(newChoice("scaling", {{tr("automatic: z-score for a table, none for embeddings"), kAutomatic},
                                     {tr("none"), static_cast<int>(Scaling::None)},
                                     {tr("z-score of each column"), static_cast<int>(Scaling::ZScore)},
                                     {tr("whitened principal components"), static_cast<int>(Scaling::PcaWhiten)},
                                     {tr("unit length of each row"), static_cast<int>(Scaling::L2)}})),
      missing_(newChoice("missing", {{tr("automatic: fill in tables, refuse elsewhere"), kAutomatic},
                                     {tr("refuse"), static_cast<int>(Missing::Refuse)},
                                     {tr("drop: leave such rows out"), static_cast<int>(Missing::Drop)},
                                     {tr("indicate: fill in the real median and add a column of 0 and 1"),
                                      static_cast<int>(Missing::Indicate)}})),
      oneHot_(named<QCheckBox>("oneHot")), ignored_(named<QLineEdit>("ignoreColumns")),
      oneClass_(named<QCheckBox>("oneClass")), memory_(named<QLineEdit>("memoryLimit")) {
    QWidget* fields = makeFields();
    fields->hide();
    toggle_->setAutoRaise(true);
    toggle_->setCheckable(true);
    toggle_->setText(tr("Advanced"));
    toggle_->setArrowType(Qt::RightArrow);
    toggle_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(toggle_, &QToolButton::toggled, fields, [this, fields](bool on) {
        toggle_->setArrowType(on ? Qt::DownArrow : Qt::RightArrow);
        fields->setVisible(on);
    });
    addAll(newLayout<QVBoxLayout>(this), toggle_, fields);
}

QWidget* AdvancedOptions::makeFields() {
    scaling_->setToolTip(tr("Brings the features of all sets to one scale, which is fitted on the real set."));
    fillTables();
    fillBackends();
    k_->setRange(1, 1000);
    k_->setValue(static_cast<int>(AuditOptions{}.k));
    k_->setToolTip(tr("Ball size: a real sample's ball reaches to its k-th nearest real neighbour. Papers use 5."));
    oneClass_->setText(tr("Also alpha-precision and beta-recall in it"));
    oneClass_->setToolTip(tr("A small network trained on the real set. Takes longer than the rest of the audit."));
    memory_->setPlaceholderText(tr("what the machine has left, or for example 4G"));
    memory_->setToolTip(tr("Memory to use beyond the files. With less memory the audit takes longer; a limit that is "
                           "too low is reported immediately."));
    connect(memory_, &QLineEdit::textChanged, this, &AdvancedOptions::changed);

    for (QComboBox* choice : {scaling_, missing_, backend_}) { // their longest texts would be wider than the dialog
        choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        choice->setMinimumContentsLength(16);
    }
    auto* fields = new QWidget;
    auto* form = newLayout<QFormLayout>(fields, {18, 0, 0, 0});
    form->addRow(tr("&Neighbours k"), k_);
    form->addRow(tr("Precision and recall cover"), coverRow());
    form->addRow(tr("S&caling"), scaling_);
    form->addRow(tr("Missing &values"), missing_);
    form->addRow(tr("Columns of &text"), oneHot_);
    form->addRow(tr("&Ignore columns"), ignored_);
    form->addRow(tr("&Search"), backend_);
    form->addRow(tr("&One-class embedding"), oneClass_);
    form->addRow(tr("&Memory limit"), memory_);
    return fields;
}

QLayout* AdvancedOptions::coverRow() {
    coverK_->setToolTip(tr("How many samples of the other set have to be near for one to count as covered. The paper "
                           "uses 3."));
    coverC_->setToolTip(
        tr("C: \u201cnear\u201d reaches to the (C times k')-th neighbour in the sample's own set. The paper uses 3."));
    auto* row = new QHBoxLayout;
    for (const auto& [field, name, value] :
         {std::tuple(coverK_, tr("k\u2032"), CoverSizes{}.k), std::tuple(coverC_, tr("C"), CoverSizes{}.c)}) {
        field->setRange(1, 1000);
        field->setValue(static_cast<int>(value));
        auto* label = new QLabel(name);
        label->setBuddy(field);
        addAll(row, label, field);
    }
    return addAll(row, Stretch{});
}

void AdvancedOptions::fillTables() {
    missing_->setToolTip(tr("Empty fields, NA and NaN, the same in all sets. With \u201cdrop\u201d, rows with infinite "
                            "values are left out, too."));
    connect(missing_, &QComboBox::currentIndexChanged, this, &AdvancedOptions::changed);
    oneHot_->setText(tr("Take all text as categories"));
    oneHot_->setToolTip(tr("Each text column of a table becomes a column of 0 and 1 per category of the real set, and "
                           "one for all other texts. Otherwise text with more than 50 different values is left out."));
    connect(oneHot_, &QCheckBox::toggled, this, &AdvancedOptions::changed);
    ignored_->setPlaceholderText(tr("names, separated by commas"));
    ignored_->setToolTip(tr("Columns of tables that are left out of every set that has them."));
    connect(ignored_, &QLineEdit::editingFinished, this, &AdvancedOptions::changed);
}

void AdvancedOptions::fillBackends() {
    for (const Backend& backend : backendTable()) {
        if (backend.choice == BackendChoice::Auto)
            continue;
        const QString name = catalogText(backend.name);
        const QString description = catalogText(backend.description);
        // Which card it is, and how much memory it has, is what the choice is about.
        backend_->addItem(backend.choice == BackendChoice::Cuda ? tr("%1: %2").arg(name, description) : name,
                          static_cast<int>(backend.choice));
        backend_->setItemData(backend_->count() - 1, description, Qt::ToolTipRole);
    }
    backend_->setToolTip(tr("How neighbours are searched. Every way gives the same answers."));
}

void AdvancedOptions::setOptions(const AuditOptions& options, const PreparationChoice& choice) {
    k_->setValue(static_cast<int>(options.k));
    coverK_->setValue(static_cast<int>(options.cover.k));
    coverC_->setValue(static_cast<int>(options.cover.c));
    oneClass_->setChecked(options.oneClass);
    choose(missing_, choice.fillsGaps ? kAutomatic : static_cast<int>(choice.missing));
    oneHot_->setChecked(choice.oneHot);
    columnKinds_ = choice.columnKinds;
    QStringList ignored;
    for (const std::string& name : choice.ignoredColumns)
        if (name.find(',') == std::string::npos) // else the field would show two names
            ignored << QString::fromStdString(name);
        else
            columnKinds_.push_back({name, ColumnKind::LeftOut});
    ignored_->setText(ignored.join(QStringLiteral(", ")));
    choose(scaling_, choice.scaling ? static_cast<int>(*choice.scaling) : kAutomatic);
    memory_->setText(options.memoryLimit == 0 ? QString()
                                              : QString::number(static_cast<qulonglong>(options.memoryLimit)));
    choose(backend_, static_cast<int>(options.backend));
    const AuditOptions usual;
    toggle_->setChecked(choice != PreparationChoice{} || options.k != usual.k || options.cover != usual.cover ||
                        options.oneClass || options.memoryLimit != 0 || options.backend != usual.backend);
}

void AdvancedOptions::setColumnKind(const QString& column, std::optional<ColumnKind> kind) {
    QStringList ignored = ignoredNames();
    ignored.removeAll(column);
    ignored_->setText(ignored.join(QStringLiteral(", ")));
    std::erase_if(columnKinds_, [&](const ColumnChoice& one) { return one.name == column.toStdString(); });
    if (kind)
        columnKinds_.push_back({column.toStdString(), *kind});
    emit changed();
}

QStringList AdvancedOptions::ignoredNames() const {
    QStringList names;
    for (const QString& name : ignored_->text().split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (!name.trimmed().isEmpty())
            names << name.trimmed();
    return names;
}

AuditOptions AdvancedOptions::options() const {
    AuditOptions options;
    options.k = static_cast<std::size_t>(k_->value());
    options.cover = {static_cast<std::size_t>(coverK_->value()), static_cast<std::size_t>(coverC_->value())};
    options.backend = static_cast<BackendChoice>(backend_->currentData().toInt());
    options.oneClass = oneClass_->isChecked();
    options.memoryLimit = memoryLimit().value_or(0);
    return options;
}

PreparationChoice AdvancedOptions::choice() const {
    PreparationChoice choice;
    if (const int scaling = scaling_->currentData().toInt(); scaling != kAutomatic)
        choice.scaling = static_cast<Scaling>(scaling);
    choice.fillsGaps = missing_->currentData().toInt() == kAutomatic;
    if (!choice.fillsGaps)
        choice.missing = static_cast<Missing>(missing_->currentData().toInt());
    choice.oneHot = oneHot_->isChecked();
    for (const QString& name : ignoredNames())
        choice.ignoredColumns.push_back(name.toStdString());
    for (const ColumnChoice& one : columnKinds_)
        assay::setColumnKind(choice, one.name, one.kind);
    return choice;
}

std::optional<std::size_t> AdvancedOptions::memoryLimit() const {
    const QString text = memory_->text().trimmed();
    try {
        return text.isEmpty() ? 0 : parseBytes(text.toStdString());
    } catch (const Error&) {
        return std::nullopt;
    }
}

QString AdvancedOptions::problem() const {
    return memoryLimit()
               ? QString()
               : tr("The memory limit %1 is not a valid size. Write 800M, 4G or 1.5GiB.").arg(memory_->text());
}

} // namespace assay
