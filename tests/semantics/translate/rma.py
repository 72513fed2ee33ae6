"""The cases of register match automata (CEPL, the thesis, Wayeb's tests) and the queries over a day of trades."""
import re

from emit import Untranslatable, declaration

# Cases in prose, or with a remark on what they mean here: pattern, and what is expected.
BY_HAND = {
    "table1-expr2-unbounded": ("(T as x filter x.id == y.id)+ ; H as y", {"error": "not bound"}),
    "bounded-error-var-shared-by-seq": ("T as x ; H as x", {"error": "bound twice"}),
    "not-bounded-but-rma-expressible": ("T as x ; (H as y filter y.id == x.id)+", "if_supported_matches"),
    "srt-e1-anchored": ("B as x ; S as y filter x.id == y.id && x.position() == 0", "matches"),
    "srt-e1-anchored-w4": ("B as x ; S as y filter x.id == y.id && x.position() == 0", "matches"),
    "wayeb-pattern4-read-before-write-4.0": ("(B as y filter y.xattr == x.xattr) ; A as x", {"error": "not bound"}),
    "opt-hash-float-zero": ("A as x ; B as y filter x.f == y.f", "matches"),
    "opt-hash-float-nan": ("A as x ; B as y filter x.f == y.f", "matches"),
    "opt-hash-needs-conjunct": ("A as x ; B as y filter x.id == y.id || y.v > 5", "matches"),
    "stnm-complement-trap": ("a as x -> b as y", "skip_till_next_matches"),
    "negation-compound-in-gap": ("a as x ; not (p ; q) ; c as y", "matches"),
}
UNTRANSLATABLE = {
    "bounded-error-or-branches":
        "an error of the paper's fragment that has a meaning here (a condition on the branch not taken holds), and no events",
    "srt-agg-last-iteration-binding": "states no matches: only that one language refuses it and that another one keeps the last B",
    "consumption-consume": "each event may be used by one match, the oldest initiator first: no policy of the language does that",
    "wayeb-unroll-w2": "`pattern3` is not spelled out; only the acceptance of a whole string is stated",
    "wayeb-unroll-w1": "`pattern3` is not spelled out; only the acceptance of a whole string is stated",
    "wayeb-stam-abstar": "only the acceptance of a whole string is stated, and by a pattern that matches the empty set of events",
}
FLOATS = {"NaN", "-0.0", "inf", "-inf"}


def least(a):
    match a[0]:
        case "atom":
            return 1
        case "seq":
            return least(a[1]) + least(a[2])
        case "or":
            return min(least(a[1]), least(a[2]))
        case _:
            return least(a[1])


def formula(a, operator, inside=False):
    """`operator`: `;` for any selection, `:` for strict, `->` for next."""
    group = (lambda text: f"({text})") if inside else (lambda text: text)
    match a[0]:
        case "atom":
            return f"{a[1]} as {a[2]}"
        case "seq":
            left = formula(a[1], operator, a[1][0] in ("or", "filter"))
            right = formula(a[2], operator, a[2][0] in ("or", "filter", "seq"))
            space = "" if operator == ":" else " "
            return group(f"{left} {operator} {right}")
        case "or":
            return group(" or ".join(formula(p, operator, p[0] != "or") for p in a[1:]))
        case "plus":
            return f"({formula(a[1], operator)}){'' if operator == ';' else operator}+"
        case "filter":
            inner = formula(a[1], operator, a[1][0] == "or")
            return group(f"{inner} filter {' && '.join(map(condition, a[2]))}")


def condition(c):
    _, op, (x, a), (y, b) = c
    return f"{x}.{a} {'==' if op == '=' else op} {y}.{b}"


def attribute_type(values):
    if any(v is None for v in values):
        return f"Option<{attribute_type([v for v in values if v is not None])}>"
    if any(isinstance(v, float) or v in FLOATS for v in values):
        return "f64"
    if all(isinstance(v, bool) for v in values):
        return "bool"
    if all(isinstance(v, int) for v in values):
        return "i64"
    return "&'static str"


def named(a, into):
    if a[0] == "atom":
        into.setdefault(a[1], None)
    else:
        for part in a[1:]:
            if isinstance(part, list) and part and isinstance(part[0], str):
                named(part, into)


def types_of(case, names):
    """Types in order of name; one that only the pattern names has the attributes of the others."""
    found = {}
    for e in case["events"]:
        for k, v in e.items():
            if k != "type":
                found.setdefault(e["type"], {}).setdefault(k, []).append(v)
        found.setdefault(e["type"], {})
    every = {}
    for attributes in found.values():
        for k, values in attributes.items():
            every.setdefault(k, []).extend(values)
    for name in names:
        found.setdefault(name, every)
    return {t: {k: attribute_type(v) for k, v in found[t].items()} for t in sorted(found)}


