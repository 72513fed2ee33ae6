"""The cases of CORE (CEQL)."""
from ceql import Parser, Translator, least
from emit import Untranslatable, declaration

TYPES = {"int": "i64", "double": "f64", "string": "&'static str", "bool": "bool"}

# What language.md refuses, with a part of the message.
REFUSED = {
    "pycer/unknown-type": "`Q`",
    "pycer/unknown-attribute": "no attribute `zz`",
    "pycer/select-unknown": "`zz` is no variable",
    "pycer/syntax-garbage-clause": "`GARBAGE`",
    "pycer/within-attr-0": "holds no event",
    "cpp/limit/evaluation-on-the-example-stream-of-the-papers-with-limit-0": "limit 0",
}
UNTRANSLATABLE = {
    "pycer/unknown-stream": "the stream's name is the user's type, which rustc resolves; in a vector it is always `E`",
    "pycer/div-by-zero": "the filter divides by zero: here it panics, which no expectation of the format can say",
}
NOTES = {
    "pycer/string-quote-escape": "CORE does not read `''` in a string as one quote, as its answer shows",
    "pycer/within-minute-and-seconds": "of `1 MINUTE 30 SECONDS` CORE takes the last amount only, as its answer shows: 30 s",
}


def together(*groups):
    """Results that end at one event: (start, end, positions)."""
    return [{"start": s, "end": e, "positions": p} for g in groups for s, e, p in g]


def subsets(positions):
    """Every non-empty subset, as results."""
    n = len(positions)
    sets = [[p for i, p in enumerate(positions) if mask >> i & 1] for mask in range(1, 1 << n)]
    return [(s[0], s[-1], s) for s in sets]


# `LIMIT n` lists what the engine happened to take; these are all the candidates.
CANDIDATES = {
    "cpp/limit/evaluation-on-the-example-stream-of-the-papers-with-limit-1": together(
        [(s, 4, [s, 2, 4]) for s in (0, 1)], [(s, 6, [s, m, 6]) for s in (0, 1) for m in (2, 5)]),
    "pycer/limit-1": together([(s, e, [s, e]) for e in (2, 3) for s in (0, 1)]),
    "pycer/limit-2": None,
    "pycer/limit-kleene": together(subsets([0, 1, 2, 3])),
}


def candidates(case):
    found = CANDIDATES[case["name"]]
    if found is None:
        # `A ; B`: every A before every B
        at = {t: [i for i, e in enumerate(case["events"]) if e["type"] == t] for t in "AB"}
        found = together([(a, b, [a, b]) for b in at["B"] for a in at["A"] if a < b])
    return found


def types_of(case, query):
    """(stream, type) -> (name here, {attribute: Rust type}). Attributes that no event has are left out."""
    streams = case["schema"]
    several = len(streams) > 1
    given = {}
    for e in case["events"]:
        given.setdefault((e.get("stream") or next(iter(streams)), e["type"]), []).append(e["attrs"])
    found = {}
    for stream, types in streams.items():
        for name, attributes in types.items():
            events = given.get((stream, name), [])
            kept = {}
            for attribute, ty in attributes.items():
                have = sum(attribute in e and e[attribute] is not None for e in events)
                if ty not in TYPES or (events and not have):
                    continue
                kept[attribute] = TYPES[ty] if have == len(events) else f"Option<{TYPES[ty]}>"
            found[(stream, name)] = (f"{stream}_{name}" if several else name, kept)
    return found


def result(r, case, query):
    """Start and end as positions here: under a window in time CORE gives times, and of the events of a stream that is not
    listened to it counts none."""
    listened = all(e.get("stream", query["from"][0]) in query["from"] for e in case["events"])
    if query["within"] and query["within"][0] != "events" or not listened:
        assert query["select"] == "*" and "not" not in str(query["formula"])
        return {"start": min(r["positions"]), "end": r["completed_by"], "positions": r["positions"]}
    assert r["end"] == r["completed_by"], case["name"]
    return {k: r[k] for k in ("start", "end", "positions")}


