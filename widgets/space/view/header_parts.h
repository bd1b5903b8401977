#pragma once

#include "widgets/common/eliding_combo_box.h"

#include <QToolButton>

namespace assay::space {

/// A combo box of the header that gives way where there is little room.
/// @param letters that it shows at least
inline QComboBox* makeChoice(QWidget* parent, const QString& name, int letters) {
    auto* choice = new ElidingComboBox(parent);
    choice->setObjectName(name);
    choice->setMinimumContentsLength(letters);
    choice->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    choice->setMaximumWidth(240);
    choice->setMaxVisibleItems(20);
    return choice;
}

inline void addChoice(QComboBox* choice, const QString& text, const QVariant& data, const QString& tip) {
    choice->addItem(text, data);
    choice->setItemData(choice->count() - 1, tip, Qt::ToolTipRole);
}

/// One of several buttons of which one is down.
inline QToolButton* makeToggle(QWidget* parent, const QString& name, const QString& tip) {
    auto* button = new QToolButton(parent);
    button->setObjectName(name);
    button->setToolTip(tip);
    button->setCheckable(true);
    button->setAutoExclusive(true);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

} // namespace assay::space
