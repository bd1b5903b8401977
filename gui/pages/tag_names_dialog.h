#pragma once

#include "engine/subsets/rules/tags.h"

#include <QDialog>

#include <array>

class QLineEdit;

namespace assay {

/// Asks what the nine tags are called.
class TagNamesDialog : public QDialog {
    Q_OBJECT

public:
    TagNamesDialog(const TagNames& names, QWidget* parent);

    /// What was typed; empty for a tag that goes by its number.
    TagNames names() const;

private:
    std::array<QLineEdit*, kTags> fields_;
};

} // namespace assay
