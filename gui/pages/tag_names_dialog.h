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

    /// The typed names; empty for a tag that is named by its number.
    TagNames names() const;

private:
    std::array<QLineEdit*, kTags> fields_;
};

} // namespace assay
