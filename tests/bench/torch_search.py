#!/usr/bin/env python3
"""The four neighbour searches of an audit by PyTorch's cdist and topk, to set beside bench_cuda on the same card.

usage: torch_search.py [--rows N] [--dim D] [--neighbors K] [--chunk ROWS] [--repeat R] [--tf32]

Data start in host memory, as they do for bench_cuda; queries go in chunks, because cdist writes all distances of a chunk.
Single precision, which does not give the exact lists that Assay gives. Prints Markdown.
"""
import argparse
import statistics
import time

import torch


def search(base: torch.Tensor, queries: torch.Tensor, k: int, chunk: int, same: bool):
    """The k nearest rows of base for each query; of the set itself: without the query."""
    indices, distances = [], []
    for first in range(0, queries.shape[0], chunk):
        part = queries[first : first + chunk]
        found = torch.cdist(part, base)
        if same:
            rows = torch.arange(part.shape[0], device=part.device)
            found[rows, rows + first] = float("inf")
        nearest = torch.topk(found, k, dim=1, largest=False)
        indices.append(nearest.indices.cpu())
        distances.append(nearest.values.cpu())
    return torch.cat(indices), torch.cat(distances)


def audit(real: torch.Tensor, synthetic: torch.Tensor, k: int, chunk: int, device: str) -> float:
    start = time.perf_counter()
    a, b = real.to(device), synthetic.to(device)
    search(a, a, k, chunk, True)
    search(b, b, k, chunk, True)
    search(b, a, k, chunk, False)
    search(a, b, k, chunk, False)
    torch.cuda.synchronize()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=50000)
    parser.add_argument("--dim", type=int, default=1024)
    parser.add_argument("--neighbors", type=int, default=32)
    parser.add_argument("--chunk", type=int, default=8192)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--tf32", action="store_true", help="let products of single precision use TF32")
    options = parser.parse_args()
    if not torch.cuda.is_available():
        print("SKIPPED: PyTorch sees no graphics card")
        return
    torch.backends.cuda.matmul.allow_tf32 = options.tf32
    generator = torch.Generator().manual_seed(1)
    real = torch.randn(options.rows, options.dim, generator=generator)
    synthetic = torch.randn(options.rows, options.dim, generator=generator)
    audit(real, synthetic, options.neighbors, options.chunk, "cuda")
    seconds = [audit(real, synthetic, options.neighbors, options.chunk, "cuda") for _ in range(options.repeat)]
    products = "TF32" if options.tf32 else "fp32"
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, cdist + topk, {products}, four searches of "
          f"{options.rows} x {options.rows} x {options.dim}, k = {options.neighbors}, from host memory:\n")
    print("| run | seconds |\n|---|---:|")
    print(f"| median of {options.repeat} | {statistics.median(seconds):.4f} |\n| fastest | {min(seconds):.4f} |")


if __name__ == "__main__":
    main()
