#pragma once

#include "gui/desktop/file_prompts.h"

#include "engine/io/sets/set_files.h"

#include <QDialog>

#include <vector>

namespace assay {

/// Asks whether Python shall convert files before they are added to an audit. Accepted when all are converted, or when
/// the person takes files as they are of which the engine reads some itself.
class ConvertDialog : public QDialog {
    Q_OBJECT

public:
    /// @param sets of files for Python (needsPython())
    ConvertDialog(FilePrompts prompts, const std::vector<SetFiles>& sets, QWidget* parent = nullptr);
};

} // namespace assay
