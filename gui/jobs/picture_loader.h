#pragma once

#include "widgets/link/thumbnail_cache.h"

#include <QObject>
#include <QThreadPool>

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_set>

namespace assay {

/// Keeps the pictures that the window shows, and reads those of files on workers: the last request comes first,
/// because after scrolling the last pictures are visible.
class PictureLoader : public QObject {
    Q_OBJECT

public:
    explicit PictureLoader(QObject* parent = nullptr);
    ~PictureLoader() override;

    ThumbnailCache* pictures() noexcept { return &pictures_; }
    /// Requested pictures that are not read yet.
    std::size_t waiting() const noexcept { return static_cast<std::size_t>(asked_.size()); }

private:
    struct Wanted {
        std::shared_ptr<const AuditResult> audit;
        SampleId id;
        int devicePixels = 0;

        friend bool operator==(const Wanted&, const Wanted&) = default;
    };
    struct Hash {
        std::size_t operator()(const Wanted& wanted) const noexcept;
    };

    void load(const std::shared_ptr<const AuditResult>& audit, SampleId id, int devicePixels);
    /// On a worker: reads the picture of the last request.
    void readNext();

    // The window's thread only.
    std::unordered_set<Wanted, Hash> asked_;
    ThumbnailCache pictures_;

    std::mutex mutex_;
    std::deque<Wanted> queue_; ///< guarded by the mutex; the newest last
    QThreadPool workers_;      ///< last: ends before what it uses goes
};

} // namespace assay
