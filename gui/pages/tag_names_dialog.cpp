#include "gui/pages/tag_names_dialog.h"

#include "widgets/common/controls.h"

#include <QFormLayout>
#include <QLineEdit>
#include <QVBoxLayout>

namespace assay {
constexpr int kLongestName = 40; // characters: names stand in menus and on pictures

TagNamesDialog::TagNamesDialog(const TagNames& names, QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("tagNames"));
    setWindowTitle(tr("Name the tags"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* hint = newText("tagHint");
    hint->setText(tr("A tag without a name goes by its number. Names are kept with the audit."));
    auto* form = new QFormLayout;
    for (int tag = 1; tag <= kTags; ++tag) {
        auto* field = new QLineEdit(QString::fromStdString(names.at(static_cast<std::size_t>(tag - 1))));
        field->setObjectName(QStringLiteral("tagName%1").arg(tag));
        field->setMaxLength(kLongestName);
        field->setPlaceholderText(QString::number(tag));
        form->addRow(tr("Tag &%1").arg(tag), field);
        fields_.at(static_cast<std::size_t>(tag - 1)) = field;
    }
    addAll(new QVBoxLayout(this), hint, form, newButtons(this, QDialogButtonBox::Ok | QDialogButtonBox::Cancel));
    fields_.front()->setFocus();
    setMinimumWidth(fontMetrics().horizontalAdvance(QLatin1Char('x')) * kLongestName);
}

TagNames TagNamesDialog::names() const {
    TagNames names;
    for (std::size_t tag = 0; tag < names.size(); ++tag)
        names.at(tag) = fields_.at(tag)->text().trimmed().toStdString();
    return names;
}

} // namespace assay
