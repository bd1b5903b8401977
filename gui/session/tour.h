#pragma once

#include "engine/data/sample_set.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace assay {

class AuditSession;
struct AuditResult;

/// One finding of one model.
struct TourStep {
    std::size_t model = 0;
    QString sentence;                  ///< "92 % of its samples are copies of real ones."
    QString advice;                    ///< may be empty
    SampleSet samples{};               ///< that it is about; may be empty
    std::optional<SampleId> example{}; ///< one of them to look at
};

/// The findings that a person should see first: those that count against a model, at most three of each, model by
/// model; then the summaries of the models without any.
std::vector<TourStep> tourOf(const AuditResult& audit);

/// A walk through the findings of all models: each step makes a model the current one and selects the samples of one
/// finding. It ends with the audit, and can be left at any time; the selection is undone like any other.
class Tour : public QObject {
    Q_OBJECT

public:
    /// @param session outlives the tour
    Tour(AuditSession* session, QObject* parent);

    bool canStart() const;
    bool isOn() const noexcept { return !steps_.empty(); }
    void start();
    void next();
    void back();
    void end();

    /// The step that is shown, from 0, and how many there are; only while it is on.
    std::size_t position() const noexcept { return at_; }
    std::size_t count() const noexcept { return steps_.size(); }
    const TourStep& step() const { return steps_.at(at_); }

signals:
    /// Another step is shown, or the tour has begun or ended.
    void changed();

private:
    void show();
    void follow();

    AuditSession* session_;
    std::shared_ptr<const AuditResult> audit_;
    std::vector<TourStep> steps_; ///< empty: the tour is not on
    std::size_t at_ = 0;
};

} // namespace assay
