#pragma once

#include "gui/desktop/theme.h"
#include "gui/jobs/audit_files.h"

#include <QSize>
#include <QStringList>

#include <optional>

namespace assay {

/// The parsed command line.
struct CommandLine {
    enum class Outcome {
        Run,     ///< show the window
        Message, ///< print `message` to standard output and exit with 0
        Usage,   ///< print `message` to standard error and exit with 2
    };
    Outcome outcome = Outcome::Run;
    QString message;

    bool demo = false;
    std::optional<AuditFiles> files; ///< complete, or a real set alone: then the dialog asks for the rest
    QString badManifest;             ///< a manifest that cannot be read: the window says why; empty for none
    QString screenshot;              ///< empty: none
    std::optional<QSize> size;       ///< of the window
    std::optional<ThemeChoice> theme;
};

/// Understands the program's arguments, the program's name first.
CommandLine parseCommandLine(const QStringList& arguments);

} // namespace assay
