#pragma once

#include <QString>

#include <functional>
#include <map>
#include <vector>

namespace assay {

class Panel;
class PanelHost;
struct ViewState;

/// The columns of the window: the audited models, the views of samples, and the explanation of one sample.
enum class PanelColumn { Who, What, Why };

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

/// One panel of the window. A new panel is a class and a row here.
struct PanelRow {
    QString id{};    ///< in the saved layout; never changes
    QString title{}; ///< one word, on its tab; translated
    QString icon{};  ///< for icon()
    PanelPlace place{PanelColumn::What, 2, 0, 780, 370};
    /// Makes the panel. It sets its window title where its question changes.
    std::function<Panel*(PanelHost&)> make{};
    QString searchWords{}; ///< further ones, translated; may be empty
    QString question{};    ///< that it answers, at its top, translated; empty where the title says it
    QString key{};         ///< brings it to the front: "Alt+1"; empty for none
    /// Why it has nothing to say about an audit, as a sentence; empty where it has.
    std::function<QString(const ViewState&)> unavailableReason{};
    /// Whether it is open in the default layout; else in the workspaces that name it. All tabs have to be in sight.
    bool isOpenAtFirst = true;
};

/// Every panel of the program, in the order of the View menu.
std::vector<PanelRow> panelCatalog();

} // namespace assay
