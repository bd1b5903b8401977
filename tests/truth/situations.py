#!/usr/bin/env python3
"""Situations with planted truth: does the program say the right thing, and nothing wrong?

usage: situations.py ASSAY_SCORE [-k NAME] [-v] [--seed N]        (needs NumPy; each situation takes about a second)

Every situation makes its data by itself, runs the program and holds sentences, findings and verdicts against what was planted.
Checks ask for meaning, not for wording: a share of verdicts, a name that has to be there, praise that must not be. A situation that
is answered rightly in another way than foreseen is a fault of this file.
"""

import argparse, json, os, re, subprocess, sys, tempfile
import numpy as np


class Answer:
    """What the program says about one model."""

    def __init__(self, out, m):
        self.out, self.m, self.s, self.f, self.x = out, m, m.get("summary") or "", m.get("findings") or [], m["metrics"]

    def praise(self):
        return self.s.lower().startswith("as good as real")

    def marks(self):
        return [f["id"] for f in self.f if f.get("marks_model") and f["id"] != "few_samples"]

    def text(self):
        return " ".join([self.s] + [f.get("sentence") or "" for f in self.f])

    def says(self, *words):
        return all(re.search(w, self.text(), re.I) for w in words)

    def leads(self, *words):
        return all(re.search(w, self.s, re.I) for w in words)

    def share(self, kind):
        return self.x.get("verdict_" + kind) or 0.0


class Program:
    def __init__(self, exe):
        self.exe, self.t = exe, tempfile.mkdtemp()

    def audit(self, real, syn, *args, held=None, labels=None, syn_labels=None, scale=None):
        """Answer on arrays (or paths of files) by assay-score, or the text of its refusal."""

        def put(name, x, y=None):
            if isinstance(x, str):
                return x
            p = f"{self.t}/{name}.npz"
            np.savez(p, embeddings=np.ascontiguousarray(x, "f4"), **({} if y is None else dict(labels=np.asarray(y))))
            return p

        a = [
            self.exe,
            "--real",
            put("real", real, labels),
            "--synthetic",
            "m=" + put("syn", syn, syn_labels),
            "--json",
            "-",
            "--quiet",
            *args,
        ]
        if held is not None:
            a += ["--held-out", put("held", held)]
        if scale:
            a += ["--scale", scale]
        r = subprocess.run(a, capture_output=True, text=True, timeout=300)
        if r.returncode:
            return r.stderr
        o = json.loads(r.stdout)
        return Answer(o, o["models"][0])

    def file(self, name, text):
        p = f"{self.t}/{name}"
        open(p, "w").write(text)
        return p


cases = []


def case(f):
    cases.append(f)
    return f


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def onehot(c, v):
    return np.concatenate([np.eye(v)[c[:, j]] for j in range(c.shape[1])], 1)


def refused(a):
    return isinstance(a, str)


@case
def repeated_training_rows(c, g):
    "the training set holds every row three times; the model copies it"
    b = g.normal(size=(260, 24))
    s = b[g.integers(0, 260, 400)] + 0.02 * g.normal(size=(400, 24))
    a = c.audit(np.tile(b, (3, 1)), s)
    return a.share("copy") > 0.95 and not a.praise(), a.s


@case
def repeated_training_rows_good(c, g):
    "the same, and a good model"
    b = g.normal(size=(260, 24))
    a = c.audit(np.tile(b, (3, 1)), g.normal(size=(400, 24)))
    return a.share("copy") < 0.02 and not a.marks(), a.s


@case
def near_duplicates_hide_copies(c, g):
    "5 % of the real rows are near repeats of others; a fifth of the model copies rows without repeats"
    r = g.normal(size=(1500, 16))
    r[:40] = r[40:80] + 0.02 * g.normal(size=(40, 16))
    s = g.normal(size=(1000, 16))
    s[:200] = r[500:700] + 0.02 * g.normal(size=(200, 16))
    a = c.audit(r, s)
    return 0.18 < a.share("copy") < 0.23, (a.share("copy"), a.s)


@case
def held_out_nearly_in_training(c, g):
    "the held-out rows are the training rows with a little noise; the model copies"
    r = g.normal(size=(600, 24))
    s = r[g.permutation(600)[:400]] + 0.03 * g.normal(size=(400, 24))
    h = r[g.permutation(600)[:200]] + 0.03 * g.normal(size=(200, 24))
    a = c.audit(r, s, held=h)
    return a.share("copy") > 0.95 and a.says("held-out"), a.s


