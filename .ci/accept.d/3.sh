# Aggregates inside a match, and summaries over all matches. Sourced by .ci/accept, which explains `point`, `once`, `value` and `skip`.
# shellcheck shell=bash disable=SC2154  # `short` and `scratch` come from there

# Measured once in a run, and not taken from the one before.
rm -f "$scratch/summarize"

bench() {
    [ -s "$scratch/summarize" ] || cargo bench --quiet --bench summarize >"$scratch/summarize"
    tail -n 1 "$scratch/summarize"
}

window_independent() {
    local ratio
    read -r ratio _ < <(bench)
    value "$ratio"
    awk -v r="$ratio" 'BEGIN { exit !(r <= 1.3) }'
}

faster_than_looking() {
    local times
    read -r _ times < <(bench)
    value "$times times"
    [ "$times" -ge 1000 ]
}

aggregates_allocate_nothing() {
    run_tests -p zero_alloc --test aggregates
}

spells() {
    run_tests --test hot_spells --test aggregates --test summarize
}

laws() {
    run_tests -p cep-runtime --lib monoid
}

# The test itself asserts the shares and the numbers.
against_the_oracle() {
    run_tests -p cep-compiled --test aggregates -- --nocapture
    value "$(grep -m 1 -E '^nested [0-9]+' "$scratch/tests")"
}

vectors() {
    local lines passed failed
    lines=$(wc -l <tests/semantics/acel.jsonl)
    cargo test -p cep-vectors-compiled acel_ 2>&1 | tee "$scratch/vectors" || true
    read -r passed failed < <(.ci/count_tests <"$scratch/vectors")
    value "$passed of $lines pass, $failed fail"
    [ "$failed" -eq 0 ] && [ "$passed" -ge "$lines" ]
}

point "oracle = machine: >= 10 000 pairs of >= 100 patterns; nested and filtered >= 25 %, NULL >= 20 %" against_the_oracle
point "the paper's examples and textbook queries" vectors
point "laws of the monoids" laws
point "aggregates and summaries by hand; hot spells and pairs as recomputed" spells
once "summarize A ; B ; C: an event at w = 10 000 costs <= 1.3 times that of w = 100" window_independent
once "and is >= 1 000 times faster than for_each over the matches, dense" faster_than_looking
point "0 allocations with aggregates and summaries; EXPLAIN states the size" aggregates_allocate_nothing
