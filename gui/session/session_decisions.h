#pragma once

#include "gui/session/session_edit.h"

#include "engine/store/decisions.h"

namespace assay {

/// Converts the edits of a person to the form of an audit file, and back.
Decisions decisionsOf(const EditState& edits);
EditState editsOf(const Decisions& decisions);

} // namespace assay
