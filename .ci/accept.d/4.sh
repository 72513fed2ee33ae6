# Windows as items. Sourced by .ci/accept, which explains `point`, `open_point`, `once`, `value` and `skip`.
# shellcheck shell=bash disable=SC2154  # `short`, `target` and `scratch` come from there

# window_vectors NAME LINES: every vector of NAME.jsonl is a test that passes.
window_vectors() {
    local name=$1 lines passed failed
    lines=$(wc -l <"tests/semantics/$name.jsonl")
    cargo test -p cep-vectors-compiled "${name}_" 2>&1 | tee "$scratch/vectors" || true
    read -r passed failed < <(.ci/count_tests <"$scratch/vectors")
    value "$passed of $lines pass, $failed fail"
    # other vectors may have the word in their names too
    [ "$failed" -eq 0 ] && [ "$passed" -ge "$lines" ]
}

# windows_of KIND: the property run's own line, and no window left out.
windows_of() {
    local kind=$1
    cargo test -p cep-compiled --test windows "$kind" -- --nocapture 2>&1 | tee "$scratch/windows_$kind"
    tests_of "$scratch/windows_$kind"
    value "$(grep -m 1 -E '[0-9]+ windows' "$scratch/windows_$kind"); $(grep -m 1 -E '[0-9]+ pairs' "$scratch/windows_$kind")"
    grep -qE '6[0-9] windows, 0 not supported' "$scratch/windows_$kind"
}

# The kinds that everybody knows, each against a model of its own.
classic_windows() {
    run_tests -p cep-compiled --test windows classic -- --nocapture
    value "$(grep -m 1 -E '[0-9]+ kinds, [0-9]+ windows' "$scratch/tests")"
}

# The bench prints one line per bar, `what: value (bar most): verdict`, and exits with 1 where one is missed.
sliding() {
    local status=0 arguments=()
    if $short; then arguments=(-- --short); fi
    cargo bench --features alloc --bench sliding "${arguments[@]}" 2>&1 | tee "$scratch/sliding" || status=$?
    value "$(grep -E '\(bar .*\): ' "$scratch/sliding" | sed 's/ (bar \(.*\)): /≤\1 /' | paste -sd ';' | sed 's/;/; /g')"
    grep -qE '\(bar .*\): ' "$scratch/sliding"
    [ "$status" -eq 0 ]
}

# In time where time can be told (one run of the bench, which holds both against each other), else in instructions.
keys() {
    if ! $short; then
        local status=0
        cargo bench --features alloc --bench window_keys 2>&1 | tee "$scratch/keys" || status=$?
        value "$(grep -oE '^[0-9]+ keys: [0-9.]+ ns' "$scratch/keys" | paste -sd ';' | sed 's/;/; /g'); $(grep -E '\(bar 3\)' "$scratch/keys")"
        grep -qE '\(bar 3\)' "$scratch/keys"
        [ "$status" -eq 0 ]
        return
    fi
    needs_valgrind
    local program keys
    program=$(bench_program window_keys --features alloc)
    [ -x "$program" ]
    local -A cost
    for keys in 100 100000; do
        cost[$keys]=$(instructions_an_event "$program" "$keys" 300000)
    done
    value "${cost[100]} and ${cost[100000]} instructions an event"
    awk -v a="${cost[100]}" -v b="${cost[100000]}" 'BEGIN { exit !(a > 0 && b > 0 && b <= 3 * a) }'
}

properties_at_ten_times() {
    CEP_SCALE=10 run_tests --release -p cep-windows -p cep-compiled --test windows -- --nocapture
    value "$(cat "$scratch/value"), $(grep -m 1 -oE 'CEP_SEED=[0-9]+' "$scratch/tests")"
}

point "every AGSE vector passes (string-and-int: a compile error)" window_vectors agse
point "every predicate window vector passes" window_vectors predicate
point "models: pages, classic windows, conservation, boundaries" run_tests -p cep-windows
point ">= 60 AGSE windows, >= 5 000 pairs with streams" windows_of agse
point ">= 60 predicate windows, >= 5 000 pairs with streams" windows_of predicate
point "tumbling, sliding, time, session, landmark; conservation" classic_windows
once "windows at ten times the size" properties_at_ten_times
# bars in time: with --short they are only shown
open_point "sliding folds against two-stacks lite and DABA lite" sliding
point "100 000 keys with idle timeouts within 3x of 100" keys
point "0 allocations, with a positive control" run_tests --release -p zero_alloc windows
point "three stages on the weather, recomputed" run_tests --test pipeline
point "items on matches, in one call and across modules and crates" run_tests --test composition
point "within window against a search by the definition" run_tests --test within_window
point "a refused element leaves a window as it was" run_tests --test full_windows
point "the page's lines and pictures; size_of as EXPLAIN states" run_tests --test windows
point "every wrong parameter, missing capacity, contradictory pair" run_tests --test ui
