#pragma once

#include "engine/base/accelerator.h"
#include "engine/metrics/one_class/one_class_network.h"

#include <memory>

namespace assay {

/// A graphics card that trains one-class networks.
class OneClassAccelerator : public virtual Accelerator {
public:
    /// Creates an object that computes losses and gradients of one-class networks over a set, in single precision.
    /// Results are equal, to the last bit, on every run and with any amount of memory.
    /// @param rows the set must outlive the result; the result must not outlive this accelerator
    /// @return null if the accelerator declines
    /// @throws Error{DeviceFailed}
    virtual std::unique_ptr<OneClassDescent> oneClass(const OneClassRows& rows) const = 0;
};

} // namespace assay
