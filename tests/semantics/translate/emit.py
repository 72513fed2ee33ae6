"""What both translations share: Rust text, and the recount."""
import json


class Untranslatable(Exception):
    """Why a foreign case has no vector."""


def rust_string(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


literal = rust_string


def declaration(types, clock=None):
    """The body of the enum `E`. `types`: name -> {attribute: Rust type}; `clock`: (attribute, unit or None)."""
    variants = []
    for name, attributes in types.items():
        fields = []
        for attribute, ty in attributes.items():
            mark = ""
            if clock and attribute == clock[0]:
                mark = f'#[event(time = "{clock[1]}")] ' if clock[1] else "#[event(time)] "
            fields.append(f"{mark}{attribute}: {ty}")
        variants.append(f"{name} {{ {', '.join(fields)} }}" if fields else name)
    return ", ".join(variants)


class Recount:
    """What became of the cases of one file."""

    def __init__(self, title):
        self.title, self.total, self.vectors, self.waiting, self.reasons = title, 0, [], [], []

    def take(self, case, translate, waits=None):
        self.total += 1
        try:
            vector = translate(case)
        except Untranslatable as why:
            self.reasons.append((case.get("name") or case["id"], str(why)))
            return
        if waits:
            self.waiting.append((case.get("name") or case["id"], waits, vector))
        else:
            self.vectors.append(vector)

    def errors(self):
        return sum("error" in v["expected"] for v in self.vectors if isinstance(v["expected"], dict))

    def write(self, path, vectors=None):
        names = [v["name"] for v in (vectors or self.vectors)]
        assert len(names) == len(set(names)), "two vectors of one name"
        with open(path, "w", encoding="utf-8") as out:
            for v in vectors or self.vectors:
                out.write(json.dumps(v, ensure_ascii=False) + "\n")
