#include "gui/commands/commands.h"

#include "gui/jobs/statistics_scores.h"
#include "gui/pages/export_dialog.h"
#include "widgets/common/number_format.h"

#include "engine/audit/result/audit_result.h"
#include "engine/data/embedding_set.h"
#include "engine/subsets/curves/removal.h"
#include "engine/subsets/holes/coverage_holes.h"
#include "widgets/common/controls.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>
#include <QTableWidget>

#include <algorithm>
#include <cmath>

// What writes something, and what asks before it decides; what opens something is in commands.cpp.
namespace assay {

void Commands::save() {
    if (session_->document()->auditFile().isEmpty() || !session_->keepingProblem().isEmpty()) {
        saveAs();
        return;
    }
    session_->keepNow();
    if (session_->keepingProblem().isEmpty())
        window_->statusBar()->showMessage(tr("Saved to %1").arg(session_->document()->auditFile()), 5000);
}

QString Commands::auditName(const char* ending) const {
    return QString::fromStdString(session_->state().audit->real->set->name()) + QLatin1String(ending);
}

QString Commands::askAuditFile(const QString& title, const QString& name) {
    const QString file = prompts_.save(window_, title, name, tr("Assay audits (*.assay)"));
    return file.isEmpty() || isNamedAuditFile(file) ? file : file + QStringLiteral(".assay");
}

void Commands::saveAs() {
    if (const QString file = askAuditFile(tr("Save the audit"), auditName(".assay")); !file.isEmpty())
        session_->saveAudit(file);
}

void Commands::saveSelfContained() {
    if (const QString file = askAuditFile(tr("Save a copy with embeddings and pictures"), auditName("-complete.assay"));
        !file.isEmpty())
        session_->saveSelfContained(file);
}

void Commands::exportCurrent(ExportWhat what, const QString& format) {
    chooseExportFile({what, {}, {session_->state().model}, format.toStdString()});
}

void Commands::chooseExportFile(const ExportRequest& request) {
    if (const QString file = askExportFile(prompts_, window_, *session_->state().audit, request); !file.isEmpty())
        session_->exportSamples(request, file);
}

void Commands::chooseExport() {
    auto* dialog = newDialog<ExportDialog>("exportDialog", session_, window_);
    connect(dialog, &ExportDialog::exportRequested, this, &Commands::chooseExportFile);
    dialog->open();
}

void Commands::exportReport(Appendix appendix) {
    if (const QString file =
            prompts_.save(window_, tr("Export the report of the audit"), auditName(".audit.html"),
                          tr("HTML, one page for every browser (*.html *.htm);;PDF, to print or hand on (*.pdf);;"
                             "Markdown, for a model card (*.md);;JSON, all scores for others to check (*.json)"));
        !file.isEmpty())
        session_->exportReport(file, appendix);
}

void Commands::exportPage() {
    if (const QString file = prompts_.save(window_, tr("Export a page to explore"), auditName(".page.html"),
                                           tr("HTML, one file for every browser (*.html *.htm)"));
        !file.isEmpty())
        session_->exportPage(file);
}

void Commands::exportHoles(const std::shared_ptr<const CoverageHoles>& holes) {
    const QString name = QStringLiteral("%1.missed.csv").arg(QString::fromStdString(holes->model->name));
    if (const QString file = prompts_.save(window_, tr("Export the missed real samples"), name, tr("CSV (*.csv)"));
        !file.isEmpty())
        session_->exportHoles(holes, file);
}

void Commands::exportCoverage(const std::shared_ptr<const ModelContrast>& contrast) {
    if (const QString file =
            prompts_.save(window_, tr("Export which real samples are covered"), tr("covered.csv"), tr("CSV (*.csv)"));
        !file.isEmpty())
        session_->exportCoverage(contrast, file);
}

void Commands::loadRules() {
    if (const QString file = prompts_.openFile(window_, tr("Load rules"), tr("Rules (*.json);;All files (*)"));
        !file.isEmpty())
        session_->loadRules(file);
}

void Commands::saveRules() {
    if (const QString file = prompts_.save(window_, tr("Save the rules"), tr("rules.json"), tr("Rules (*.json)"));
        !file.isEmpty())
        session_->saveRules(file);
}

void Commands::proposeRemoval() {
    const ViewState& state = session_->state();
    if (!state.hasModel())
        return;
    auto* dialog = newDialog<QDialog>("wantedScore", window_);
    dialog->setWindowTitle(tr("Propose what to remove"));
    auto* aim = newChoice("removalAim", {{tr("Clipped density"), QStringLiteral("clipped_density")}});
    if (canAimAtFrechet(*state.audit, state.model))
        aim->addItem(tr("Fréchet distance"), QStringLiteral("frechet_distance"));
    auto* wanted = named<QDoubleSpinBox>("wantedValue");
    wanted->setRange(0.0, 1e9);
    QLabel* scores = newText("scoresNow");
    // What the model has, and what a good one would have.
    const auto setAim = [aim, wanted, scores, audit = state.audit, model = state.model] {
        const bool isFrechet = aim->currentIndex() == 1;
        const std::string id = aim->currentData().toString().toStdString();
        const double now = audit->models[model]->metric(id);
        const double good = audit->heldOut ? audit->heldOut->audit->metric(id) : isFrechet ? 0.0 : 1.0;
        const QString has = tr("Now %1.").arg(formatValue(now, Unit::Ratio));
        const QString best = formatValue(good, Unit::Ratio);
        scores->setText(has + QLatin1Char(' ') +
                        (audit->heldOut ? tr("Held-out samples: %1.").arg(best)
                         : isFrechet    ? tr("Removing samples at random raises it.")
                                        : tr("Samples like the real ones: %1.").arg(best)));
        const int decimals =
            isFrechet && now > 0.0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(now))), 0, 6) : 3;
        wanted->setDecimals(decimals);
        wanted->setSingleStep(isFrechet ? std::max(now / 50.0, std::pow(10.0, -decimals)) : 0.01);
        wanted->setValue(isFrechet ? std::max(0.9 * now, good) : std::max(now, good));
    };
    connect(aim, &QComboBox::currentIndexChanged, dialog, setAim);
    setAim();
    auto* form = new QFormLayout;
    form->addRow(tr("&Aim at"), aim);
    form->addRow(tr("&Wanted"), wanted);
    addAll(new QVBoxLayout(dialog), form, scores, newButtons(dialog, QDialogButtonBox::Ok | QDialogButtonBox::Cancel));
    wanted->setFocus();
    wanted->selectAll();
    connect(dialog, &QDialog::accepted, session_, [session = session_, aim, wanted] {
        session->proposeRemoval(aim->currentData().toString().toStdString(), wanted->value());
    });
    dialog->open();
}