@case
def real_and_held_out_swapped(c, g):
    "the model copies what was given as held-out"
    r, h = g.normal(size=(500, 24)), g.normal(size=(500, 24))
    a = c.audit(r, h[g.permutation(500)[:400]] + 0.02 * g.normal(size=(400, 24)), held=h)
    return not a.praise() and a.says("held-out"), a.s


@case
def few_held_out_rows(c, g):
    "12 % copies stay accused when 300 clean held-out rows are given"
    f = lambda n: unit(g.normal(size=(n, 128)) + 0.5)
    r = f(600)
    k = g.uniform(0.75, 0.95, 58)[:, None]
    src = r[g.integers(0, 600, 58)]
    o = g.normal(size=(58, 128))
    o = unit(o - (o * src).sum(1, keepdims=True) * src)
    a = c.audit(r, np.r_[k * src + np.sqrt(1 - k * k) * o, f(422)], held=f(300))
    return 0.1 < a.share("copy") < 0.15, (a.share("copy"), a.s)


@case
def pulled_to_the_mean(c, g):
    "a sampler that is drawn towards the mean (truncation, guidance) copies nothing"
    q = lambda n, p=1: p * g.normal(size=(n, 256)) / np.sqrt(np.arange(1, 257))
    a = c.audit(q(1500), q(1500, 0.6))
    return a.share("copy") < 0.02 and not a.praise() and not a.leads("cop"), a.s


@case
def ten_exact_copies(c, g):
    "ten of 1,000 samples equal training rows"
    r, s = g.normal(size=(1000, 16)), g.normal(size=(1000, 16))
    s[:10] = r[:10]
    a = c.audit(r, s)
    return a.says(r"\b10\b") and a.leads("cop|equal|repeat|same"), a.s


@case
def other_scale(c, g):
    "the model's features are 255 times as large"
    m = g.normal(size=(12, 12)) / 3.5
    f = lambda n: g.normal(size=(n, 12)) @ m + 3
    a = c.audit(f(500), 255 * f(500))
    return a.share("unrealistic") > 0.9 and a.says("scale|times as large|unit"), a.s


@case
def one_side_of_unit_length(c, g):
    "real features have length 1, the model's have not"
    f = lambda n: g.normal(size=(n, 64)) + 0.5
    a = c.audit(unit(f(500)), f(500))
    return a.says("length|normali|scale"), a.s


@case
def invented_third(c, g):
    "a third of the fingerprints belong to groups that do not exist"
    p = g.random((12, 512)) < 0.04
    q = g.random((8, 512)) < 0.04

    def f(n, b):
        x = b[g.integers(0, len(b), n)]
        return ((x ^ (g.random(x.shape) < 0.01))).astype("f4")

    a = c.audit(f(600, p), np.r_[f(400, p), f(200, q)])
    return not a.praise() and bool(a.marks()), (a.x["clipped_density"], a.s)


@case
def lost_minority_class(c, g):
    "a class of 0.5 % is never made"
    y = np.r_[np.ones(30, int), np.zeros(5970, int)]
    x = g.normal(size=(6000, 6)) + y[:, None] * 1.5
    a = c.audit(x, g.normal(size=(3000, 6)), labels=y, syn_labels=np.zeros(3000, int))
    return not a.praise() and a.leads("lack|miss|class"), a.s


@case
def two_of_five_classes_lost(c, g):
    "both are named"
    p = [0.45, 0.26, 0.2, 0.062, 0.028]
    m = g.normal(size=(5, 20)) * 2
    y = g.choice(5, 1400, p=p)
    z = g.choice(3, 1400, p=np.array(p[:3]) / sum(p[:3]))
    a = c.audit(m[y] + g.normal(size=(1400, 20)), m[z] + g.normal(size=(1400, 20)), labels=y, syn_labels=z)
    return a.says("2 of 5", r"\b3\b", r"\b4\b"), a.text()[:300]


