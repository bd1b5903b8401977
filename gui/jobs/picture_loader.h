#pragma once

#include "widgets/link/thumbnail_cache.h"

#include <QObject>
#include <QThreadPool>

#include <compare>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <set>

namespace assay {

/// Keeps the pictures that the window shows, and reads files on workers, the last request first: it is still visible.
class PictureLoader : public QObject {
    Q_OBJECT

public:
    explicit PictureLoader(QObject* parent = nullptr);
    ~PictureLoader() override;

    ThumbnailCache* pictures() noexcept { return &pictures_; }
    /// Requested pictures that are not read yet.
    std::size_t waiting() const noexcept { return asked_.size(); }

private:
    struct Wanted {
        std::shared_ptr<const AuditResult> audit;
        SampleId id;
        int devicePixels = 0;

        friend auto operator<=>(const Wanted&, const Wanted&) = default;
    };

    void load(const std::shared_ptr<const AuditResult>& audit, SampleId id, int devicePixels);
    /// On a worker: reads the picture of the last request.
    void readNext();

    // The window's thread only.
    std::set<Wanted> asked_;
    ThumbnailCache pictures_;

    std::mutex mutex_;
    std::deque<Wanted> queue_; ///< guarded by the mutex; the newest last
    QThreadPool workers_;      ///< last: ends before what it uses goes
};

} // namespace assay
