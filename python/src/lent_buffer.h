#pragma once

#include "engine/io/sets/read_embeddings.h"

#include <nanobind/nanobind.h>

#include <memory>

namespace assay::python {

/// Contiguous memory of a Python object, which stays alive and keeps its size as long as this does.
class LentBuffer : public ExternalMemory {
public:
    /// @throws nanobind::python_error for an object without a contiguous buffer
    explicit LentBuffer(nanobind::handle object) {
        if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_SIMPLE) != 0)
            throw nanobind::python_error();
    }
    ~LentBuffer() override {
        // The last owner may be an audit that a thread of the engine lets go of.
        const nanobind::gil_scoped_acquire gil;
        PyBuffer_Release(&buffer_);
    }
    LentBuffer(const LentBuffer&) = delete;
    LentBuffer& operator=(const LentBuffer&) = delete;

    std::span<const std::byte> bytes() const noexcept {
        return {static_cast<const std::byte*>(buffer_.buf), static_cast<std::size_t>(buffer_.len)};
    }
    /// What happened to the values is seen by their checksum alone.
    bool isUnchanged() const noexcept override { return true; }

private:
    Py_buffer buffer_{};
};

} // namespace assay::python
