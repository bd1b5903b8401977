#include "gui/pages/export_dialog.h"

#include "engine/report/samples/export_formats.h"
#include "engine/report/samples/export_samples.h"
#include "engine/subsets/rules/tags.h"
#include "gui/session/audit_session.h"
#include "widgets/common/controls.h"
#include "widgets/common/number_format.h"
#include "widgets/link/sample_selection.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <numeric>

namespace assay {
namespace {

// Data of the choice of samples; above them the tags.
enum SampleChoice { KeptChoice, RejectedChoice, SelectedChoice };

} // namespace

ExportDialog::ExportDialog(const AuditSession* session, QWidget* parent)
    : QDialog(parent), session_(session),
      samples_(
          newChoice("exportSamples",
                    {{tr("Kept"), KeptChoice}, {tr("Rejected"), RejectedChoice}, {tr("Selected"), SelectedChoice}})),
      models_(named<QComboBox>("exportModels")), format_(named<QComboBox>("exportFormat")),
      content_(newText("exportContent")), count_(newText("exportCount")) {
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export samples"));

    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Samples"), samples_);
    form->addRow(tr("&Of"), models_);
    form->addRow(tr("&As"), format_);
    form->addRow(QString(), content_);
    for (QComboBox* choice : {samples_, models_, format_})
        choice->setAccessibleName(static_cast<QLabel*>(form->labelForField(choice))->text().remove(QLatin1Char('&')));

    auto* buttons = newButtons(this, QDialogButtonBox::Cancel);
    export_ = buttons->addButton(tr("&Export\u2026"), QDialogButtonBox::AcceptRole);
    export_->setObjectName(QStringLiteral("exportButton"));
    addAll(new QVBoxLayout(this), form, count_, Stretch{}, buttons);
    export_->setDefault(true); // of the dialog that it is in by now

    fill();
    for (const QComboBox* choice : {samples_, models_, format_})
        connect(choice, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    // A job that ends meanwhile may have brought models, or taken the audit away.
    connect(session_->document(), &Document::stateChanged, this, [this] {
        if (session_->state().hasModel())
            refresh();
        else
            reject();
    });
    refresh();
    samples_->setFocus();
    resize(sizeHint().expandedTo(QSize(fontMetrics().averageCharWidth() * 64, 0)));
}

void ExportDialog::fill() {
    const ViewState& state = session_->state();
    for (int tag = 1; tag <= kTags; ++tag) {
        if (!state.tags || state.tags->having(tag).empty())
            continue;
        const QString name = QString::fromStdString(state.tagName(tag));
        samples_->addItem(name == QString::number(tag) ? tr("Tagged %1").arg(tag)
                                                       : tr("Tagged %1: %2").arg(tag).arg(name),
                          SelectedChoice + tag);
    }
    models_->addItem(QString::fromStdString(state.current().name));
    if (state.audit->models.size() > 1)
        models_->addItem(tr("All models (a folder with a file for each)"));
    for (const ExportFormat& format : exportFormats())
        format_->addItem(catalogText(format.title), catalogText(format.id));
}

ExportRequest ExportDialog::request() const {
    const ViewState& state = session_->state();
    ExportRequest request;
    const int choice = samples_->currentData().toInt();
    if (choice >= SelectedChoice) {
        request.what = ExportWhat::Listed;
        if (choice == SelectedChoice)
            request.listed = session_->selection()->samples();
        else if (state.tags)
            request.listed = state.tags->having(choice - SelectedChoice);
    } else {
        request.what = choice == KeptChoice ? ExportWhat::Kept : ExportWhat::Rejected;
    }
    if (models_->currentIndex() == 0) {
        request.models = {state.model};
    } else {
        request.models.resize(state.audit->models.size());
        std::iota(request.models.begin(), request.models.end(), std::size_t{0});
    }
    request.format = format_->currentData().toString().toStdString();
    return request;
}

ExportDialog::Counts ExportDialog::counts(const ExportRequest& wanted) const {
    Counts counts;
    for (const std::size_t model : wanted.models) {
        counts.all += session_->state().audit->models[model]->set->rows();
        counts.written += wanted.listed.countIn(syntheticSet(model));
    }
    // What is kept of the other models is worked out when it is written.
    counts.isKnown = wanted.what == ExportWhat::Listed || wanted.models.size() == 1;
    if (wanted.what != ExportWhat::Listed)
        counts.written =
            wanted.what == ExportWhat::Kept ? session_->document()->keptCount() : session_->document()->rejectedCount();
    return counts;
}

QString ExportDialog::problem() const {
    const ExportRequest wanted = request();
    for (const std::size_t model : wanted.models) {
        const ModelAudit& audited = *session_->state().audit->models[model];
        if (findExportFormat(wanted.format)->needsPictures && audited.set->images() == nullptr)
            return tr("%1 has no pictures.").arg(QString::fromStdString(audited.name));
    }
    const Counts found = counts(wanted);
    return found.isKnown && found.written == 0 ? tr("There are no such samples.") : QString();
}

QString ExportDialog::countText() const {
    const ExportRequest wanted = request();
    const Counts found = counts(wanted);
    const QString of = wanted.models.size() == 1 ? QString::fromStdString(session_->state().current().name)
                                                 : tr("%n models", nullptr, static_cast<int>(wanted.models.size()));
    if (!found.isKnown)
        return (wanted.what == ExportWhat::Kept ? tr("The kept samples of the %1 samples of %2")
                                                : tr("The rejected samples of the %1 samples of %2"))
            .arg(formatCount(found.all), of);
    const QString text = tr("%1 of %2 samples of %3").arg(formatCount(found.written), formatCount(found.all), of);
    const std::size_t real = wanted.listed.countIn(SetId::Real);
    return real == 0 ? text : text + tr("; real samples are not written (%1)").arg(formatCount(real));
}

void ExportDialog::refresh() {
    const ExportFormat& format = *findExportFormat(format_->currentData().toString().toStdString());
    content_->setText(catalogText(format.content));
    const QString wrong = problem();
    count_->setText(wrong.isEmpty() ? countText() : wrong);
    export_->setEnabled(wrong.isEmpty());
}

void ExportDialog::accept() {
    if (!problem().isEmpty())
        return;
    const ExportRequest chosen = request();
    QDialog::accept();
    emit exportRequested(chosen);
}

QString askExportFile(const FilePrompts& prompts, QWidget* parent, const AuditResult& audit,
                      const ExportRequest& request) {
    const QString title = request.what == ExportWhat::Kept       ? ExportDialog::tr("Export kept samples")
                          : request.what == ExportWhat::Rejected ? ExportDialog::tr("Export rejected samples")
                                                                 : ExportDialog::tr("Export samples");
    const ExportFormat& format = *findExportFormat(request.format);
    if (request.models.size() > 1)
        return prompts.newFolder(parent, title, ExportDialog::tr("models"));
    const QString name = QString::fromStdString(exportFileName(audit.models.at(request.models.front())->name, request));
    if (format.isFolder())
        return prompts.newFolder(parent, title, name);
    const QString filter =
        QStringLiteral("%1 (*%2)")
            .arg(catalogText(format.title).section(QStringLiteral(" ("), 0, 0), catalogText(format.suffix));
    return prompts.save(parent, title, name, filter);
}

} // namespace assay
