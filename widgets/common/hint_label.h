#pragma once

class QLabel;
class QPushButton;
class QWidget;

namespace assay {

/// Makes a label what an empty view shows: what would be there, centred and muted.
void makeHint(QLabel* label);

/// The page of an empty view: its hint, and below it the button that brings what would be there. Takes both.
QWidget* makeHintPage(QLabel* hint, QPushButton* button, QWidget* parent);

} // namespace assay
