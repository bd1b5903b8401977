#pragma once

#include <QBoxLayout>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLatin1String>
#include <QMargins>
#include <QScrollArea>
#include <QString>
#include <QVariant>

#include <initializer_list>
#include <type_traits>
#include <utility>

class QWidget;

namespace assay {

/// A widget with an object name: `named<QLineEdit>("rankingSearch", parent)`.
template <typename Widget, typename... Arguments>
Widget* named(const char* name, Arguments&&... arguments) {
    auto* widget = new Widget(std::forward<Arguments>(arguments)...);
    widget->setObjectName(QLatin1String(name));
    return widget;
}

/// The same for a dialog or message box that deletes itself when it is closed.
template <typename Dialog, typename... Arguments>
Dialog* newDialog(const char* name, Arguments&&... arguments) {
    auto* dialog = named<Dialog>(name, std::forward<Arguments>(arguments)...);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    return dialog;
}

/// Buttons that accept and reject a dialog.
inline QDialogButtonBox* newButtons(QDialog* dialog, QDialogButtonBox::StandardButtons buttons) {
    auto* box = new QDialogButtonBox(buttons);
    QObject::connect(box, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
    QObject::connect(box, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    return box;
}

/// Plain text that wraps. @param flags Qt::TextSelectableByMouse where it is there to be copied
inline QLabel* newText(const char* name, Qt::TextInteractionFlags flags = Qt::NoTextInteraction) {
    auto* label = named<QLabel>(name);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(flags);
    return label;
}

/// A list of choices. @param items text and data of each
inline QComboBox* newChoice(const char* name, std::initializer_list<std::pair<QString, QVariant>> items) {
    auto* choice = named<QComboBox>(name);
    for (const auto& [text, data] : items)
        choice->addItem(text, data);
    return choice;
}

/// A QPushButton or QToolButton.
template <typename Button>
Button* newButton(const char* name, const QString& text, const QString& toolTip, QWidget* parent = nullptr) {
    auto* button = named<Button>(name, parent);
    button->setText(text);
    button->setToolTip(toolTip);
    return button;
}

/// A layout with these margins, in pixels. @param parent may be null @param spacing -1: the style's
template <typename Layout>
Layout* newLayout(QWidget* parent = nullptr, QMargins margins = {}, int spacing = -1) {
    auto* layout = new Layout(parent);
    layout->setContentsMargins(margins);
    if (spacing >= 0)
        layout->setSpacing(spacing);
    return layout;
}

/// Parts of a box layout besides widgets and layouts: room, in pixels or as a share, and a widget that takes all room.
struct Spacing {
    int pixels;
};
struct Stretch {
    int share = 1;
};
struct Wide {
    QWidget* widget;
};

/// Adds widgets, layouts and the parts above to a box layout, in this order.
template <typename Layout, typename... Parts>
Layout* addAll(Layout* layout, Parts... parts) {
    const auto add = [layout](auto part) {
        using Part = std::remove_pointer_t<decltype(part)>;
        if constexpr (std::is_same_v<Part, Spacing>)
            layout->addSpacing(part.pixels);
        else if constexpr (std::is_same_v<Part, Stretch>)
            layout->addStretch(part.share);
        else if constexpr (std::is_same_v<Part, Wide>)
            layout->addWidget(part.widget, 1);
        else if constexpr (std::is_base_of_v<QLayout, Part>)
            layout->addLayout(part);
        else
            layout->addWidget(part);
    };
    (add(parts), ...);
    return layout;
}

/// A frameless area in which a widget as wide as it scrolls.
inline QScrollArea* newScroll(QWidget* content, QWidget* parent = nullptr,
                              Qt::ScrollBarPolicy across = Qt::ScrollBarAsNeeded) {
    auto* scroll = new QScrollArea(parent);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(across);
    scroll->setWidget(content);
    return scroll;
}

/// Makes Tab walk through a widget as its layout reads: from the top to the bottom, lines from the left. Needed where
/// parts are made in another order than they are laid out.
void tabInLayoutOrder(QWidget* container);

} // namespace assay
