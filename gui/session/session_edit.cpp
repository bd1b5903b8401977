#include "gui/session/session_edit.h"

#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/tables/column_values.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace assay {
namespace {

std::string filterAsText(const ViewFilter& filter) {
    QJsonObject object;
    if (filter.className)
        object.insert(QStringLiteral("class"), QString::fromStdString(*filter.className));
    if (filter.groupName)
        object.insert(QStringLiteral("group"), QString::fromStdString(*filter.groupName));
    if (!filter.text.isEmpty())
        object.insert(QStringLiteral("text"), filter.text);
    if (filter.range)
        object.insert(QStringLiteral("range"),
                      QJsonObject{{QStringLiteral("column"), QString::fromStdString(filter.range->column)},
                                  {QStringLiteral("low"), filter.range->low},
                                  {QStringLiteral("high"), filter.range->high}});
    return object.isEmpty() ? std::string() : QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}

ViewFilter filterFromText(const std::string& text) {
    const QJsonObject object = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
    ViewFilter filter;
    if (const QJsonValue name = object.value(QStringLiteral("class")); name.isString())
        filter.className = name.toString().toStdString();
    if (const QJsonValue name = object.value(QStringLiteral("group")); name.isString())
        filter.groupName = name.toString().toStdString();
    filter.text = object.value(QStringLiteral("text")).toString();
    const QJsonObject range = object.value(QStringLiteral("range")).toObject();
    const std::string column = range.value(QStringLiteral("column")).toString().toStdString();
    if (findColumn(column) != nullptr || isExternal(column))
        filter.range = ViewFilter::Range{column, range.value(QStringLiteral("low")).toDouble(),
                                         range.value(QStringLiteral("high")).toDouble()};
    return filter;
}

} // namespace

Decisions decisionsOf(const EditState& edits) {
    Decisions decisions;
    decisions.model = edits.model;
    decisions.rules = edits.rules;
    decisions.rejectedByHand = *edits.rejectedByHand;
    decisions.accepted = *edits.accepted;
    decisions.unsure = *edits.unsure;
    decisions.tags = *edits.tags;
    decisions.tagNames = *edits.tagNames;
    decisions.notes = *edits.notes;
    decisions.external = *edits.external;
    decisions.sampleScores = *edits.sampleScores;
    decisions.selected = edits.selection->samples;
    decisions.focus = edits.selection->focus;
    decisions.filter = filterAsText(edits.filter);
    if (edits.filter.among)
        decisions.among = *edits.filter.among;
    return decisions;
}

EditState editsOf(const Decisions& decisions) {
    EditState edits;
    edits.model = decisions.model;
    edits.rules = decisions.rules;
    edits.rejectedByHand = std::make_shared<const SampleSet>(decisions.rejectedByHand);
    edits.accepted = std::make_shared<const SampleSet>(decisions.accepted);
    edits.unsure = std::make_shared<const SampleSet>(decisions.unsure);
    edits.tags = std::make_shared<const SampleTags>(decisions.tags);
    edits.tagNames = std::make_shared<const TagNames>(decisions.tagNames);
    edits.notes = std::make_shared<const SampleNotes>(decisions.notes);
    edits.external = std::make_shared<const ExternalScores>(decisions.external);
    edits.sampleScores = std::make_shared<const SampleScores>(decisions.sampleScores);
    edits.selection = std::make_shared<SelectionSnapshot>(SelectionSnapshot{decisions.selected, decisions.focus});
    edits.filter = filterFromText(decisions.filter);
    if (decisions.among)
        edits.filter.among = std::make_shared<const SampleSet>(*decisions.among);
    return edits;
}

} // namespace assay