void Commands::tellProposal(const RemovalProposal& proposal) {
    const ViewState& state = session_->state();
    SampleSet removed(state.currentSet(), proposal.rows);
    if (state.accepted)
        removed = removed - *state.accepted; // kept by hand: nothing proposed takes that back
    const std::size_t protectedCount = proposal.rows.size() - removed.size();
    const bool isFrechet = proposal.aim == "frechet_distance";
    const QString aim = isFrechet ? tr("Fréchet distance") : tr("Clipped density");
    const QString value = formatValue(proposal.scores.aim, Unit::Ratio);
    QString text;
    if (proposal.rows.empty() && proposal.reached)
        text = tr("Nothing has to be removed: %1 is %2.").arg(aim.left(1).toLower() + aim.mid(1), value);
    else if (proposal.rows.empty())
        text = tr("No removal of samples lowers the Fréchet distance: it is %1.").arg(value);
    else
        text =
            (proposal.reached ? tr("Samples to remove: %1, %2 of this model. %3 without them: %4.")
                              : tr("No removal reaches that. Nearest: remove %1 samples, %2 of this model. %3 without "
                                   "them: %4."))
                .arg(formatCount(proposal.rows.size()),
                     formatParts(proposal.rows.size(), state.current().set->rows() - proposal.rows.size()).first, aim,
                     value) +
            (isFrechet ? tr("\nWith as many removed at random: %4. Coverage goes from %1 to %2, at random to %3.")
                       : tr("\nCoverage falls from %1 to %2; removing the %4 least faithful ones would leave %3."))
                .arg(formatValue(state.current().metric("coverage"), Unit::Share),
                     formatValue(proposal.scores.coverage, Unit::Share),
                     formatValue(proposal.plain.coverage, Unit::Share),
                     isFrechet ? formatValue(proposal.plain.aim, Unit::Ratio) : formatCount(proposal.plainCount));
    const bool isMost = 2 * proposal.rows.size() > state.current().set->rows();
    auto* box =
        newDialog<QMessageBox>("proposal", isMost ? QMessageBox::Warning : QMessageBox::Information, tr("Proposal"),
                               text, removed.empty() ? QMessageBox::Ok : QMessageBox::Cancel, window_);
    if (!removed.empty()) {
        QStringList more;
        if (isMost)
            more << tr("That is most of the model. A better model is worth more than such a removal.");
        if (protectedCount > 0)
            more << tr("Samples among these that you keep by hand stay: %1.").arg(formatCount(protectedCount));
        more << tr("Ctrl+Z takes a rejection back.");
        box->setInformativeText(more.join(QLatin1Char(' ')));
        QPushButton* reject = box->addButton(tr("Reject %1").arg(formatCount(removed.size())), QMessageBox::AcceptRole);
        reject->setObjectName(QStringLiteral("rejectProposal"));
        if (isMost)
            box->setDefaultButton(QMessageBox::Cancel);
        else
            box->setDefaultButton(reject);
        connect(reject, &QPushButton::clicked, session_, [session = session_, removed] {
            session->editor()->judge(removed, HandVerdict::Rejected, SelectionSnapshot{removed, std::nullopt});
        });
    }
    box->open();
}

