#include "engine/report/parts/html_writer.h"

#include "engine/base/find_by.h"
#include "engine/io/files/text_encoding.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace assay::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD

bool isLineOrTab(char32_t c) {
    return c == U'\t' || c == U'\n' || c == U'\r';
}

/// Whether HTML forbids the character (control characters, noncharacters), or it changes the text direction.
bool isUnwanted(char32_t c) {
    return isControl(c) || (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF);
}

/// Replaces the blank before a percent sign by a no-break space.
std::string unbrokenPercents(const std::string& text) {
    std::string unbroken;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool between = text[at] == ' ' && at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9' &&
                             at + 1 < text.size() && text[at + 1] == '%';
        unbroken += between ? std::string_view("\xC2\xA0") : std::string_view(&text[at], 1);
    }
    return unbroken;
}

struct CharacterReference {
    char character;
    std::string_view text;
};
constexpr std::array kCharacterReferences{CharacterReference{'&', "&amp;"}, CharacterReference{'<', "&lt;"},
                                          CharacterReference{'>', "&gt;"}, CharacterReference{'"', "&quot;"},
                                          CharacterReference{'\'', "&#39;"}};

} // namespace

std::string plainText(std::string_view bytes) {
    const std::string text = utf8OrEscaped(bytes);
    std::string plain;
    plain.reserve(text.size());
    forEachCodePoint(text, [&plain](char32_t code, std::string_view character) {
        if (isLineOrTab(code))
            plain += ' ';
        else if (isUnwanted(code))
            plain += kReplacement;
        else
            plain += character;
    });
    return plain;
}

std::string escapedHtml(std::string_view bytes) {
    std::string html;
    for (const char c : plainText(bytes)) {
        const CharacterReference* known = findBy(kCharacterReferences, &CharacterReference::character, c);
        html += known == nullptr ? std::string_view(&c, 1) : known->text;
    }
    return html;
}

std::string svgNumber(double value) {
    const double tenths = std::round(value * 10.0) / 10.0 + 0.0; // no "-0"
    std::string text = fmt::format("{:.1f}", tenths);
    text.resize(text.size() - (text.ends_with(".0") ? 2 : 0));
    return text;
}

void HtmlWriter::begin(std::string_view tag, Attributes attributes) {
    html_.append("<").append(tag);
    for (const Attribute& attribute : attributes)
        html_.append(" ").append(attribute.name).append("=\"").append(escapedHtml(attribute.value)).append("\"");
}

void HtmlWriter::open(std::string_view tag, Attributes attributes) {
    begin(tag, attributes);
    html_ += '>';
    open_.emplace_back(tag);
}

void HtmlWriter::close() {
    html_.append("</").append(open_.back()).append(">\n");
    open_.pop_back();
}

void HtmlWriter::leaf(std::string_view tag, std::string_view text, Attributes attributes) {
    begin(tag, attributes);
    const bool isProse = tag == "p" || tag == "figcaption";
    const std::string escaped = escapedHtml(text);
    html_.append(">").append(isProse ? unbrokenPercents(escaped) : escaped).append("</").append(tag).append(">");
}

void HtmlWriter::empty(std::string_view tag, Attributes attributes) {
    begin(tag, attributes);
    html_ += "/>";
}

namespace {

void writeCell(HtmlWriter& html, const TableCell& cell, TableColumn::Align align, bool isHeading) {
    const std::string style = align == TableColumn::Align::Right ? "number" : "words";
    const HtmlElement element = isHeading ? HtmlElement(html, "th", {{"scope", "row"}, {"class", style}})
                                          : HtmlElement(html, "td", {{"class", style}});
    html.text(cell.text);
    if (!cell.below.empty()) {
        html.text(" ");
        html.leaf("span", cell.below, {{"class", "below"}});
    }
}

} // namespace

void writeTable(HtmlWriter& html, const std::string& caption, const std::vector<TableColumn>& columns,
                const std::vector<std::vector<TableCell>>& rows) {
    const HtmlElement region(html, "div",
                             {{"class", "scroll"}, {"role", "region"}, {"tabindex", "0"}, {"aria-label", caption}});
    const HtmlElement table(html, "table");
    html.leaf("caption", caption);
    html.open("thead");
    html.open("tr");
    for (const TableColumn& column : columns)
        html.leaf("th", column.title,
                  {{"scope", "col"}, {"class", column.align == TableColumn::Align::Right ? "number" : "words"}});
    html.close();
    html.close();
    const HtmlElement body(html, "tbody");
    for (const std::vector<TableCell>& row : rows) {
        const HtmlElement line(html, "tr");
        for (std::size_t c = 0; c < row.size(); ++c)
            writeCell(html, row[c], columns[c].align, c == 0);
    }
}

} // namespace assay::report