def translate(case):
    name = case["name"]
    if name in UNTRANSLATABLE:
        raise Untranslatable(UNTRANSLATABLE[name])
    query = Parser(case["query"]).query()
    if query["rest"] and name not in REFUSED:
        raise Untranslatable(f"cannot read {' '.join(query['rest'])}")
    types = types_of(case, query)
    n = len(case["events"])
    t = Translator(query, types)
    text = t.pattern()
    bound = " ".join(query["rest"])
    clock = None
    window = query["within"]
    if window is None:
        clauses = [f"within {n} events"]
    elif window[0] == "events":
        clauses = [f"within {window[1] + 1} events"]
    elif window[0] == "attribute":
        # CORE's bound on an attribute is exclusive.
        amount = str(window[1] - 1)
        if window[1] == 1:
            amount = "0.5"
            for here, attributes in types.values():
                attributes[window[2]] = "f64"
        if window[1] == 0:
            amount = "0"
        clauses = [f"within {amount} of {window[2]}"]
    else:
        amounts = window[1][-1:]
        clauses = ["within " + " ".join(f"{a} {u}" for a, u in amounts)]
        clock = ("time", "ns")
        for here, attributes in types.values():
            assert "time" not in attributes
            attributes["time"] = "i64"
    if query["partition"]:
        clauses.append("partition by " + ", ".join(query["partition"]))
    if query["strategy"]:
        clauses.append(f"strategy {'all' if query['strategy'] == 'any' else query['strategy']}")
    if query["consume"]:
        clauses.append(f"consume {query['consume']}")
    if query["limit"] is not None:
        clauses.append(f"limit {query['limit']}")
    if window and window[0] != "events":
        clauses.append(f"capacity {n} events")
    if window and window[0] == "events" and window[1] >= 1000:
        # A ring of so many events can be more than a machine holds inline.
        clauses.append("storage boxed")
    if query["rest"]:
        clauses.append(bound)
    if selected := t.selected():
        clauses.append(selected)
    stream = next(iter(case["schema"]))
    events = []
    for e in case["events"]:
        here = types[(e.get("stream", stream), e["type"])][0]
        attributes = dict(e["attrs"])
        if clock:
            attributes["time"] = e["time"]
        events.append({"type": here, **attributes})
    vector = {"name": f"core/{name}", "source": f"{name}; {case['source']}"}
    vector["events_decl"] = declaration({here: attributes for here, attributes in types.values()}, clock)
    vector["pattern"] = f"pattern P on E = {text} {' '.join(clauses)};"
    vector["events"] = events
    if name in REFUSED:
        vector["expected"] = {"error": REFUSED[name]}
    elif query["limit"] is not None:
        vector["expected"] = candidates(case)
        vector["compare"] = f"subset:{query['limit']}"
        listed = {tuple(r["positions"]) for r in case["expected"]}
        assert listed <= {tuple(r["positions"]) for r in vector["expected"]}, name
    else:
        vector["expected"] = [result(r, case, query) for r in case["expected"]]
        if isinstance(query["select"], list):
            names = [x for s in query["select"] for x in t.copies.get(s) or t.named((None, s))]
            if len(names) == 1:
                for r in vector["expected"]:
                    r["vars"] = {names[0]: r["positions"]}
        if name == "pycer/as-two-alternatives-same-type":
            # "listed once per distinct variable marking"
            for r, x in zip(vector["expected"], "xy"):
                r["vars"] = {x: r["positions"]}
    needed = least(query["formula"])
    if window is None or window[0] == "events":
        size = n if window is None else window[1] + 1
        if needed > size and name not in REFUSED:
            vector["expected"] = {"error": "can match nothing"}
            vector.pop("compare", None)
    if name in NOTES:
        vector["note"] = NOTES[name]
    return vector
