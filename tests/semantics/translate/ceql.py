"""CORE's query language (CEQL): a parser, and the translation into the pattern language.

Precedence, as CORE's own tests show it: NOT and postfix `AS` / `+` / `:+` bind tightest, then `;` and `:` (one level), then OR,
then FILTER. `NOT φ` is one event that φ does not match; it is in the span and not in the output.
"""
import re

from emit import Untranslatable, literal, rust_string

TOKEN = re.compile(r"\s+|(?P<num>\d+\.\d+|\d+(?=\.\.)|\d+)|(?P<str>'(?:''|[^'])*')|(?P<id>[A-Za-z_]\w*)"
                   r"|(?P<op>:\+|\.\.|<=|>=|!=|[-+*/%=<>()\[\]{},;:])")
UNITS = {"DAY": "d", "HOUR": "h", "MINUTE": "min", "SECOND": "s", "MILLISECOND": "ms", "NANOSECOND": "ns"}


class Parser:
    def __init__(self, text):
        self.tokens, at = [], 0
        while at < len(text):
            m = TOKEN.match(text, at)
            if not m:
                raise Untranslatable(f"unknown token in the query at {text[at:at + 10]!r}")
            at = m.end()
            if m.lastgroup:
                self.tokens.append((m.lastgroup, m.group()))
        self.at = 0
        self.grouped = set()  # formulas in parentheses, by identity

    # Tokens

    def peek(self, ahead=0):
        i = self.at + ahead
        return self.tokens[i] if i < len(self.tokens) else ("end", "")

    def word(self, *words):
        kind, text = self.peek()
        return kind == "id" and text.upper() in words

    def take(self, *texts):
        kind, text = self.peek()
        if kind != "str" and (text in texts or (kind == "id" and text.upper() in texts)):
            self.at += 1
            return text
        return None

    def expect(self, *texts):
        found = self.take(*texts)
        if found is None:
            raise Untranslatable(f"expected {' or '.join(texts)}, found {self.peek()[1]!r}")
        return found

    def name(self):
        kind, text = self.peek()
        if kind != "id":
            raise Untranslatable(f"expected a name, found {text!r}")
        self.at += 1
        return text

    # Query

    def query(self):
        q = {"strategy": None, "select": [], "partition": [], "within": None, "consume": None, "limit": None}
        self.expect("SELECT")
        if self.word("ALL", "ANY", "LAST", "NEXT", "MAX", "STRICT"):
            q["strategy"] = self.name().lower()
        if self.take("*"):
            q["select"] = "*"
        elif self.take("NONE"):
            q["select"] = "none"
        else:
            q["select"] = [self.name()]
            while self.take(","):
                q["select"].append(self.name())
        self.expect("FROM")
        q["from"] = [self.name()]
        while self.take(","):
            q["from"].append(self.name())
        self.expect("WHERE")
        q["formula"] = self.formula()
        if self.take("PARTITION"):
            self.expect("BY")
            while True:
                self.expect("[")
                q["partition"].append(self.name())
                self.expect("]")
                if not self.take(","):
                    break
        if self.take("WITHIN"):
            q["within"] = self.within()
        if self.take("CONSUME"):
            self.expect("BY")
            q["consume"] = self.name().lower()
        if self.take("LIMIT"):
            q["limit"] = int(self.peek()[1])
            self.at += 1
        q["rest"] = [text for _, text in self.tokens[self.at:]]
        return q

    def within(self):
        amounts = []
        while self.peek()[0] == "num":
            n = self.peek()[1]
            self.at += 1
            if self.take("["):
                attribute = self.name()
                self.expect("]")
                return ("attribute", int(n), attribute)
            unit = self.name().upper().removesuffix("S")
            if unit == "EVENT":
                return ("events", int(n))
            amounts.append((int(n), UNITS[unit]))
        return ("time", amounts)

    # Formulas

    def formula(self):
        f = self.alternative()
        while self.take("FILTER"):
            f = ("filter", f, self.condition())
        return f

    def alternative(self):
        parts = [self.chain()]
        while self.take("OR"):
            parts.append(self.chain())
        if len(parts) > 1 and any(p[0] == "seq" and id(p) not in self.grouped for p in parts):
            raise Untranslatable("OR beside `;` without parentheses")
        return parts[0] if len(parts) == 1 else ("or", parts)

    def chain(self):
        f = self.postfix()
        while op := self.take(";", ":"):
            f = ("seq", op, f, self.postfix())
        return f

    def postfix(self):
        if self.take("NOT"):
            self.expect("(")
            f = ("not", self.formula())
            self.expect(")")
        elif self.take("("):
            f = self.formula()
            self.grouped.add(id(f))
            self.expect(")")
        else:
            f = ("type",) + self.reference()
        while True:
            if self.take("AS"):
                f = ("as", f, self.name())
            elif self.take("+"):
                f = ("plus", ";", f)
            elif self.take(":+"):
                f = ("plus", ":", f)
            else:
                return f

    def reference(self):
        """`BUY` or `S1>BUY`: (stream or None, name)."""
        name = self.name()
        if self.take(">"):
            return (name, self.name())
        return (None, name)

    # Conditions

    def condition(self):
        parts = [self.conjunction()]
        while self.take("OR"):
            parts.append(self.conjunction())
        return parts[0] if len(parts) == 1 else ("||", parts)

    def conjunction(self):
        parts = [self.on()]
        while self.take("AND"):
            parts.append(self.on())
        return parts[0] if len(parts) == 1 else ("&&", parts)

    def on(self):
        if self.take("("):
            c = self.condition()
            self.expect(")")
            return c
        reference = self.reference()
        self.expect("[")
        p = self.predicate()
        self.expect("]")
        return ("on", reference, p)

    def predicate(self):
        parts = [self.predicates()]
        while self.take("OR"):
            parts.append(self.predicates())
        return parts[0] if len(parts) == 1 else ("||", parts)

    def predicates(self):
        parts = [self.test()]
        while self.take("AND"):
            parts.append(self.test())
        return parts[0] if len(parts) == 1 else ("&&", parts)

    def test(self):
        if self.take("NOT"):
            return ("!", self.test())
        begun = self.at
        if self.take("("):
            # a condition in parentheses, or arithmetic
            try:
                p = self.predicate()
                self.expect(")")
                return p
            except Untranslatable:
                self.at = begun
        left = self.sum()
        if self.take("LIKE"):
            text = self.peek()[1]
            self.at += 1
            return ("like", left, text[1:-1])
        if self.take("NOT"):
            self.expect("IN")
            return ("!", self.range(left))
        if self.take("IN"):
            return self.range(left)
        op = self.expect("=", "!=", "<", "<=", ">", ">=")
        return ("cmp", "==" if op == "=" else op, left, self.sum())

    def range(self, left):
        if self.take("RANGE"):
            self.expect("(")
            low = self.sum()
            self.expect(",")
            high = self.sum()
            self.expect(")")
            return ("&&", [("cmp", ">=", left, low), ("cmp", "<=", left, high)])
        self.expect("{")
        low = None if self.peek()[1] == ".." else self.sum()
        if self.take(".."):
            high = None if self.peek()[1] == "}" else self.sum()
            self.expect("}")
            bounds = [("cmp", ">=", left, low)] if low else []
            bounds += [("cmp", "<=", left, high)] if high else []
            return bounds[0] if len(bounds) == 1 else ("&&", bounds)
        values = [low]
        while self.take(","):
            values.append(self.sum())
        self.expect("}")
        return ("in", left, values)

    def sum(self):
        e = self.product()
        while op := self.take("+", "-"):
            e = ("arith", op, e, self.product())
        return e

    def product(self):
        e = self.factor()
        while op := self.take("*", "/", "%"):
            e = ("arith", op, e, self.factor())
        return e

    def factor(self):
        if self.take("("):
            e = self.sum()
            self.expect(")")
            return e
        sign = self.take("+", "-")
        kind, text = self.peek()
        self.at += 1
        if kind == "num":
            return ("num", ("-" if sign == "-" else "") + text)
        if kind == "str" and not sign:
            return ("str", text[1:-1])
        if kind == "id" and not sign:
            return ("attr", text)
        raise Untranslatable(f"expected a value, found {text!r}")