void Commands::tellStatisticsScores(const StatisticsScores& scores) {
    auto* dialog = newDialog<QDialog>("statisticsScores", window_);
    dialog->setWindowTitle(tr("Fr\u00e9chet distances"));
    auto* table = named<QTableWidget>("statisticsTable", static_cast<int>(scores.models.size()), 4);
    table->setHorizontalHeaderLabels(
        {tr("Model"), tr("Samples"), tr("Fr\u00e9chet distance"), tr("Of infinitely many samples (95 %)")});
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->verticalHeader()->hide();
    for (int row = 0; row < table->rowCount(); ++row) {
        const auto& [name, rows, found] = scores.models[static_cast<std::size_t>(row)];
        const FrechetInfinity& infinity = found.infinity;
        const QStringList texts{name, formatCount(rows), formatValue(found.distance, Unit::Ratio),
                                std::isnan(infinity.value) ? QStringLiteral("\u2013")
                                                           : tr("%1 (%2 to %3)")
                                                                 .arg(formatValue(infinity.value, Unit::Ratio),
                                                                      formatValue(infinity.low, Unit::Ratio),
                                                                      formatValue(infinity.high, Unit::Ratio))};
        for (int column = 0; column < texts.size(); ++column) {
            auto* item = new QTableWidgetItem(texts[column]);
            item->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            table->setItem(row, column, item);
        }
    }
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setStretchLastSection(true);
    QLabel* note = newText("statisticsNote", Qt::TextSelectableByMouse);
    note->setText(
        tr("%1 holds a mean and a covariance. The panels need samples: all their scores compare samples with "
           "samples. assay-score writes each sample's share in the distance (--csv) and these figures (--json).")
            .arg(scores.reference));
    addAll(new QVBoxLayout(dialog), Wide{table}, note, newButtons(dialog, QDialogButtonBox::Close));
    dialog->resize(table->fontMetrics().averageCharWidth() * 96, table->fontMetrics().height() * 18);
    dialog->open();
}

void Commands::nameTags() {
    const auto& names = session_->state().tagNames;
    auto* dialog = newDialog<QDialog>("tagNames", window_);
    dialog->setWindowTitle(tr("Name the tags"));
    QLabel* hint = newText("tagHint");
    hint->setText(tr("A tag without a name goes by its number. Names are kept with the audit."));
    auto* form = new QFormLayout;
    std::vector<QLineEdit*> fields;
    for (int tag = 1; tag <= kTags; ++tag) {
        constexpr int kLongestName = 40; // characters: names stand in menus and on pictures
        auto* field = fields.emplace_back(new QLineEdit);
        field->setObjectName(QStringLiteral("tagName%1").arg(tag));
        field->setText(names ? QString::fromStdString(names->at(static_cast<std::size_t>(tag - 1))) : QString());
        field->setMaxLength(kLongestName);
        field->setMinimumWidth(field->fontMetrics().horizontalAdvance(QLatin1Char('x')) * kLongestName);
        field->setPlaceholderText(QString::number(tag));
        form->addRow(tr("Tag &%1").arg(tag), field);
    }
    addAll(new QVBoxLayout(dialog), hint, form, newButtons(dialog, QDialogButtonBox::Ok | QDialogButtonBox::Cancel));
    fields.front()->setFocus();
    connect(dialog, &QDialog::accepted, this, [this, fields] {
        TagNames typed;
        std::ranges::transform(fields, typed.begin(),
                               [](const QLineEdit* field) { return field->text().trimmed().toStdString(); });
        session_->editor()->nameTags(typed);
    });
    dialog->open();
}

void Commands::nameWorkspace(const std::function<bool(const QString&)>& save) {
    auto* dialog = newDialog<QInputDialog>("workspaceName", window_);
    dialog->setWindowTitle(tr("Save workspace"));
    dialog->setLabelText(tr("Name of the workspace:"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this, save](const QString& name) {
        if (!save(name))
            showError(tr("Saving the workspace"),
                      tr("\"%1\" cannot be the name of a workspace of your own. Choose another one.").arg(name));
    });
    dialog->open();
}

} // namespace assay
