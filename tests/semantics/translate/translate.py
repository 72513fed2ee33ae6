#!/usr/bin/env python3
"""Translates the foreign cases into vectors and counts what became of each.

usage: translate.py DIRECTORY, which holds the `*-cases.jsonl` files of core, rma, agse and predicate-window.
Writes `core.jsonl`, `core-strategy.jsonl`, `rma.jsonl`, `trades.jsonl`, `agse.jsonl`, `predicate.jsonl` and `TABLE.md` beside this
directory.
"""
import json
import pathlib
import sys

import agse
import core
import predicate
import rma
from emit import Recount

HERE = pathlib.Path(__file__).resolve().parent.parent


def read(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    directory = pathlib.Path(sys.argv[1])
    of_core, of_rma, of_trades = (Recount(t) for t in ("core-cases.jsonl", "rma-cases.jsonl", "rma-cases.jsonl, dataset"))
    for case in read(directory / "core-cases.jsonl"):
        of_core.take(case, core.translate, "a selection strategy" if "strategy" in case["tags"] else None)
    for case in read(directory / "rma-cases.jsonl"):
        if isinstance(case["events"], str):
            of_trades.take(case, rma.trades, "a day of trades, which is not in the repository")
        else:
            of_rma.take(case, rma.translate)
    of_agse, of_predicate = (Recount(t) for t in ("agse-cases.jsonl", "predicate-window-cases.jsonl"))
    for case in read(directory / "agse-cases.jsonl"):
        of_agse.take(case, agse.translate)
    for case in read(directory / "predicate-window-cases.jsonl"):
        of_predicate.take(case, predicate.translate)
    of_agse.write(HERE / "agse.jsonl", [*of_agse.vectors, agse.refused()])
    of_predicate.write(HERE / "predicate.jsonl")
    of_core.write(HERE / "core.jsonl")
    of_core.write(HERE / "core-strategy.jsonl", [v for _, _, v in of_core.waiting])
    of_rma.write(HERE / "rma.jsonl")
    of_trades.write(HERE / "trades.jsonl", [v for _, _, v in of_trades.waiting])
    text = table([of_core, of_rma, of_trades, of_agse, of_predicate])
    (HERE / "TABLE.md").write_text(text, encoding="utf-8")
    print(text.split("\n## ")[0].split("\n\n", 2)[2])


def table(files):
    out = ["# Foreign cases and what became of them", "",
           "Written by `translate/translate.py`; `README.md` says what each column means.", "",
           "| file | cases | translated | of these `error` | untranslatable | waiting |", "| --- | ---: | ---: | ---: | ---: | ---: |"]
    for f in files:
        out.append(f"| {f.title} | {f.total} | {len(f.vectors)} | {f.errors()} | {len(f.reasons)} | {len(f.waiting)} |")
    out += ["", "## Untranslatable", "", "| case | why |", "| --- | --- |"]
    for f in files:
        out += [f"| `{name}` | {why} |" for name, why in f.reasons]
    out += ["", "## Waiting", "", "Translated into files of their own, and not counted as translated.", "",
            "| cases | file | for |", "| --- | --- | --- |"]
    for f, path in zip(files, ("core-strategy.jsonl", "", "trades.jsonl", "", "")):
        for why in dict.fromkeys(w for _, w, _ in f.waiting):
            names = ", ".join(f"`{n}`" for n, w, _ in f.waiting if w == why)
            out.append(f"| {names} | `{path}` | {why} |")
    out += ["", "## Refused by the language", "", "Vectors whose expectation is an `error`.", "", "| vector | part of the message |",
            "| --- | --- |"]
    for f in files:
        out += [f"| `{v['name']}` | {v['expected']['error']} |" for v in f.vectors
                if isinstance(v["expected"], dict) and "error" in v["expected"]]
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    main()
