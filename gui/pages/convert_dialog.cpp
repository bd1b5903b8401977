#include "gui/pages/convert_dialog.h"

#include "gui/pages/conversion_pane.h"

#include "engine/io/sets/python_converter.h"
#include "widgets/common/controls.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace assay {
ConvertDialog::ConvertDialog(FilePrompts prompts, const std::vector<SetFiles>& sets, QWidget* parent)
    : QDialog(parent) {
    setObjectName(QStringLiteral("convertDialog"));
    setWindowTitle(tr("Convert files"));
    setMinimumWidth(640);
    auto* pane = new ConversionPane(std::move(prompts));
    pane->setSets(sets);
    auto* buttons = newButtons(this, QDialogButtonBox::Cancel);
    if (std::ranges::all_of(sets, [](const SetFiles& set) { return isReadInPart(set.embeddings); })) {
        QPushButton* asItIs = buttons->addButton(tr("Open without converting"), QDialogButtonBox::AcceptRole);
        asItIs->setObjectName(QStringLiteral("openUnconverted"));
        asItIs->setAutoDefault(false);
    }
    addAll(new QVBoxLayout(this), pane, Stretch{}, buttons);
    connect(pane, &ConversionPane::ended, this, [this](bool all) {
        if (all)
            accept();
    });
}

} // namespace assay
