"""The cases of AGSE (RetractorDB)."""
from fractions import Fraction

from emit import Untranslatable

TYPES = {"BYTE": "u8", "INTEGER": "i32", "UINT": "u32", "FLOAT": "f32", "DOUBLE": "f64"}
# a numeric order of the element types that occur
WIDTH = ["u8", "i32", "u32", "f32", "f64"]
# NULLs are skipped there
FOLDS = {"sum": "sum_some", "avg": "avg_some", "max": "max_some", "min": "min_some"}
ERRORS = {"reject-k0": "hop", "reject-w0": "must not be zero"}
UNTRANSLATABLE = {
    "string-and-int": "text mixed with numbers is a compile error here: see `agse/string-and-int-refused`",
}


def fraction(text):
    f = Fraction(text)
    return str(f.numerator) if f.denominator == 1 else f"{f.numerator}/{f.denominator}"


def nullable(case, at):
    return any(r[at] is None for r in case["input"]["records"])


def column(case, at, field):
    """The attribute of a field: Rust type, and the model's description of it."""
    name, length = field["name"], field.get("len", 1)
    if field["type"] == "STRING":
        return f"cep::Text<{length}>", {"name": name, "ty": "Text"}
    ty = TYPES[field["type"]]
    described = {"name": name, "ty": ty}
    if "len" in field:
        described["len"] = length
        return f"[{ty}; {length}]", described
    if nullable(case, at):
        described["nullable"] = True
        return f"Option<{ty}>", described
    return ty, described


def element_type(case, columns):
    """The type of an output's elements, as Rust spells it."""
    if columns[0][1]["ty"] == "Text":
        return columns[0][0]
    ty = max((d["ty"] for _, d in columns), key=WIDTH.index)
    return f"Option<{ty}>" if any(d.get("nullable") for _, d in columns) else ty


def windows(pipeline, head, source=""):
    """The items of a pipeline, the model's operations, and the folds of the last one."""
    items, model, folds, before, on, taken = [], [], [], "", f"E::R{head}", source
    for op in pipeline:
        match op["op"]:
            case "agse":
                if items:
                    on, taken = f"W{len(items) - 1}", f"({folds[0]})" if folds else "(values)"
                items.append([on, f"agse{taken}{before} @ ({op['k']}, {op['w']})", ""])
                before, folds = "", []
                model.append({"op": "agse", "k": op["k"], "w": op["w"]})
            case "shift":
                model.append({"op": "shift", "n": op["n"]})
                before = f" delay {op['n']}"
            case "project":
                # the newest element of a window that lists it first
                assert op["cols"] == [0]
                folds = ["newest"]
                items[-1][2] = " agg { newest: last }"
                model.append({"op": "agg", "folds": ["last"]})
            case fold:
                folds = [fold]
                items[-1][2] = f" agg {{ {fold}: {FOLDS[fold]} }}"
                model.append({"op": "agg", "folds": [FOLDS[fold]]})
    if before:
        items[-1][1] += before
    text = [f"window W{i} on {on} = {window}{agg};" for i, (on, window, agg) in enumerate(items)]
    return " ".join(text), model, folds


def value(v):
    if isinstance(v, str) and "/" in v:
        return float(Fraction(v))
    return v


