#include "engine/base/job_context.h"

#include "engine/base/error.h"

#include <algorithm>
#include <utility>

namespace assay {

JobContext::JobContext(std::stop_token stop, ProgressSink sink) : stop_(std::move(stop)), sink_(std::move(sink)) {}

void JobContext::throwIfStopped() const {
    if (onCheck_)
        (*onCheck_)();
    if (stop_.stop_requested())
        throw Cancelled();
}

void JobContext::checkpoint(double done) const {
    throwIfStopped();
    if (sink_)
        sink_({begin_ + std::clamp(done, 0.0, 1.0) * (end_ - begin_), stage_});
}

JobContext JobContext::silent() const {
    JobContext same(stop_);
    same.onCheck_ = onCheck_;
    return same;
}

JobContext JobContext::withCheckCallback(std::function<void()> onCheck) const {
    JobContext same = *this;
    same.onCheck_ = std::make_shared<const std::function<void()>>(std::move(onCheck));
    return same;
}

JobContext JobContext::part(std::string stage, double begin, double end) const {
    JobContext inner = *this;
    if (!stage.empty() && !whole_)
        inner.stage_ = stage_.empty() ? std::move(stage) : stage_ + ": " + stage;
    inner.begin_ = begin_ + begin * (end_ - begin_);
    inner.end_ = begin_ + end * (end_ - begin_);
    return inner;
}

JobContext JobContext::step(std::size_t index, std::size_t count, std::string stage) const {
    const auto steps = static_cast<double>(count);
    return part(std::move(stage), static_cast<double>(index) / steps, static_cast<double>(index + 1) / steps);
}

JobContext JobContext::phase(std::string stage, double begin, double end) const {
    JobContext inner = part(std::move(stage), begin, end);
    inner.whole_ = true;
    return inner;
}

} // namespace assay
