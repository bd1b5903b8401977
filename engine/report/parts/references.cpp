#include "engine/report/parts/references.h"

#include <array>

namespace assay::report {
namespace {

constexpr std::array kReferences{
    Reference{"Salvy, Talbot, Thirion, ICLR 2026",
              "Enhanced Generative Model Evaluation with Clipped Density and Coverage",
              "https://arxiv.org/abs/2507.01761"},
    Reference{"Alaa et al., ICML 2022",
              "How Faithful is your Synthetic Data? Sample-level Metrics for Evaluating and Auditing Generative Models",
              "https://arxiv.org/abs/2102.08921"},
    Reference{"Fox, Swarup, Adiga, AAAI 2025",
              "A Unifying Information-theoretic Perspective on Evaluating Generative Models",
              "https://arxiv.org/abs/2412.14340"},
    Reference{"Kynkäänniemi et al., NeurIPS 2019",
              "Improved Precision and Recall Metric for Assessing Generative Models",
              "https://arxiv.org/abs/1904.06991"},
    Reference{"Naeem et al., ICML 2020", "Reliable Fidelity and Diversity Metrics for Generative Models",
              "https://arxiv.org/abs/2002.09797"},
    Reference{"Meehan, Chaudhuri, Dasgupta, AISTATS 2020",
              "A Non-Parametric Test to Detect Data-Copying in Generative Models", "https://arxiv.org/abs/2004.05675"},
    Reference{"Jiralerspong et al., NeurIPS 2023",
              "Feature Likelihood Divergence: Evaluating the Generalization of Generative Models Using Samples",
              "https://arxiv.org/abs/2302.04440"},
    Reference{"Chen, Yu, Zhang, Fritz, CCS 2020",
              "GAN-Leaks: A Taxonomy of Membership Inference Attacks against Generative Models",
              "https://arxiv.org/abs/1909.03935"},
    Reference{"Heusel et al., NeurIPS 2017",
              "GANs Trained by a Two Time-Scale Update Rule Converge to a Local Nash Equilibrium",
              "https://arxiv.org/abs/1706.08500"},
    Reference{"Chong, Forsyth, CVPR 2020", "Effectively Unbiased FID and Inception Score and Where to Find Them",
              "https://arxiv.org/abs/1911.07023"},
    Reference{"Jayasumana et al., CVPR 2024", "Rethinking FID: Towards a Better Evaluation Metric for Image Generation",
              "https://arxiv.org/abs/2401.09603"},
    Reference{"Chung et al., 2025",
              "KAD: No More FAD! An Effective and Efficient Evaluation Metric for Audio "
              "Generation",
              "https://arxiv.org/abs/2502.15602"},
    Reference{"Berthet et al., 2026", "MIND: Monge Inception Distance for Generative Models Evaluation",
              "https://arxiv.org/abs/2605.06797"},
    Reference{"Koh, Liang, ICML 2017", "Understanding Black-box Predictions via Influence Functions",
              "https://arxiv.org/abs/1703.04730"},
    Reference{"Bińkowski et al., ICLR 2018", "Demystifying MMD GANs", "https://arxiv.org/abs/1801.01401"},
    Reference{"Friedman, Dieng, TMLR 2023", "The Vendi Score: A Diversity Evaluation Metric for Machine Learning",
              "https://arxiv.org/abs/2210.02410"},
    Reference{"Khayatkhoei, AbdAlmageed, ICML 2023",
              "Emergent Asymmetry of Precision and Recall for Measuring Fidelity and Diversity of Generative Models in "
              "High Dimensions",
              "https://arxiv.org/abs/2306.09618"},
    Reference{"Park, Kim, ICCV 2023",
              "Probabilistic Precision and Recall Towards Reliable Evaluation of Generative Models",
              "https://arxiv.org/abs/2309.01590"},
    Reference{"Cheema, Urner, AISTATS 2023", "Precision Recall Cover: A Method For Assessing Generative Models",
              "https://proceedings.mlr.press/v206/cheema23a.html"},
    Reference{"Han et al., ICLR 2023", "Rarity Score: A New Metric to Evaluate the Uncommonness of Synthesized Images",
              "https://arxiv.org/abs/2206.08549"},
    Reference{"Kim, Jang, Kim, Yoo, NeurIPS 2023",
              "TopP&R: Robust Support Estimation Approach for Evaluating Fidelity and Diversity in Generative Models",
              "https://arxiv.org/abs/2306.08013"},
    Reference{"Lopez-Paz, Oquab, ICLR 2017", "Revisiting Classifier Two-Sample Tests",
              "https://arxiv.org/abs/1610.06545"},
    Reference{"Levina, Bickel, NeurIPS 2004", "Maximum Likelihood Estimation of Intrinsic Dimension",
              "https://papers.nips.cc/paper/2004/hash/74934548253bcab8490ebd74afed7031-Abstract.html"},
    Reference{"Facco et al., Scientific Reports 2017",
              "Estimating the intrinsic dimension of datasets by a minimal neighborhood information",
              "https://doi.org/10.1038/s41598-017-11873-y"},
    Reference{"Bates, Candès, Lei, Romano, Sesia, Annals of Statistics 2023",
              "Testing for Outliers with Conformal p-values", "https://arxiv.org/abs/2104.08279"},
    Reference{"Storey, JRSS B 2002", "A direct approach to false discovery rates",
              "https://doi.org/10.1111/1467-9868.00346"},
    Reference{"Benjamini, Hochberg, JRSS B 1995",
              "Controlling the False Discovery Rate: A Practical and Powerful Approach to Multiple Testing",
              "https://doi.org/10.1111/j.2517-6161.1995.tb02031.x"},
};

} // namespace

std::span<const Reference> references() {
    return kReferences;
}

} // namespace assay::report
