#pragma once

#include "engine/store/history.h"

#include <QDateTime>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>

namespace assay {

/// Log of the actions on the open audit, with times. Edits of one gesture are one entry, and so are those of one kind
/// within a second.
class AuditHistory {
public:
    AuditHistory() = default;
    /// Goes on from what an audit file holds.
    explicit AuditHistory(History entries) : entries_(std::make_shared<const History>(std::move(entries))) {}

    /// Never null; oldest first.
    const std::shared_ptr<const History>& entries() const noexcept { return entries_; }

    void add(const QString& what, const QDateTime& now);
    /// @param gesture as GestureTracker counts them @return whether it is an entry of its own
    bool addEdit(const QString& what, std::optional<std::uint64_t> gesture, const QDateTime& now);

private:
    /// The edit that the last entry is about.
    struct Edit {
        QString what;
        std::optional<std::uint64_t> gesture;
        QDateTime at;
    };

    std::shared_ptr<const History> entries_ = std::make_shared<History>();
    std::optional<Edit> last_; ///< none where the last entry is no edit
};

} // namespace assay
