#include "gui/pages/convert_dialog.h"

#include "gui/pages/conversion_pane.h"

#include "engine/io/sets/python_converter.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

constexpr int kWidth = 640;

} // namespace

ConvertDialog::ConvertDialog(FilePrompts prompts, const std::vector<SetFiles>& sets, QWidget* parent)
    : QDialog(parent) {
    setObjectName(QStringLiteral("convertDialog"));
    setWindowTitle(tr("Convert files"));
    setMinimumWidth(kWidth);
    auto* pane = new ConversionPane(std::move(prompts));
    pane->setSets(sets);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    if (std::ranges::all_of(sets, [](const SetFiles& set) { return isReadInPart(set.embeddings); })) {
        QPushButton* asItIs = buttons->addButton(tr("Open without converting"), QDialogButtonBox::AcceptRole);
        asItIs->setObjectName(QStringLiteral("openUnconverted"));
        asItIs->setAutoDefault(false);
    }
    auto* page = new QVBoxLayout(this);
    page->addWidget(pane);
    page->addStretch();
    page->addWidget(buttons);
    connect(pane, &ConversionPane::ended, this, [this](bool all) {
        if (all)
            accept();
    });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

} // namespace assay
