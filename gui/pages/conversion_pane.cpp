#include "gui/pages/conversion_pane.h"

#include "gui/desktop/settings.h"
#include "gui/pages/file_row.h"
#include "gui/session/error_text.h"

#include "engine/io/sets/python_converter.h"
#include "widgets/common/controls.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kCommandsShown = 3;
constexpr int kProgressSteps = 1000;

/// "real.parquet", of a set's file or folder.
QString nameOf(const SetFiles& set) {
    return QFileInfo(pathOfSpec(QString::fromStdString(set.embeddings))).fileName();
}

} // namespace

ConversionPane::ConversionPane(FilePrompts prompts, QWidget* parent)
    : QWidget(parent), prompts_(std::move(prompts)), what_(newText("conversionFiles", Qt::TextSelectableByMouse)),
      python_(named<QLineEdit>("conversionPython")), command_(newText("conversionCommand", Qt::TextSelectableByMouse)),
      convert_(named<QPushButton>("convert", tr("Convert"))), progress_(named<QProgressBar>("conversionProgress")),
      cancel_(named<QPushButton>("cancelConversion", tr("Cancel"))), sign_(new QLabel),
      state_(newText("conversionState", Qt::TextSelectableByMouse)) {
    setObjectName(QStringLiteral("conversionPane"));
    command_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    progress_->setRange(0, kProgressSteps);
    for (QPushButton* button : {convert_, cancel_})
        button->setAutoDefault(false);

    auto* act = addAll(new QHBoxLayout, convert_, Wide{progress_}, cancel_, Stretch{});
    addAll(newLayout<QVBoxLayout>(this), what_, makePythonRow(), command_, act, makeWarningRow(state_, sign_));

    connect(convert_, &QPushButton::clicked, this, &ConversionPane::convert);
    connect(cancel_, &QPushButton::clicked, &jobs_, &JobRunner::cancel);
    connect(&jobs_, &JobRunner::progressChanged, this, [this](double fraction, const QString& stage) {
        progress_->setValue(static_cast<int>(fraction * kProgressSteps));
        if (!stage.isEmpty())
            state_->setText(stage);
    });
    connect(&jobs_, &JobRunner::finished, this, [this] { end(true, {}); });
    connect(&jobs_, &JobRunner::cancelled, this, [this] { end(false, {}); });
    connect(&jobs_, &JobRunner::failed, this, [this](const Error& error) {
        end(false, errorText(QString::fromUtf8(error.what())) + QLatin1Char('\n') +
                       tr("Or choose another Python above, and convert again."));
    });
    end(false, {});
}

QWidget* ConversionPane::makePythonRow() {
    python_->setPlaceholderText(tr("a Python with the library for the file, such as ENVIRONMENT/bin/python"));
    python_->setToolTip(tr("The Python that converts files and runs assay-embed. It is remembered."));
    python_->setText(QDir::toNativeSeparators(defaultPython()));
    connect(python_, &QLineEdit::textChanged, this, &ConversionPane::refresh);
    QWidget* row = makeFileRow(
        python_, {chooseButton(QStringLiteral("chooseConversionPython"), prompts_, this, tr("Choose a Python"))});
    auto* title = new QLabel(tr("P&ython"));
    title->setBuddy(python_);
    static_cast<QHBoxLayout*>(row->layout())->insertWidget(0, title);
    return row;
}

void ConversionPane::setSets(const std::vector<SetFiles>& sets) {
    if (sets == sets_ || isRunning())
        return;
    sets_ = sets;
    what_->setText(whatText()); // looks into the files
    refresh();
}

QString ConversionPane::python() const {
    return QDir::fromNativeSeparators(python_->text().trimmed());
}

