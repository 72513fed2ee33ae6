# The pattern languages of the sources, in every combination. Sourced by .ci/accept, which explains `point`, `once`, `value` and `skip`.
# shellcheck shell=bash disable=SC2154  # `short` and `scratch` come from there

# share FILE WAITING PERCENT: of the cases of a foreign file (those that wait left out) so many are translated, as TABLE.md recounts
# them, and the vectors of the file all pass.
share() {
    local file=$1 percent=$2 name=$3 cases translated waiting of failed
    read -r cases translated waiting < <(awk -F '|' -v f="$file" '
        { gsub(/ /, "", $2) } $2 == f { print $3 + 0, $4 + 0, $7 + 0 }' tests/semantics/TABLE.md)
    of=$((cases - waiting))
    vectors
    failed=$(grep -cE "^(test )?${name}_.*FAILED" "$scratch/vectors" || true)
    value "$translated of $of translated, $failed of them fail"
    [ "$failed" -eq 0 ] && [ $((100 * translated)) -ge $((percent * of)) ]
}

# Runs every vector once for this list.
vectors() {
    if [ ! -e "$scratch/vectors.done" ]; then
        cargo test -p cep-vectors -p cep-vectors-compiled 2>&1 | tee "$scratch/vectors"
        touch "$scratch/vectors.done"
    fi
    grep -q "test result: ok" "$scratch/vectors"
}

properties_at_ten_times() {
    CEP_SCALE=10 run_tests --release -p cep-properties -p cep-compiled -- --nocapture
    cp "$scratch/tests" "$scratch/properties"
    local kernels refused
    kernels=$(grep -oE '"(Latest|Partitioned|Ring|Runs)[^"]*": [0-9]+' "$scratch/properties" | tr -d '"' | paste -sd ';')
    # what pushes refused, and what the compiler refuses with a reason
    refused=$(grep -oE 'full [0-9]+, evicted [0-9]+, out of order [0-9]+' "$scratch/properties" | tail -n 1)
    value "$(cat "$scratch/value"); $kernels; $refused"
    # every kernel that `detect` and `select` can get
    local kernel
    for kernel in 'Latest' 'Partitioned [A-Za-z]+' 'Runs [A-Za-z ]+' 'Ring [A-Za-z]+' 'Ring [A-Za-z]+ per key'; do
        grep -qE "\"$kernel(, canonical runs)?\": [1-9]" "$scratch/properties"
    done
    [[ -n $refused && ! $refused =~ ' 0' ]]
    grep -qE 'refused \{"[^"]+": [1-9]' "$scratch/properties"
}

trades() {
    [ -n "${CEP_TRADES:-}" ] || skip "CEP_TRADES does not name the file of trades"
    cargo test --release -p cep-trades -- --nocapture 2>&1 | tee "$scratch/trades"
    local right
    right=$(grep -cE '^[^ ]+: Ok\(([0-9]+)\) in .*, published \1$' "$scratch/trades" || true)
    value "$right of 12 queries give the published count"
    [ "$right" -eq 12 ]
}

keys() {
    run_tests --release --test partition
    value "$(cat "$scratch/value")"
}

keys_against_one() {
    cargo bench --bench keys 2>/dev/null | tee "$scratch/keys"
    value "$(sed -n 's/^\([A-Z][A-Za-z]*\): .*ratio \(.*\)$/\1 \2/p' "$scratch/keys" | paste -sd ';')"
    awk '/ratio/ { n++; if ($NF > 3) bad++ } END { exit !(n == 3 && bad == 0) }' "$scratch/keys"
}

refused() { run_tests --test refused; }
no_allocation() { run_tests --release -p zero_alloc; }
fronts() {
    run_tests --test fronts
    value "$(cat "$scratch/value"); $(cargo run --quiet --release --example fronts | tail -n 1)"
}
automata() { run_tests -p cep-compiler --test automata --test closure; }
messages() {
    local files
    files=$(find tests/ui -maxdepth 1 -name '*.stderr' | wc -l)
    run_tests --test ui
    value "$files files; $(cat "$scratch/value")"
    [ "$files" -ge 50 ]
}

rm -f "$scratch/vectors.done"
point "core: >= 95 % of the cases without strategy translated, pass" share core-cases.jsonl 95 core
point "rma: >= 90 % of the cases with a stream translated, pass" share rma-cases.jsonl 90 rma
once "properties at ten times the size, every kernel and refusal" properties_at_ten_times
point "the trades: 12 published counts" trades
point "1 M keys through a table of 1,024: 0 live, exact" keys
once "1,000 keys against one: <= 3 x" keys_against_one
point "full, time back, NaN, keys: the error, and the same state" refused
point "0 allocations for one machine of each kind" no_allocation
point "fronts: as recomputed from the file" fronts
point "the automata of the papers: 13 and 31, 21 and 153 states" automata
point ">= 50 UI files" messages
