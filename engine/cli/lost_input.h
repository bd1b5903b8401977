#pragma once

namespace assay {

/// Exit code when an input file becomes unreadable during the run; equal to the code for bad input.
inline constexpr int kLostInputExit = 3;

/// Installs a SIGBUS handler for mapped input files (MappedFile). The kernel raises SIGBUS when bytes of such a file
/// are gone, because the file was shortened or its disk failed. The handler prints a message with the file's name on
/// standard error and ends the process with kLostInputExit. It cannot return to the interrupted instruction, so use it
/// only in a program without other state. Outputs appear by renaming, so none is left incomplete.
void exitOnLostInput();

/// Ignores SIGPIPE: writing to a pipe without a reader then fails like writing to a full disk. Otherwise, the process
/// would end and leave temporary files and folders behind.
void ignoreBrokenPipes();

} // namespace assay
