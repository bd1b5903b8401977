#include "gui/jobs/picture_loader.h"

#include <QImage>

#include <utility>

namespace assay {

// Reading waits for the disk, scaling for the processor.
constexpr int kReaders = 2;
// More than a large window shows; of what scrolled by, the oldest is given up.
constexpr std::size_t kMaxWaiting = 600;

PictureLoader::PictureLoader(QObject* parent)
    : QObject(parent), pictures_([this](const std::shared_ptr<const AuditResult>& audit, SampleId id,
                                        int devicePixels) { load(audit, id, devicePixels); }) {
    workers_.setMaxThreadCount(kReaders);
}

PictureLoader::~PictureLoader() {
    {
        const std::scoped_lock lock(mutex_);
        queue_.clear();
    }
    workers_.waitForDone();
}

void PictureLoader::load(const std::shared_ptr<const AuditResult>& audit, SampleId id, int devicePixels) {
    Wanted wanted{audit, id, devicePixels};
    if (!asked_.insert(wanted).second)
        return;
    {
        const std::scoped_lock lock(mutex_);
        queue_.push_back(std::move(wanted));
        if (queue_.size() > kMaxWaiting) {
            asked_.erase(queue_.front());
            queue_.pop_front();
        }
    }
    workers_.start([this] { readNext(); });
}

void PictureLoader::readNext() {
    Wanted wanted;
    {
        const std::scoped_lock lock(mutex_);
        if (queue_.empty())
            return;
        wanted = std::move(queue_.back());
        queue_.pop_back();
    }
    const QImage picture = fitted(sampleImage(wanted.audit->setOf(wanted.id.set), wanted.id.row), wanted.devicePixels);
    QMetaObject::invokeMethod(this, [this, wanted, picture] { // in the window's thread
        asked_.erase(wanted);
        pictures_.take(wanted.audit, wanted.id, wanted.devicePixels, picture);
    });
}

} // namespace assay
