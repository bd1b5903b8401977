// assay-score under mpirun once for each line of a file, all in one run of ranks: starting ranks takes longer than
// scoring a small case. A line holds the arguments, separated by tabs. Rank 0 writes how each case ended to standard
// output, and names each case on standard error before its messages.
#include "engine/cli/cluster_score.h"
#include "engine/cli/score_arguments.h"
#include "engine/cluster/communicator.h"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: cluster_cases FILE\n", stderr);
        return 2;
    }
    const assay::Interrupt interrupt;
    const assay::Communicator communicator;
    std::ifstream file(argv[1]);
    std::string line;
    for (int number = 0; std::getline(file, line); ++number) {
        std::vector<std::string> words{"assay-score"};
        std::istringstream cells(line);
        for (std::string word; std::getline(cells, word, '\t');)
            words.push_back(word);
        std::vector<char*> pointers;
        for (std::string& word : words)
            pointers.push_back(word.data());
        if (!assay::isSecondaryRank())
            std::fprintf(stderr, "case %d\n", number);
        int exitCode = 0;
        const auto arguments = assay::parseScoreArguments(static_cast<int>(pointers.size()), pointers.data(), exitCode);
        if (arguments)
            exitCode = assay::scoreTogether(communicator, *arguments, interrupt);
        if (!assay::isSecondaryRank())
            std::printf("case %d: exit code %d\n", number, exitCode);
    }
    return 0;
}