@case
def classes_balanced_on_purpose(c, g):
    "each class is right, their shares are not"
    m = g.normal(size=(2, 6))
    y = (g.random(2000) < 0.04).astype(int)
    z = g.integers(0, 2, 2000)
    f = lambda t: m[t] * 2 + g.normal(size=(len(t), 6))
    a = c.audit(f(y), f(z), labels=y, syn_labels=z)
    return not re.search(r"\boff\b", a.s) and a.leads("class"), a.s


@case
def half_of_many_classes(c, g):
    "half of 800 identities are never made"
    m = g.normal(size=(800, 16)) * 2
    y = np.repeat(np.arange(800), 2)
    z = g.integers(0, 400, 1600)
    a = c.audit(
        m[y] + 0.5 * g.normal(size=(1600, 16)),
        m[z] + 0.5 * g.normal(size=(1600, 16)),
        labels=[f"id{i:03}" for i in y],
        syn_labels=[f"id{i:03}" for i in z],
    )
    return a.leads("class"), a.s


@case
def one_column_wrong(c, g):
    "every amount is the median"

    def t(n, wrong):
        a = np.exp(3 * g.normal(size=n))
        a[:] = np.where(wrong, 1.0, a)
        return "amount,age,height\n" + "\n".join(
            f"{x:.6g},{y:.2f},{z:.1f}" for x, y, z in zip(a, g.normal(40, 12, n), g.normal(170, 10, n))
        )

    a = c.audit(c.file("real.csv", t(1000, False)), c.file("syn.csv", t(1000, True)))
    return a.leads("amount"), a.s


@case
def rare_category_lost(c, g):
    "a category of 2 % is never made"

    def t(n, p):
        return "pay,x,y\n" + "\n".join(
            f"{k},{a:.4f},{b:.4f}"
            for k, a, b in zip(g.choice(["card", "cash", "voucher"], n, p=p), g.normal(size=n), g.normal(size=n))
        )

    a = c.audit(
        c.file("real.csv", t(2000, [0.6, 0.38, 0.02])), c.file("syn.csv", t(2000, [0.61, 0.39, 0])), "--one-hot"
    )
    return not a.praise() and a.leads("voucher|pay"), a.s


@case
def dead_features_awake(c, g):
    "five features are 0 in every real sample, and not in the model"
    f = lambda n: np.c_[g.normal(size=(n, 24)), np.zeros((n, 40))]
    s = f(500)
    s[:, 24:29] = np.abs(g.normal(size=(500, 5)))
    a = c.audit(f(500), s)
    return not a.says("categor") and a.says("constant|never|always 0"), a.s


@case
def whitened_few_rows(c, g):
    "150 rows of 200 features of one law, whitened"
    a = c.audit(g.normal(size=(150, 200)), g.normal(size=(150, 200)), scale="pca-whiten")
    return refused(a) or not a.marks(), a if refused(a) else a.s


@case
def few_pictures(c, g):
    "two sets of 60 textures of one law, without embeddings"

    def tex(n):
        f = np.fft.fftfreq(32)
        k = 1 / np.maximum(np.hypot(f[:, None], f[None]), 1 / 32)
        z = np.fft.ifft2(np.fft.fft2(g.normal(size=(n, 3, 32, 32))) * k).real
        z = (z - z.mean((2, 3), keepdims=True)) / z.std((2, 3), keepdims=True)
        return np.clip(128 + 40 * z, 0, 255).astype("u1").transpose(0, 2, 3, 1)

    for n in ("r", "s"):
        np.savez(f"{c.t}/{n}.npz", images=tex(60))
    a = c.audit(f"{c.t}/r.npz", f"{c.t}/s.npz")
    return not a.marks(), a.s


@case
def few_rows_many_features(c, g):
    "40 rows against 400 of 4,096 features of one law, eight times"
    n = 0
    for i in range(8):
        n += bool(c.audit(g.normal(size=(40, 4096)), g.normal(size=(400, 4096))).marks())
    return n == 0, f"{n} of 8 marked"


@case
def order_of_rows(c, g):
    "the same sets with their rows shuffled"
    r, s, h = g.normal(size=(700, 10)), g.normal(size=(700, 10)), g.normal(size=(300, 10))
    a = c.audit(r, s, held=h).x
    b = c.audit(r[g.permutation(700)], s[g.permutation(700)], held=h[g.permutation(300)]).x
    d = [k for k in a if isinstance(a[k], float) and abs(a[k] - b[k]) > 1e-6 * max(1, abs(a[k]))]
    return not d, d


