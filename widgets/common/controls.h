#pragma once

#include <QLatin1String>
#include <QMargins>
#include <QWidget>

#include <utility>

namespace assay {

/// A widget with an object name: `named<QToolButton>("runPaths", parent)`.
template <typename Widget, typename... Arguments>
Widget* named(const char* name, Arguments&&... arguments) {
    auto* widget = new Widget(std::forward<Arguments>(arguments)...);
    widget->setObjectName(QLatin1String(name));
    return widget;
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

} // namespace assay
