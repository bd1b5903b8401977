#pragma once

#include "engine/audit/run/audit.h"
#include "engine/base/available_memory.h"

#include <cstddef>
#include <cstdint>

namespace assay {

/// Upper bounds of an audit's memory beyond its inputs, in bytes. Linear in the number of rows.
struct MemoryNeed {
    std::size_t results = 0; ///< kept until the end: tables and columns of all models
    std::size_t working = 0; ///< in addition while the largest stage runs at full speed
    std::size_t lean = 0;    ///< in addition while the largest stage runs lean (withinMemory())

    std::size_t atFullSpeed() const noexcept { return results + working; }
    std::size_t atLeast() const noexcept { return results + lean; }
};

/// Number of neighbours per row that the audit's tables store: the larger of AuditOptions::storedNeighbors and what the
/// metrics need, at most `available`. Metrics need more neighbours within a sample's own set than in the other set.
/// @param available number of possible neighbours of a row
std::size_t ownNeighbors(const AuditOptions& options, std::size_t available);
std::size_t crossNeighbors(const AuditOptions& options, std::size_t available);

/// Bytes of one entry of a neighbour table.
constexpr std::size_t kNeighborBytes = sizeof(double) + sizeof(std::uint32_t);

/// Computes the need from the shapes alone: what the stages (engine/audit/run/stages.h) keep, and the working memory of
/// the largest.
/// @param begun audit that models are added to, whose parts exist already; or null
MemoryNeed memoryNeed(const AuditRequest& request, const AuditResult* begun = nullptr);

/// Options with which an audit stays within its memory limit: as given, or lean, with a search of
/// short neighbour lists and products of integers only. If several processes share the audit, they are unchanged.
/// @param begun as for memoryNeed
/// @throws Error{NotEnoughMemory} naming the needed and the available memory
AuditOptions withinMemory(const AuditRequest& request, const AuditResult* begun = nullptr);

/// Parses a number of bytes such as "512M", "8G", "1.5GiB" or a plain number; units are powers of 1024.
/// @return in [1, 2^62]
/// @throws Error{InvalidArgument} for any other text
std::size_t parseBytes(const std::string& text);

} // namespace assay
