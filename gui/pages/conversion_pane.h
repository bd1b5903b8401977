#pragma once

#include "gui/desktop/file_prompts.h"
#include "gui/jobs/job_runner.h"

#include "engine/io/sets/set_files.h"

#include <QDialog>
#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace assay {

/// Offers to have a Python of the person's convert files that only its libraries read: says what they are and which
/// command runs, and runs it beside the window. The Python is the one that runs assay-embed.
class ConversionPane : public QWidget {
    Q_OBJECT

public:
    explicit ConversionPane(FilePrompts prompts, QWidget* parent = nullptr);

    /// The sets that wait for a conversion (needsPython()). One that runs goes on.
    void setSets(const std::vector<SetFiles>& sets);
    bool isRunning() const noexcept { return jobs_.isRunning(); }

signals:
    /// The conversion has ended. @param all whether every set was converted
    void ended(bool all);

private:
    QString python() const;
    QWidget* makePythonRow();
    void convert();
    void end(bool all, const QString& problem);
    void refresh();
    QString whatText() const;
    QString commandText() const;

    FilePrompts prompts_;
    std::vector<SetFiles> sets_;
    QLabel* what_;
    QLineEdit* python_;
    QLabel* command_;
    QPushButton* convert_;
    QProgressBar* progress_;
    QPushButton* cancel_;
    QLabel* sign_;
    QLabel* state_;
    JobRunner jobs_;
};

/// Asks whether Python shall convert files before they are added to an audit. Accepted when all are converted, or when
/// the person takes files as they are of which the engine reads some itself.
class ConvertDialog : public QDialog {
    Q_OBJECT

public:
    /// @param sets of files for Python (needsPython())
    ConvertDialog(FilePrompts prompts, const std::vector<SetFiles>& sets, QWidget* parent = nullptr);
};

} // namespace assay
