#pragma once

#include <QString>

#include <functional>
#include <map>
#include <vector>

namespace assay {

class AuditSession;
class Commands;
class LinkedView;
class Review;
class SampleSelection;
class ThumbnailCache;
struct ViewState;

/// The columns of the window: the audited models, the views of samples, and the explanation of one sample.
enum class PanelColumn { Who, What, Why };

/// Objects that a panel is made with; they outlive the panel.
struct PanelContext {
    AuditSession* session;
    SampleSelection* selection;
    ThumbnailCache* pictures;
    Commands* commands;
    Review* review;
    /// Brings another panel to the front, by its id.
    std::function<void(const QString& id)> showPanel;
};

/// Where a panel stands in the default layout: rows from the top of its column, slots from the left of a row. Panels
/// of the same place become tabs, the first of them in front.
struct PanelPlace {
    PanelColumn column;
    int row = 0;
    int slot = 0;
    int width = 300;  ///< share of the row, in pixels of a 1440 x 900 window
    int height = 300; ///< share of the column
};

/// Places by the ids of panels.
using PanelPlaces = std::map<QString, PanelPlace>;

/// One panel of the window. A new chart is one view and one row here.
struct Panel {
    QString id;    ///< in the saved layout; never changes
    QString title; ///< one word, on its tab; translated
    QString icon;  ///< for icon()
    PanelPlace place;
    /// Makes the view and connects what it wants to the session. State is fed to it by whoever calls this, who also
    /// takes its window title, where it sets one, for the question.
    std::function<LinkedView*(const PanelContext&)> make;
    /// Further search words, translated; may be empty.
    QString searchWords{};
    QString question{}; ///< that it answers, at its top, translated; empty where the title says it
    /// Why it has nothing to say about an audit, as a sentence; empty where it has.
    std::function<QString(const ViewState&)> nothingToSay{};
    /// Whether it is open in the default layout; else in the workspaces that name it. All tabs have to be in sight.
    bool isOpenAtFirst = true;
};

/// Every panel of the program, in the order of the View menu.
std::vector<Panel> panelCatalog();

} // namespace assay