@case
def one_mode_too_often(c, g):
    "one of ten modes has three times its share"
    m = g.normal(size=(10, 16)) * 4
    p = np.full(10, 0.7 / 9)
    p[3] = 0.3
    f = lambda n, q=None: m[g.choice(10, n, p=q)] + g.normal(size=(n, 16))
    a = c.audit(f(1000), f(1000, p))
    return not a.praise() and a.leads("too (often|many)|times|crowd|share"), a.s


@case
def garbage_lacks_no_groups(c, g):
    "a model far from everything is unrealistic, which says all"
    m = g.normal(size=(10, 16)) * 4
    a = c.audit(m[g.integers(0, 10, 1000)] + g.normal(size=(1000, 16)), 60 + 5 * g.normal(size=(1000, 16)))
    return a.share("unrealistic") > 0.9 and not a.leads("lack"), a.s


@case
def shifted_features(c, g):
    "every sample is displaced by half a deviation in three of ten features"
    s = g.normal(size=(2000, 10))
    s[:, :3] += 0.5
    a = c.audit(g.normal(size=(2000, 10)), s)
    return not a.praise() and a.leads("shift|feature|column|differ"), a.s


@case
def twenty_good_samples(c, g):
    "twelve audits of 20 good samples"
    n = 0
    for i in range(12):
        n += bool(c.audit(g.normal(size=(200, 8)), g.normal(size=(20, 8))).marks())
    return n <= 1, f"{n} of 12 marked"