def least(f):
    """The least number of events that a formula matches."""
    match f[0]:
        case "type" | "not":
            return 1
        case "seq":
            return least(f[2]) + least(f[3])
        case "or":
            return min(least(p) for p in f[1])
        case "plus":
            return least(f[2])
        case _:
            return least(f[1])


class Translator:
    """One query. `types` maps (stream, name) to (name here, {attribute: type})."""

    def __init__(self, query, types):
        self.query = query
        self.types = types
        self.known = {k: v for k, v in types.items() if k[0] in query["from"]}
        self.negated = "not" in str(query["formula"])
        self.holds = {}  # variable -> names here of the types it may hold
        self.copies = {}  # variable -> the names it goes by here
        self.fresh = 0
        self.hidden = set()
        self.renamed = self.bound_twice(query["formula"])

    def bound_twice(self, f):
        """Variables that a sequence binds twice: there each occurrence gets a name of its own."""
        twice = set()

        def walk(f):
            match f[0]:
                case "type" | "not":
                    return set()
                case "as":
                    return walk(f[1]) | {f[2]}
                case "seq":
                    a, b = walk(f[2]), walk(f[3])
                    twice.update(a & b)
                    return a | b
                case "or":
                    return set().union(*map(walk, f[1]))
                case "plus":
                    return walk(f[2])
                case _:
                    return walk(f[1])

        walk(f)
        return twice

    def named(self, reference):
        """The types that a reference names, as names here."""
        stream, name = reference
        found = [v[0] for (s, n), v in self.known.items() if n == name and stream in (None, s)]
        return found or [name]

    def union(self, names):
        return names[0] if len(names) == 1 else "(" + " or ".join(names) + ")"

    def new(self, prefix):
        self.fresh += 1
        return f"{prefix}{self.fresh}"

    def formula(self, f, inside=False):
        """`inside`: an operand, so that everything loose needs parentheses."""
        group = (lambda text: f"({text})") if inside else (lambda text: text)
        match f[0]:
            case "type":
                names = self.named(f[1:])
                if self.negated and not self.under:
                    # A type name would also stand for the events that a NOT takes.
                    x = self.new("e")
                    self.seen.append(x)
                    self.copies.setdefault(f[2], []).append(x)
                    self.holds[x] = names
                    return f"{self.union(names)} as {x}"
                return self.union(names)
            case "as":
                hold, self.under = self.under, True
                inner = self.formula(f[1], True)
                self.under = hold
                x = f[2]
                if x in self.renamed:
                    x = self.new(x)
                self.copies.setdefault(f[2], []).append(x)
                if f[1][0] == "not":
                    self.hidden.add(x)
                else:
                    self.seen.append(x)
                self.holds[x] = sorted(set(self.held(f[1])))
                return f"{inner} as {x}"
            case "seq":
                left = self.formula(f[2], f[2][0] in ("or", "filter"))
                right = self.formula(f[3], f[3][0] in ("or", "filter", "seq"))
                return group(f"{left} {f[1]} {right}" if f[1] == ";" else f"{left} : {right}")
            case "or":
                return group(" or ".join(self.formula(p, p[0] != "or") for p in f[1]))
            case "plus":
                inner = self.formula(f[2], True)
                if f[2][0] in ("as", "type", "not") and " as " in inner or f[2][0] == "plus":
                    inner = f"({inner})"
                return inner + ("+" if f[1] == ";" else ":+")
            case "not":
                return self.negation(f[1])
            case "filter":
                inner = self.formula(f[1], f[1][0] == "or")
                return group(f"{inner} filter {self.condition(f[2])}")

    def held(self, f):
        match f[0]:
            case "type":
                return self.named(f[1:])
            case "not":
                return [v[0] for v in self.known.values()]
            case "seq":
                return self.held(f[2]) + self.held(f[3])
            case "or":
                return [t for p in f[1] for t in self.held(p)]
            case "plus":
                return self.held(f[2])
            case _:
                return self.held(f[1])

    def negation(self, f):
        """One event that `f` (an event type, with conditions) does not match, and that nothing selects."""
        condition, inner = None, f
        if f[0] == "filter":
            inner, condition = f[1], f[2]
        if inner[0] != "type":
            raise Untranslatable("NOT of something else than an event type with a filter")
        refused = self.named(inner[1:])
        parts = [v[0] for v in self.known.values() if v[0] not in refused]
        if condition:
            x = self.new("n")
            self.holds[x] = refused
            self.hidden.add(x)
            self.copies[inner[2]], before = [x], self.copies.get(inner[2])
            text = self.condition(condition)
            if before is None:
                del self.copies[inner[2]]
            else:
                self.copies[inner[2]] = before
            parts.append(f"({self.union(refused)} as {x} filter !({text}))")
        if not parts:
            raise Untranslatable("NOT of the only event type")
        return self.union(parts)

    # Conditions

    def condition(self, c):
        match c[0]:
            case "||":
                return " || ".join(self.condition(p) for p in c[1])
            case "&&":
                loose = lambda p: p[0] == "||" or p[0] == "on" and p[2][0] == "||"
                return " && ".join(f"({self.condition(p)})" if loose(p) else self.condition(p) for p in c[1])
        (stream, name), p = c[1], c[2]
        variables = self.copies.get(name) if stream is None else None
        if variables is None:
            variables = self.named(c[1])
        tests = [self.predicate(p, x) for x in variables]
        if len(tests) == 1:
            return tests[0]
        return "(" + " && ".join(f"({t})" if p[0] == "||" else t for t in tests) + ")"

    def attribute(self, x, name):
        holds = self.holds.get(x, [x])
        for here, attributes in self.known.values():
            if here in holds and name in attributes:
                return attributes[name]
        return None

    def predicate(self, p, x):
        match p[0]:
            case "||":
                return " || ".join(self.predicate(q, x) for q in p[1])
            case "&&":
                tests = (f"({self.predicate(q, x)})" if q[0] == "||" else self.predicate(q, x) for q in p[1])
                return " && ".join(tests)
            case "!":
                inner = self.predicate(p[1], x)
                return f"!{inner}" if inner.startswith("matches!") else f"!({inner})"
            case "cmp":
                a, b = self.value(p[2], x), self.value(p[3], x)
                if "f64" in (a[1], b[1]):
                    a, b = self.float(a), self.float(b)
                return f"{a[0]} {p[1]} {b[0]}"
            case "in":
                return f"matches!({self.value(p[1], x)[0]}, {' | '.join(self.value(v, x)[0] for v in p[2])})"
            case "like":
                return like(self.value(p[1], x)[0], p[2])

    def value(self, e, x):
        match e[0]:
            case "num":
                return (e[1], "f64" if "." in e[1] else "i64", True)
            case "str":
                return (rust_string(e[1]), "str", True)
            case "attr":
                return (f"{x}.{e[1]}", self.attribute(x, e[1]), False)
            case "arith":
                a, b = self.value(e[2], x), self.value(e[3], x)
                ty = "i64"
                if "f64" in (a[1], b[1]):
                    a, b, ty = self.float(a), self.float(b), "f64"
                left = f"({a[0]})" if e[2][0] == "arith" and e[1] in "*/%" else a[0]
                right = f"({b[0]})" if e[3][0] == "arith" else b[0]
                return (f"{left} {e[1]} {right}", ty, False)

    def float(self, v):
        if v[1] == "f64":
            return v
        return (v[0] + ".0" if v[2] else f"({v[0]} as f64)", "f64", v[2])

    def pattern(self):
        """The formula. `seen`: the variables that the output names; `under`: below an `AS`."""
        self.under, self.seen = False, []
        return self.formula(self.query["formula"])

    def selected(self):
        """The `select` clause, or none for the default."""
        s = self.query["select"]
        if s == "none":
            return "select none"
        if s == "*":
            if not self.hidden and not self.negated:
                return None
            return f"select {', '.join(self.seen)}" if self.seen else "select none"
        names = []
        for x in s:
            names += self.copies.get(x) or self.named((None, x))
        return f"select {', '.join(names)}"


def like(text, expression):
    """LIKE is a search for a regular expression; these are the shapes that methods of `str` can express."""
    plain = r"[^\\.^$*+?()\[\]{}|]"
    if re.fullmatch(f"{plain}+", expression):
        return f"{text}.contains({literal(expression)})"
    if m := re.fullmatch(rf"\^({plain}+)\.({plain}+)\$", expression):
        a, b = m.groups()
        # All values in the sources are ASCII: `.` is one byte.
        return (f"{text}.len() == {len(a) + len(b) + 1} && {text}.starts_with({literal(a)})"
                f" && {text}.ends_with({literal(b)})")
    if m := re.fullmatch(rf"({plain}+)\.\*({plain}+)", expression):
        a, b = m.groups()
        return f'{text}.split_once({literal(a)}).unwrap_or(("", "")).1.contains({literal(b)})'
    raise Untranslatable(f"the regular expression {expression!r}")
