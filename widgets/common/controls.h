#pragma once

#include <QLatin1String>
#include <QMargins>
#include <QScrollArea>
#include <QString>

#include <utility>

namespace assay {

/// A widget with an object name: `named<QLineEdit>("rankingSearch", parent)`.
template <typename Widget, typename... Arguments>
Widget* named(const char* name, Arguments&&... arguments) {
    auto* widget = new Widget(std::forward<Arguments>(arguments)...);
    widget->setObjectName(QLatin1String(name));
    return widget;
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

} // namespace assay