@case
def good_models_of_many_kinds(c, g):
    "forty audits of one law: at most one is marked"
    m = g.normal(size=(8, 12)) * 3
    w = g.normal(size=(5, 64))
    laws = [
        lambda n: g.normal(size=(n, 4)),
        lambda n: m[g.integers(0, 8, n)] + g.normal(size=(n, 12)),
        lambda n: g.standard_t(3, size=(n, 10)),
        lambda n: np.tanh(g.normal(size=(n, 5)) @ w),
        lambda n: unit(g.normal(size=(n, 48)) + 0.3),
        lambda n: onehot(g.choice(5, (n, 6), p=[0.4, 0.3, 0.15, 0.1, 0.05]), 5),
        lambda n: np.c_[np.exp(g.normal(size=(n, 3))), onehot(g.integers(0, 3, (n, 2)), 3)],
        lambda n: g.poisson(2, (n, 10)),
    ]
    bad = []
    for i in range(40):
        f = laws[i % 8]
        n, k = [(500, 500), (800, 300), (300, 900), (1000, 1000), (150, 200)][i // 8]
        a = c.audit(f(n), f(k), held=f(n // 2) if i % 3 == 0 else None)
        if a.marks():
            bad.append((i % 8, n, k, a.s))
    return len(bad) <= 1, bad


@case
def deduplicated_table_good(c, g):
    "a good model of a table whose duplicates were removed"
    f = lambda n: onehot(g.integers(0, 4, (n, 5)), 4)
    r = np.unique(f(900), axis=0)
    a = c.audit(r[g.permutation(len(r))[:450]], f(500))
    return not a.marks() and a.share("copy") < 0.01, a.s


@case
def noise_is_not_crowded(c, g):
    "a model of nothing but noise, ten times as wide"
    a = c.audit(g.normal(size=(800, 16)), 10 * g.normal(size=(800, 16)))
    return a.share("unrealistic") > 0.95 and not a.leads("crowd"), a.s


@case
def crowd_where_nothing_is(c, g):
    "30 % of the model in a place without real data, no farther from it than real samples are from each other: invented"
    m = g.normal(size=(6, 10)) * 6
    f = lambda n: m[g.integers(0, 6, n)] + g.normal(size=(n, 10))
    s = f(1000)
    s[:300] = (m[0] + m[1]) / 2 + 0.5 * g.normal(size=(300, 10))
    a = c.audit(f(1000), s)
    return (
        a.share("rejected") > 0.27 and not a.leads("crowd into regions with little") and a.leads("invent|unrealistic"),
        a.s,
    )


@case
def middle_of_the_modes(c, g):
    "a model that varies a third as much around each mode is not unrealistic"
    m = g.normal(size=(6, 10)) * 5
    f = lambda n, w=1: m[g.integers(0, 6, n)] + w * g.normal(size=(n, 10))
    a = c.audit(f(1000), f(1000, 0.35))
    return a.share("unrealistic") < 0.02 and a.share("copy") < 0.02 and not a.leads("little real|no real"), a.s


@case
def five_percent_far(c, g):
    "25 of 500 samples are far from everything"
    s = g.normal(size=(500, 16))
    s[:25] = 6 * g.normal(size=(25, 16))
    a = c.audit(g.normal(size=(500, 16)), s)
    return not a.praise() and 0.04 < a.share("rejected") < 0.07, (a.share("rejected"), a.s)


@case
def small_good_sets_are_useful(c, g):
    "50 good rows against 1,000 real ones with labels, six times"
    n = 0
    for i in range(6):
        w = g.normal(size=8)
        f = lambda k: g.normal(size=(k, 8))
        y = lambda x: ((x @ w + 0.8 * g.normal(size=len(x))) > 0).astype(int)
        r, s = f(1000), f(50)
        a = c.audit(r, s, labels=y(r), syn_labels=y(s))
        n += "useless" in a.marks() or a.leads("classifier")
    return n <= 1, f"{n} of 6"


@case
def few_held_out_rows_good(c, g):
    "a good model, 1,000 real and 50 held-out rows, ten times"
    n = 0
    for i in range(10):
        a = c.audit(g.normal(size=(1000, 12)), g.normal(size=(600, 12)), held=g.normal(size=(50, 12)))
        n += any(f["id"] == "leaks" for f in a.f)
    return n <= 1, f"{n} of 10"


@case
def thirty_rows_of_ten_modes_good(c, g):
    "ten audits: few miss anything"
    n = 0
    m = g.normal(size=(10, 16)) * 3
    f = lambda k: m[g.integers(0, 10, k)] + g.normal(size=(k, 16))
    for i in range(10):
        n += any(x["id"] == "missed" for x in c.audit(f(30), f(30)).f)
    return n <= 1, f"{n} of 10"


@case
def slices_without_groups_are_asked_about(c, g):
    "20 slices a patient, nobody said so"

    def f(p):
        m = g.normal(size=(p, 16))
        y = np.repeat(np.arange(p), 20)
        return m[y] + 0.2 * g.normal(size=(len(y), 16))

    a = c.audit(f(40), f(40))
    t = a.text() + json.dumps(a.out)
    return bool(re.search("group", t, re.I)), a.s


@case
def two_models_of_one_law(c, g):
    "twelve comparisons of two good models: few metrics differ"
    n = k = 0
    for i in range(12):
        for q in ("a", "b"):
            np.savez(f"{c.t}/{q}.npz", embeddings=g.normal(size=(400, 12)).astype("f4"))
        np.savez(f"{c.t}/r.npz", embeddings=g.normal(size=(400, 12)).astype("f4"))
        o = json.loads(
            subprocess.check_output(
                [
                    c.exe,
                    "--real",
                    f"{c.t}/r.npz",
                    "--synthetic",
                    f"a={c.t}/a.npz",
                    "--synthetic",
                    f"b={c.t}/b.npz",
                    "--json",
                    "-",
                    "--quiet",
                ]
            )
        )
        for name, v in o["comparisons"][0]["metrics"].items():
            if isinstance(v, dict) and v.get("low") is not None:
                k += 1
                n += not v["low"] <= 0 <= v["high"]
    return k and n / k < 0.08, f"{n} of {k} differences"


def main(mine):
    p = argparse.ArgumentParser()
    p.add_argument("exe")
    p.add_argument("-k")
    p.add_argument("-v", action="store_true")
    p.add_argument("--seed", type=int, default=7)
    o = p.parse_args()
    c = Program(o.exe)
    wrong = []
    mine = [f for f in mine if not o.k or re.search(o.k, f.__name__)]
    for f in mine:
        try:
            ok, seen = f(c, np.random.default_rng(o.seed))
        except Exception as e:
            ok, seen = False, f"{type(e).__name__}: {e}"
        if not ok:
            wrong.append(f.__name__)
        if o.v or not ok:
            print(f"{'ok  ' if ok else 'FAIL'} {f.__name__}: {f.__doc__}\n       {str(seen)[:400].strip()}", flush=True)
    print(f"{len(mine) - len(wrong)} of {len(mine)} situations right")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main(cases)
