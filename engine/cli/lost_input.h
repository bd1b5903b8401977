#pragma once

namespace assay {

/// Exit code of a process whose input went away: that of bad input.
inline constexpr int kLostInputExit = 3;

/// From here on the process ends with kLostInputExit and a message on standard error, naming the file, when bytes of a
/// mapped input file (MappedFile) are no longer there: someone cut the file short, or its disk failed. The kernel tells
/// by SIGBUS, in the middle of whatever instruction touched them; there is nothing to return to, so this is for a
/// program whose only state is its inputs. Outputs appear by renaming, so none is left half written.
void endOnLostInput();

/// From here on writing to a pipe that nobody reads any more is an error like a full disk, and does not end the process
/// with a folder or a temporary file left behind.
void goOnWithoutReader();

} // namespace assay
