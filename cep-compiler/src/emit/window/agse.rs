//! `agse(…) @ (k, w)`: elements out, or folds.
use super::frame::{self, State};
use super::{Emitted, Names, elements, folds};
use crate::code::{Piece, code, pieces};
use crate::emit::names::{our, ours};
use crate::hir::window::{Agse, Window};
use crate::slices::each;
use proc_macro2::Ident;

/// The number of elements up to which a window may be folded anew for every record.
const RECOMPUTE: u64 = 16;

pub(super) fn emit(window: &Window, a: &Agse, names: &Names) -> Emitted {
    let p = names.p;
    let (e, shape) = (&a.elements, a.shape);
    let element = elements::element_type(window, e, names);
    let fill = elements::fill(e, names);
    let count = usize::try_from(e.count).unwrap_or(usize::MAX);
    let flatten = our(format_args!("__cep_flatten"));
    let (hop, pending, next) = (ours("hop"), ours("pending"), ours("next"));
    let (first, origin) = (shape.first, shape.origin);
    let plain = |name: Piece, ty: Piece, value: Piece| State { name, ty, value, clear: None };
    let mut fields = vec![
        plain(hop, code!([p] #p::Hop), code!([p | origin, first] #p::Hop::new(#first, #origin))),
        plain(pending, code!([element | count] [#element; #count]), code!([fill | count] [#fill; #count])),
        plain(next, code!([] ::core::primitive::usize), Piece::of(&count)),
    ];
    let out = if a.folds.is_empty() { of_elements(window, a, names) } else { of_folds(window, a, names) };
    fields.push(out.field);
    let (insert, before, made) = (out.insert, out.before, out.record);
    let k = shape.hop;
    let (value, index, record) = (ours("value"), ours("index"), names.record);
    let step = code! { [next, value, pending, insert, index, hop, before, made, record | k, count]
        while self.#next < #count {
            let #value = self.#pending[self.#next];
            self.#next += 1;
            #insert
            if let ::core::option::Option::Some(#index) = self.#hop.tick(#k) {
                #before
                return ::core::option::Option::Some(#record { #made __index: #index });
            }
        }
        ::core::option::Option::None
    };
    let event = ours("event");
    // an event of another type leaves `pending` used up
    let take = code! { [event, pending, next, flatten]
        if #flatten(#event, &mut self.#pending) { self.#next = 0; }
    };
    let parts = frame::Parts {
        fields,
        take,
        step,
        more: elements::flatten(window, e, flatten, names),
        timing: a.timing,
        width: if a.folds.is_empty() { shape.width } else { a.folds.len() as u64 },
        explain: explain(window, a, &out.kernel),
    };
    let hidden = code!([] __index: ::core::primitive::u64,);
    let (record, schema) = super::record(window, names, &out.fields, hidden, Some(a.timing), None);
    let machine = frame::frame(window, parts, names);
    Emitted { tokens: code!([machine, record] #machine #record), schema }
}

/// What differs between elements and folds.
struct Out {
    field: State,
    /// Takes `value`.
    insert: Piece,
    /// Statements in front of the record.
    before: Piece,
    /// The fields of the record.
    record: Piece,
    fields: Vec<super::Field>,
    kernel: String,
}

fn of_elements(window: &Window, a: &Agse, names: &Names) -> Out {
    let p = names.p;
    let (e, shape) = (&a.elements, a.shape);
    let element = elements::element_type(window, e, names);
    let fill = elements::fill(e, names);
    let width = usize::try_from(shape.width).unwrap_or(usize::MAX);
    let (newest, value) = (ours("newest"), ours("value"));
    let (family, make) = super::memory(window, names);
    let order = if shape.newest_first { code!([] newest_first) } else { code!([] in_order) };
    let name = Ident::new("values", window.name.span());
    Out {
        field: State {
            name: newest,
            ty: code!([p, element, family | width] #p::Newest<#element, #width, #family>),
            value: code!([p, fill, make] #p::Newest::#make(#fill)),
            clear: Some(code!([newest] self.#newest.clear();)),
        },
        insert: code!([newest, value] self.#newest.insert(#value);),
        before: Piece::EMPTY,
        record: code!([newest, order | width, name] #name: self.#newest.#order::<#width>(0),),
        fields: vec![elements::field(window, e, shape.width, shape.newest_first, &name, names)],
        kernel: format!("a ring of {width} elements, copied out"),
    }
}

fn of_folds(window: &Window, a: &Agse, names: &Names) -> Out {
    let p = names.p;
    let (e, shape) = (&a.elements, a.shape);
    let value_type = elements::value_type(window, e, names);
    let monoids = pieces(&a.folds, |f| folds::monoid(f, value_type, names));
    let monoid = folds::nested(monoids, names);
    let (state, value) = (ours("folds"), ours("value"));
    let given = pieces(&a.folds, |_| value);
    let input = folds::input(given);
    let (bind, locals) = folds::results(a.folds.len());
    let mut shown = Piece::EMPTY;
    for (i, f) in a.folds.iter().enumerate() {
        let (name, value) = (&f.name, folds::shown(f, locals.get(i)));
        shown.extend(code!([value | name] #name: #value,));
    }
    let fields = each(&a.folds, |f| folds::field(f, value_type, names));
    let lifted = code!([monoid, p, input] <#monoid as #p::Monoid>::lift(#input));
    let (width, hop) = (shape.width, shape.hop);
    let (field, insert, query, kernel) = if hop >= width {
        // no element is in two windows
        let counter = ours("hop");
        let insert = code! { [counter, state, p, lifted | width]
            if self.#counter.left() <= #width { self.#state = #p::Monoid::combine(&self.#state, &#lifted); }
        };
        let query = code!([p, state, monoid] {
            let whole = #p::Monoid::lower(&self.#state);
            self.#state = <#monoid as #p::Monoid>::IDENTITY;
            whole
        });
        let value = code!([monoid, p] <#monoid as #p::Monoid>::IDENTITY);
        let field = State { name: state, ty: monoid, value, clear: None };
        (
            field,
            insert,
            query,
            "a running fold: no element is in two windows, one combine for each".to_string(),
        )
    } else {
        let (family, make) = super::memory(window, names);
        let pane = gcd(hop, width);
        let (panes, step) = (width / pane, hop / pane);
        let n = usize::try_from(panes).unwrap_or(usize::MAX);
        let of = if pane == 1 { String::new() } else { format!(" over panes of {pane}") };
        let (kernel, new, text) = if a.worst_case {
            let slots = n.next_power_of_two();
            (
                code!([p, monoid, family | slots] #p::Daba<#monoid, #slots, #family>),
                code!([p, make | n] #p::Daba::#make(#n)),
                format!(
                    "DABA Lite{of}, {panes} in the window: at most 6 combines in any step (`latency worst_case`)"
                ),
            )
        } else if panes <= RECOMPUTE && panes <= 4 * step {
            (
                code!([p, monoid, family | n] #p::Recompute<#monoid, #n, #family>),
                code!([p, make] #p::Recompute::#make()),
                format!("recompute{of}: {panes} combines for each record"),
            )
        } else if folds::all_have_inverses(&a.folds) {
            // without panes every state is of one value
            let how = if pane == 1 { code!([] Values) } else { code!([] States) };
            (
                code!([p, monoid, family, how | n] #p::Inverse<#monoid, #n, #family, #p::#how>),
                code!([p, make] #p::Inverse::#make()),
                format!("subtract on evict{of}, {panes} in the window: one combine and one inverse"),
            )
        } else {
            let how = if folds::all_of_something(&a.folds) { code!([] Folds) } else { code!([] States) };
            (
                code!([p, monoid, family, how | n] #p::TwoStacks<#monoid, #n, #family, #p::#how>),
                code!([p, make] #p::TwoStacks::#make()),
                format!("two-stacks{of}, {panes} in the window: 3 combines on average, {panes} at worst"),
            )
        };
        let first = (pane - shape.begin % pane) % pane + 1;
        let field = State {
            name: state,
            ty: code!([p, monoid, kernel] #p::Panes<#monoid, #kernel>),
            value: code!([p, new | pane, first] #p::Panes::new(#new, #first, #pane)),
            clear: Some(code!([state | first] self.#state.clear(#first);)),
        };
        let insert = code!([state, lifted] self.#state.insert(#lifted););
        (field, insert, code!([p, state] #p::Monoid::lower(&self.#state.query())), text)
    };
    Out { field, insert, before: code!([bind, query] let #bind = #query;), record: shown, fields, kernel }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The cost report.
fn explain(window: &Window, a: &Agse, kernel: &str) -> String {
    let t = a.timing;
    let of = each(&a.elements.sources, |s| {
        let name = &window.schema.types[window.types[0]].attributes[s.attribute].name;
        match s.index {
            Some(i) => format!("{name}[{i}]"),
            None => name.to_string(),
        }
    });
    let folds = each(&a.folds, |f| format!("{}: {}", f.name, folds::function_name(f)));
    let folds = if folds.is_empty() { String::new() } else { format!(" agg {{ {} }}", folds.join(", ")) };
    let sign = if a.shape.newest_first { "" } else { "-" };
    format!(
        "window {}: agse({}) @ ({}, {sign}{}){folds}\nelements: {} in each record of the source\norigin {}, tail {}, interval {}/{}, width {}\nkernel: {kernel}",
        window.name,
        of.join(", "),
        a.shape.hop,
        a.shape.width,
        a.elements.count,
        t.origin,
        t.tail,
        t.numerator,
        t.denominator,
        if a.folds.is_empty() { a.shape.width } else { a.folds.len() as u64 },
    )
}