def translate(case):
    name, n = case["name"], len(case["events"])
    if name in UNTRANSLATABLE:
        raise Untranslatable(UNTRANSLATABLE[name])
    names, error = {}, None
    if name in BY_HAND:
        text, wanted = BY_HAND[name]
        needed = 2
        names = dict.fromkeys(re.findall(r"(\w+) as \w", text))
    else:
        a = case["ast"]
        named(a, names)
        operator = {"any": ";", "strict": ":", "next": "->"}[case.get("selection", "any")]
        text, needed = formula(a, operator), least(a)
        wanted = "matches" if "matches" in case["expected"] else "rma_matches"
    window = case["window"] or n
    if isinstance(wanted, dict):
        window = max(window, needed)
    vector = {"name": f"rma/{name}", "source": f"{name}; {case['source']}"}
    vector["events_decl"] = declaration(types_of(case, names))
    if not case["events"] and isinstance(wanted, dict):
        vector["events_decl"] = declaration({t: {"id": "i64"} for t in names})
    vector["pattern"] = f"pattern P on E = {text} within {window} events;"
    vector["events"] = case["events"]
    if isinstance(wanted, dict):
        vector["expected"] = wanted
    elif needed > window:
        assert not case["expected"][wanted], name
        vector["expected"] = {"error": "can match nothing"}
    else:
        base = case.get("index_base", 0)
        sets = [[p - base for p in m] for m in case["expected"][wanted]]
        vector["expected"] = [{"start": min(m), "end": max(m), "positions": m} for m in sets]
    return vector


# The queries over the trades. Their windows are strict bounds, here inclusive ones. Of events of one millisecond the published
# counts depend on the order: they are those of `time_ms, symbol, id`. At most 439 events lie in 4999 ms.
TRADE = "#[event(time)] time: i64, id: i64, symbol: cep::Text<8>, volume: i64, price: f64"
REG1 = ('SELL as x filter x.symbol == "INTC" ; BUY as b1 filter b1.symbol == "RIMM" '
        '; BUY as b2 filter b2.symbol == "QQQ" && b2.price > x.price')
REG2 = (REG1 + ' ; SELL as y filter y.symbol == "IPIX" ; BUY as b3 filter b3.symbol == "AMAT" '
        '; BUY as b4 filter b4.symbol == "CSCO" && b4.price > y.price')
K1 = ('SELL as x filter x.symbol == "INTC" ; (BUY as b filter b.symbol == "RIMM" && b.price < 500.0)+ '
      '; BUY as c filter c.symbol == "QQQ" && c.price > x.price')
KN1 = ('SELL as x filter x.symbol == "INTC" ; (BUY as b filter b.symbol == "RIMM" && b.price < 500.0):* '
       '; SELL as c filter c.symbol == "MSFT" && c.price < x.price')


def others(first="", second="", last="", either=False):
    step = "(BUY or SELL)" if either else "BUY"
    return (f'SELL as x filter x.symbol == "MSFT"{first} ; ({step} as b1 filter b1.symbol == "ORCL"{second}) '
            f'; ({step} as b2 filter b2.symbol == "CSCO") '
            f'; SELL as c filter c.symbol == "AMAT"{last} && c.price < x.price')


LIMITS = (" && x.price > 26.0", " && b1.price > 11.14", " && c.price >= 18.92")
TRADES = {
    "stock-reg1": REG1,
    "stock-reg2": REG2,
    "stock-k1": K1,
    "stock-kn1-as-wayeb-parses-it": KN1,
    "stock-other-q1": others(),
    "stock-other-q2": others(*LIMITS),
    "stock-other-q3": others(either=True),
    "stock-other-q4": others(*LIMITS, either=True),
    "stock-other-q5": ('SELL as x filter x.symbol == "MSFT" '
                       '; ((BUY or SELL) as b filter b.symbol == "QQQ" && b.volume == 4000)+ '
                       '; SELL as c filter c.symbol == "AMAT" && c.price < x.price'),
}


def trades(case):
    name = case["name"]
    text = TRADES[name.rsplit("-w", 1)[0]]
    window = case["window"]["time_lt"] - 1
    return {
        "name": f"trades/{name}",
        "source": f"{name}; {case['source']}",
        "events_decl": f"BUY {{ {TRADE} }}, SELL {{ {TRADE} }}",
        "pattern": f"pattern P on E = {text} within {window} ms capacity 512 events;",
        "dataset": case["events"],
        "order": ["time_ms", "symbol", "id"],
        "expected": {"count": case["expected"]["match_count"]},
    }