def translate(case):
    name = case["id"]
    if name in UNTRANSLATABLE:
        raise Untranslatable(UNTRANSLATABLE[name])
    fields, records = case["input"]["fields"], case["input"]["records"]
    interval = fraction(case["input"]["interval"])
    expect = case["expect"]
    if name == "join-window-constant":
        # The slow stream is a second field of records that hold fifty samples each; its first hundred elements.
        samples, slow = [r[0] for r in records], [r[0] for r in case["join"]["input"]["records"]]
        records = [[samples[50 * i:50 * i + 50], slow[i]] for i in range(2)]
        fields = [{"name": "a", "type": "INTEGER", "len": 50}, {"name": "b", "type": "INTEGER"}]
        interval = "1"
        expect = dict(expect, records=[r for r in expect["records"] if r["n"] < 100])
    columns = [column({"input": {"records": records}}, i, f) for i, f in enumerate(fields)]
    head = "" if interval == "1" else f" interval {interval} s"
    model = {"fields": [d for _, d in columns], "interval": interval}
    if name == "join-window-own-source":
        items = f"window W0 on E::R{head} = zip(a as now, agse(a) @ (1, 3) as taps);"
        model["zip"] = [[{"op": "take", "fields": ["a"]}], [{"op": "agse", "k": 1, "w": 3}]]
        folds = []
    elif name == "join-window-constant":
        items = f"window W0 on E::R{head} = zip(agse(a) @ (1, 25) as taps, b as slow);"
        model["zip"] = [[{"op": "take", "fields": ["a"]}, {"op": "agse", "k": 1, "w": 25}],
                        [{"op": "take", "fields": ["b"]}]]
        folds = []
    elif case["pipeline"][0]["op"] == "shift":
        first, rest = case["pipeline"][0], case["pipeline"][1:]
        items, ops, folds = windows(rest, head)
        items = items.replace(" @", f" delay {first['n']} @", 1)
        model["pipeline"] = [{"op": "shift", "n": first["n"]}, *ops]
    else:
        items, model["pipeline"], folds = windows(case["pipeline"], head)
    declared = ", ".join(f"{f['name']}: {ty}" for f, (ty, _) in zip(fields, columns))
    vector = {"name": f"agse/{name}", "source": f"{name}; {case['provenance']}", "events_decl": f"R {{ {declared} }}",
              "window": items, "model": model}
    vector["events"] = [{"type": "R", **{f["name"]: v for f, v in zip(fields, r)}} for r in records]
    if "error" in expect:
        vector["expected"] = {"error": ERRORS[name]}
        return vector
    width = sum(f.get("len", 1) if f["type"] != "STRING" else 1 for f in fields)
    # a record leaves with the source's record that holds its newest element
    out, delays = [], sum(op["n"] for op in case["pipeline"] if op["op"] == "shift")
    for r in expect["records"]:
        out.append({"index": r["n"], "values": [value(v) for v in r["v"]], "emit_at": fraction(r["emit_at"]),
                    "at": newest(case, name, r["n"], width)})
    assert delays == 0 or name in DELAYED, name
    constants = {"origin": expect["origin"], "tail": expect["tail"], "interval": fraction(expect["interval"]),
                 "width": expect["out_width"]}
    vector["expected"] = {"consts": constants, "records": out}
    if not folds:
        vector["expected"]["type"] = element_type(case, columns)
    if "count_after_slots" in expect:
        vector["clocked"] = expect["count_after_slots"]
    return vector


DELAYED = {"doc-s5-deserialize", "flatten-array-realigned", "unit-wide-nested", "unit-origin-5", "tail-absorbed-by-shift"}


def newest(case, name, n, width):
    """The index of the source's record that holds the newest element of record n."""
    if name == "join-window-constant":
        return n // 50
    if name == "join-window-own-source":
        return n
    for i, op in reversed(list(enumerate(case["pipeline"]))):
        match op["op"]:
            case "agse":
                n = n * op["k"] // flat(case["pipeline"][:i], width)
            case "shift":
                n -= op["n"]
    return n


def flat(below, width):
    """The elements per record of what these operations give."""
    for op in reversed(below):
        if op["op"] == "agse":
            return abs(op["w"])
        if op["op"] != "shift":
            return 1
    return width


def refused():
    """Text mixed with numbers: what `string-and-int` is here."""
    return {"name": "agse/string-and-int-refused", "source": "string-and-int, an error by the language",
            "events_decl": "R { s: cep::Text<4>, i: i32 }", "window": "window W0 on E::R = agse @ (2, -2);",
            "model": {"fields": [{"name": "s", "ty": "Text"}, {"name": "i", "ty": "i32"}],
                      "pipeline": [{"op": "agse", "k": 2, "w": -2}]},
            "events": [], "expected": {"error": "number"}}
