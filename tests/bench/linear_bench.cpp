// Dense linear algebra in double precision: eigenvalues, singular values, factors and products.
#include "engine/math/linear/lapack.h"
#include "engine/math/products/dense_product.h"
#include "tests/bench/bench_data.h"
#include "tests/bench/bench_options.h"

#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

using namespace assay;
using namespace assay::bench;

namespace {

DoubleMatrix normalMatrix(std::size_t rows, std::size_t columns) {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    DoubleMatrix matrix(rows, columns);
    for (double& value : matrix.values)
        value = normal(random);
    return matrix;
}

void measure(const std::string& name, std::size_t runs, const std::function<void()>& work) {
    std::vector<double> ms;
    for (std::size_t run = 0; run < runs; ++run)
        ms.push_back(1000.0 * secondsOf(work));
    std::printf("| %s | %.0f |\n", name.c_str(), median(ms));
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    std::vector<std::size_t> sizes{1024, 2048};
    std::size_t runs = 5;
    unsigned threads = 0;
    BenchOptions app("Dense linear algebra in double precision");
    app.add("-n", sizes, "Sizes of the square matrices");
    app.add("--runs", runs, "Runs, of which the median is printed");
    app.add("--threads", threads, "Worker threads; 0 for every core");
    if (!app.parse(argc, argv))
        return app.exitCode();
    std::printf("| work | median ms |\n|---|---|\n");
    for (const std::size_t n : sizes) {
        const std::string size = ", " + std::to_string(n);
        const DoubleMatrix square = normalMatrix(n, n);
        const DoubleMatrix tall = normalMatrix(2 * n, n);
        const std::vector<float> floats(tall.values.begin(), tall.values.end());
        const MatrixView set{floats.data(), tall.rows, tall.columns};
        const std::vector<double> origin(n, 0.0);
        const DoubleMatrix gram = gramOf(columnsOf(set, origin), threads);
        measure("eigenvalues" + size, runs, [&] { symmetricEigenvalues(gram); });
        measure("singular values" + size, runs, [&] { singularValueSum(square); });
        measure("pivoted Cholesky" + size, runs, [&] { factorOf(gram); });
        measure("product" + size, runs, [&] { productOf(rowsOf(square), rowsOf(square), threads); });
        measure("Gram matrix of " + std::to_string(2 * n) + " rows" + size, runs,
                [&] { gramOf(columnsOf(set, origin), threads); });
    }
    return 0;
}