void ConversionPane::convert() {
    if (isRunning() || sets_.empty() || python().isEmpty())
        return;
    struct Done {};
    jobs_.start<Done>(
        tr("Converting"),
        [sets = sets_, converter = installedConverter(python().toStdString())](const RunningJob& job) {
            const auto count = static_cast<double>(sets.size());
            for (std::size_t i = 0; i < sets.size(); ++i) {
                const auto at = static_cast<double>(i);
                const JobContext part = job.context().part(tr("Converting %1").arg(nameOf(sets[i])).toStdString(),
                                                           at / count, (at + 1.0) / count);
                part.checkpoint(0.0);
                convertedByPython(sets[i], converter, part);
                part.checkpoint(1.0);
            }
            return std::make_shared<const Done>();
        },
        [python = python()](const std::shared_ptr<const Done>&) {
            Settings().setEmbedPython(python); // it works
        });
    state_->clear();
    // How far Python is with a file is not known.
    progress_->setRange(0, sets_.size() > 1 ? kProgressSteps : 0);
    progress_->setValue(0);
    refresh();
}

void ConversionPane::end(bool all, const QString& problem) {
    state_->setText(problem);
    sign_->setVisible(!problem.isEmpty());
    refresh();
    emit ended(all);
}

void ConversionPane::refresh() {
    const bool runs = isRunning();
    command_->setText(commandText());
    python_->parentWidget()->setEnabled(!runs);
    convert_->setVisible(!runs);
    convert_->setEnabled(!python().isEmpty());
    progress_->setVisible(runs);
    cancel_->setVisible(runs);
    if (runs)
        sign_->hide();
    state_->setVisible(!state_->text().isEmpty() || runs);
}

QString ConversionPane::whatText() const {
    if (sets_.empty())
        return {};
    QStringList named;
    for (const SetFiles& set : sets_)
        named << tr("%1 (%2)").arg(nameOf(set), QString::fromStdString(kindForPython(set.embeddings)));
    const QString folder = QDir::toNativeSeparators(QString::fromStdString(conversionFolder()));
    QString text =
        sets_.size() == 1
            ? tr("%1 is %2, which Assay reads through Python: the command below converts it once, and the "
                 "result is kept in %3, up to 10 GiB: what was used longest ago goes first.")
                  .arg(nameOf(sets_.front()), QString::fromStdString(kindForPython(sets_.front().embeddings)), folder)
            : tr("Assay reads these files through Python: %1. The commands below convert each once, and the "
                 "results are kept in %2, up to 10 GiB: those used longest ago go first.")
                  .arg(named.join(tr(", ")), folder);
    if (std::ranges::all_of(sets_, [](const SetFiles& set) { return isReadInPart(set.embeddings); }))
        text += QLatin1Char(' ') + tr("Without that, only the matrix is read: no classes and no ids.");
    return text;
}

QString ConversionPane::commandText() const {
    QStringList lines;
    for (std::size_t i = 0; i < std::min(sets_.size(), kCommandsShown); ++i)
        lines << QString::fromStdString(
            conversionCommand(installedConverter(python().toStdString()), sets_[i].embeddings));
    if (sets_.size() > kCommandsShown)
        lines << tr("\u2026 and the same for %n more files.", nullptr, static_cast<int>(sets_.size() - kCommandsShown));
    return lines.join(QLatin1Char('\n'));
}

ConvertDialog::ConvertDialog(FilePrompts prompts, const std::vector<SetFiles>& sets, QWidget* parent)
    : QDialog(parent) {
    setObjectName(QStringLiteral("convertDialog"));
    setWindowTitle(tr("Convert files"));
    setMinimumWidth(640);
    auto* pane = new ConversionPane(std::move(prompts));
    pane->setSets(sets);
    auto* buttons = newButtons(this, QDialogButtonBox::Cancel);
    if (std::ranges::all_of(sets, [](const SetFiles& set) { return isReadInPart(set.embeddings); })) {
        QPushButton* asItIs = buttons->addButton(tr("Open without converting"), QDialogButtonBox::AcceptRole);
        asItIs->setObjectName(QStringLiteral("openUnconverted"));
        asItIs->setAutoDefault(false);
    }
    addAll(new QVBoxLayout(this), pane, Stretch{}, buttons);
    connect(pane, &ConversionPane::ended, this, [this](bool all) {
        if (all)
            accept();
    });
}

} // namespace assay
