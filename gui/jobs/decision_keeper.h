#pragma once

#include "gui/jobs/job_runner.h"

#include "engine/store/decisions.h"

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>

class QLockFile;

namespace assay {

/// Keeps decisions in the audit file, within a second of each change. A second window on the file only says why not.
class DecisionKeeper : public QObject {
    Q_OBJECT

public:
    explicit DecisionKeeper(QObject* parent = nullptr);
    /// Writes what has not been written yet.
    ~DecisionKeeper() override;

    /// Sets the file for later decisions; empty: none. Earlier decisions are still written to the previous file.
    void keepIn(const QString& file);
    /// Records the current decisions and the history so far.
    void keep(Decisions decisions, std::shared_ptr<const History> history);
    /// Records a new history; the decisions in the file stay as they are.
    void keepHistory(std::shared_ptr<const History> history);
    /// Writes what has not been written yet, before this returns.
    void flush();

    QString file() const { return file_; }
    /// Whether all recorded decisions are in the file, or soon will be.
    bool isKeeping() const { return !file_.isEmpty() && problem_.isEmpty(); }
    /// Why they are not, in a sentence; empty if they are, or if there is no file.
    QString problem() const { return problem_; }

signals:
    /// From now on nothing is written to the file.
    void failed(const QString& file, const QString& message);

private:
    /// Data to write, with an increasing number, so that older data never overwrite newer data.
    struct Numbered {
        std::uint64_t number = 0;
        std::optional<Decisions> decisions; ///< none: those of the file
        std::shared_ptr<const History> history;
    };
    class InOrder;

    void await(std::optional<Decisions> decisions, std::shared_ptr<const History> history);
    void write();
    void fail(const QString& message);

    QString file_;
    QString problem_;
    std::unique_ptr<QLockFile> lock_;
    std::uint64_t count_ = 0;
    std::optional<Numbered> waiting_;
    std::optional<Numbered> writing_;
    std::shared_ptr<InOrder> inOrder_;
    QTimer soon_;
    JobRunner jobs_; // last: its thread ends first
};

} // namespace assay
