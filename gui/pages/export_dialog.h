#pragma once

#include "engine/report/samples/export_samples.h"
#include "gui/desktop/file_prompts.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QPushButton;

namespace assay {

class AuditSession;
struct AuditResult;

/// Chooses which samples to write and how. It says how many that are, or why there are none.
class ExportDialog : public QDialog {
    Q_OBJECT

public:
    /// @param session open, and outlives the dialog
    explicit ExportDialog(const AuditSession* session, QWidget* parent = nullptr);

    ExportRequest request() const;

    /// Why the choice is invalid, as a sentence; empty if it is valid.
    QString problem() const;

public slots:
    void accept() override;

signals:
    /// The person wants these samples; the file is still to be chosen.
    void exportRequested(const assay::ExportRequest& request);

private:
    void fill();
    void refresh();
    struct Counts {
        std::size_t all = 0;
        std::size_t written = 0;
        bool isKnown = false; ///< how many are written
    };
    Counts counts(const ExportRequest& wanted) const;
    /// "310 of 10,000 samples of gan".
    QString countText() const;

    const AuditSession* session_;
    QComboBox* samples_;
    QComboBox* models_;
    QComboBox* format_;
    QLabel* content_;
    QLabel* count_;
    QPushButton* export_;
};

/// Asks for the file of an export, or for the folder where it makes one. Empty when the person cancels.
QString askExportFile(const FilePrompts& prompts, QWidget* parent, const AuditResult& audit,
                      const ExportRequest& request);

} // namespace assay
