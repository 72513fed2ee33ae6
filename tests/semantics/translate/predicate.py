"""The cases of the predicate window (Odysseus), with the readings of this language."""
WORDS = {
    "start": "start", "end": "end", "clear": "clear", "sameStartTime": "same_start_time",
    "keepEndingElement": "keep_ending_element", "useElementOnlyForStartOrEnd": "use_element_only_for_start_or_end",
    "keepTimeOrder": "keep_time_order", "closeWindowWithHeartbeat": "close_window_with_heartbeat", "nesting": "nesting",
    "flushOnEnd": "flush_on_end", "partition": "partition", "maxWindowTime": "max_window_time",
    "outputIfMaxWindowTime": "output_if_max_window_time", "maxWindowTimeOutputPort": "max_window_time_output_port",
    "closeWindowAfterNoUpdatesFor": "close_window_after_no_updates_for",
    "closeWindowAfterNoUpdatesPort": "close_window_after_no_updates_port", "advanceWhen": "advance_when",
    "advanceSize": "advance_size",
}
ERRORS = {"reject-no-start": "start", "reject-advance-without-size": "advance_size"}


def written(key, v):
    if key in ("start", "end", "clear", "advanceWhen"):
        if isinstance(v, dict):
            return f"len >= {v['count_ge']}"
        return str(v).lower() if isinstance(v, bool) else v
    if isinstance(v, bool):
        return str(v).lower()
    if isinstance(v, list):
        return v[0] if len(v) == 1 else f"({', '.join(v)})"
    return str(v)


def reason(case, output, at):
    """Why a window closed: the foreign cases tell by what else they say."""
    params, entry = case["params"], case["input"][at] if at != "eos" else None
    if output["port"] == 1 and "nested" not in output and output["e"] is None:
        return None
    if at == "eos":
        return "EndOfStream"
    if "hb" in entry:
        return "Heartbeat" if params.get("closeWindowWithHeartbeat") else "MaxTime"
    if output["port"] == params.get("closeWindowAfterNoUpdatesPort", 0) != 0:
        return "Idle"
    first = min(case["input"][case["ids"].index(i)]["t"] for i in window_of(case, output))
    if "maxWindowTime" in params and first + params["maxWindowTime"] <= output["e"]:
        return "MaxTime"
    return "End"


def window_of(case, output):
    """The elements of the window that an output belongs to: those that end with it."""
    own = case["expect"]
    same = [o for o in own if o["port"] == output["port"] and o["e"] == output["e"]]
    return [i for o in same for i in ([m["id"] for m in o["nested"]] if "nested" in o else [o["id"]])]


def translate(case):
    name, params = case["id"], case["params"]
    attributes = sorted({k for e in case["input"] for k in e if k not in ("t", "id", "key", "hb")} |
                        {v for k, v in params.items() if k in ("start", "end", "clear", "advanceWhen") and isinstance(v, str)})
    keyed = "partition" in params
    parts = [f"{WORDS[k]}: {written(k, v)}" for k, v in params.items()]
    keys = ", 8 keys" if keyed else ""
    parts.append(f"capacity: 32 elements{keys}")
    fields = ["#[event(time)] t: i64", "id: &'static str"] + (["key: &'static str"] if keyed else [])
    fields += [f"{a}: bool" for a in attributes]
    vector = {"name": f"predicate/{name}", "source": f"{name}; {case['provenance']}",
              "events_decl": f"X {{ {', '.join(fields)} }}",
              "window": f"window W on E = predicate {{ {', '.join(parts)} }};", "model": params}
    events, ids, places, position = [], [], {}, 0
    for e in case["input"]:
        if "hb" in e:
            events.append({"heartbeat": e["hb"]})
            ids.append(None)
            continue
        ids.append(e["id"])
        places[e["id"]] = position
        position += 1
        own = {"t": e["t"], "id": e["id"], **({"key": e["key"]} if keyed else {})}
        events.append({"type": "X", **own, **{a: e.get(a, False) for a in attributes}})
    case["ids"] = ids
    expect = case["expect"]
    if name == "reject-unordered":
        vector["events"] = events
        vector["expected"] = {"push_error": "OutOfOrder", "at": 1, "outputs": []}
        return vector
    if isinstance(expect, dict):
        vector["events"] = events
        vector["expected"] = {"error": ERRORS[name]}
        return vector
    vector["events"] = [*events, {"finish": True}]
    outputs = []
    for o in expect:
        at = len(events) if o["at"] == "eos" else o["at"]
        members = [places[o["id"]]] if "id" in o else [{"pos": places[m["id"]], "start": m["s"], "end": m["e"]}
                                                      for m in o["nested"]]
        out = {"port": o["port"], "start": o["s"], "end": o["e"], "reason": reason(case, o, o["at"]), "members": members}
        first = case["input"][ids.index(o["id"] if "id" in o else o["nested"][0]["id"])]
        if keyed:
            out["key"] = [first["key"]]
        out["at"] = at
        outputs.append(out)
    vector["expected"] = {"outputs": outputs}
    return vector
