#pragma once

#include "engine/base/accelerator.h"
#include "engine/metrics/one_class/one_class_network.h"

#include <memory>

namespace assay {

/// A graphics card that trains one-class networks.
class OneClassAccelerator : public virtual Accelerator {
public:
    /// Losses and gradients of one-class networks over a set, in single precision; the same to the last bit on every
    /// run and whatever memory there is.
    /// @param rows the set has to outlive the result, which must not outlive this
    /// @return null where it declines
    /// @throws Error{DeviceFailed}
    virtual std::unique_ptr<OneClassDescent> oneClass(const OneClassRows& rows) const = 0;
};

} // namespace assay
