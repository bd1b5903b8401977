#pragma once

#include "gui/jobs/job_runner.h"

#include "engine/io/sets/set_preview.h"

#include <QObject>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace assay {

/// Looks at sets that a person may want to open, one after another on a worker, and remembers what it saw.
class SetPreviewer : public QObject {
    Q_OBJECT

public:
    /// Preview of one set.
    struct Seen {
        SetFiles files;
        std::shared_ptr<const SetPreview> preview; ///< null: it cannot be read
        QString problem;                           ///< why
    };
    using Look =
        std::function<SetPreview(const SetFiles& files, const JobContext& job, const PreparationChoice& choice)>;

    /// @param look previewSet, but for tests
    explicit SetPreviewer(Look look, QObject* parent = nullptr);

    /// The sets to look at from now on, in this order; those that were seen before are not looked at again.
    void follow(std::vector<SetFiles> wanted);

    /// How sets are taken from now on; all are looked at again when that changes.
    void setChoice(const PreparationChoice& choice);

    /// Looks again at the sets that needed Python: it may have converted them.
    void lookAgainForPython();

    /// Null while it was not yet looked at.
    const Seen* seen(const SetFiles& files) const;
    bool isBusy() const noexcept { return jobs_.isRunning(); }

signals:
    /// One more set was looked at.
    void changed();

private:
    void lookAtNext();
    /// Remembers what the current look came to, unless the choice has changed since.
    void remember(std::shared_ptr<const SetPreview> preview, const QString& problem);

    Look look_;
    PreparationChoice choice_;
    PreparationChoice currentChoice_; ///< of the current look
    std::vector<SetFiles> wanted_;
    std::vector<Seen> seen_; ///< of those that are wanted
    std::optional<SetFiles> current_;
    JobRunner jobs_;
};

} // namespace assay
