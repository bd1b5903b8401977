// Prints the glossary as Markdown: the target `glossary` writes docs/glossary.md.
#include "engine/report/glossary/glossary.h"

#include <iostream>

int main() {
    std::cout << assay::glossaryPage();
}
