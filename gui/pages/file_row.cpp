#include "gui/pages/file_row.h"

#include "gui/desktop/icons.h"
#include "gui/desktop/settings.h"
#include "widgets/common/controls.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardPaths>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct FileRowWords {
    Q_DECLARE_TR_FUNCTIONS(assay::FileRow)
};

} // namespace

FileButton chooseButton(const QString& name, const FilePrompts& prompts, QWidget* parent, const QString& title) {
    return {name, FileRowWords::tr("Choose\u2026"), [=] {
                return prompts.openFile ? prompts.openFile(parent, title, FileRowWords::tr("All files (*)"))
                                        : QString();
            }};
}

QString defaultPython() {
    const QString chosen = Settings().embedPython();
    return chosen.isEmpty() ? QStandardPaths::findExecutable(QStringLiteral("python3")) : chosen;
}

QWidget* makeFileRow(QLineEdit* file, const std::vector<FileButton>& buttons, const std::function<void()>& chosen) {
    auto* row = new QWidget;
    auto* layout = newLayout<QHBoxLayout>(row);
    layout->addWidget(file, 1);
    for (const FileButton& wanted : buttons) {
        auto* button = new QPushButton(wanted.text);
        button->setObjectName(wanted.name);
        button->setToolTip(wanted.tip);
        button->setAutoDefault(false);
        QObject::connect(button, &QPushButton::clicked, file, [file, ask = wanted.ask, chosen] {
            const QString path = ask();
            if (path.isEmpty())
                return;
            file->setText(path);
            if (chosen)
                chosen();
        });
        layout->addWidget(button);
    }
    return row;
}

QWidget* makeWarningRow(QLabel* text, QLabel* sign) {
    auto* row = new QWidget;
    if (sign == nullptr)
        sign = new QLabel;
    sign->setPixmap(icon(QStringLiteral("warning")).pixmap(QSize(18, 18), text->devicePixelRatioF()));
    auto* layout = newLayout<QHBoxLayout>(row);
    layout->addWidget(sign, 0, Qt::AlignTop);
    layout->addWidget(text, 1);
    return row;
}

} // namespace assay
