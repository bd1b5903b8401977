#pragma once

#include "engine/audit/run/audit.h"
#include "engine/base/available_memory.h"

#include <cstddef>
#include <cstdint>

namespace assay {

/// What an audit needs beyond its inputs, at most, in bytes. Linear in the number of rows.
struct MemoryNeed {
    std::size_t results = 0; ///< tables and columns that stay, of all models
    std::size_t working = 0; ///< of the largest pass while it runs, at full speed
    std::size_t lean = 0;    ///< the same where speed gives way: integer products and short lists only

    std::size_t atFullSpeed() const noexcept { return results + working; }
    std::size_t atLeast() const noexcept { return results + lean; }
};

/// Neighbours that a table of the audit keeps, of so many that there are: as many as asked for and as the metrics look
/// at, which need more of a sample's own set than of the other one.
std::size_t ownNeighbors(const AuditOptions& options, std::size_t available);
std::size_t crossNeighbors(const AuditOptions& options, std::size_t available);

/// Bytes of one entry of a neighbour table.
constexpr std::size_t kNeighborBytes = sizeof(double) + sizeof(std::uint32_t);

/// From the shapes alone: what the stages (engine/audit/run/stages.h) keep, and what the largest of them works in.
MemoryNeed memoryNeed(const AuditRequest& request);

/// The options with which an audit stays within its memory limit: as given, or working in little memory. Where several
/// machines share it, each holds a part: they see to it themselves.
/// @throws Error{NotEnoughMemory} naming what is needed and what there is
AuditOptions withinMemory(const AuditRequest& request);

/// The number of bytes that "512M", "8G", "1.5GiB" or a plain number names.
/// @throws Error{InvalidArgument} for anything else
std::size_t parseBytes(const std::string& text);

} // namespace assay
