//! The source of the machine.
//!
//! In: a [`Plan`]. Out: a struct with its methods and trait impls, the match type and its iterator, the guards. Every path is written in
//! full (`$crate::__private::…`, `::core::…`), so the output means the same in any scope and any edition; locals are hygienic.
mod bounds;
mod computed;
mod fields;
mod guards;
mod kept;
mod lanes;
mod latest;
mod machine;
mod matches;
mod monoid;
mod names;
mod partitioned;
mod passages;
mod registers;
mod results;
mod rewrite;
mod ring;
mod runs;
mod search;
mod skeleton;
mod starts;
mod summarize;
pub(crate) mod window;

pub(crate) use results::Emitted;
pub(crate) use skeleton::skeleton;

use crate::code::{Piece, code};
use crate::hir::Pattern;
use crate::plan::{Kernel, Plan};
use names::Names;

/// Emits one pattern's machine. `root` is the facade's path.
pub(crate) fn emit(pattern: &Pattern, plan: &Plan, root: Piece) -> Emitted {
    let names = Names::new(root, pattern);
    let guards = guards::guards(pattern, plan, &names);
    let machine = machine::machine(pattern, plan, &names);
    let matches = matches::matches(pattern, plan, &names);
    let (types, push) = match plan.kernel {
        Kernel::Latest if plan.keyed.is_some() => (Piece::EMPTY, starts::push(pattern, plan, &names)),
        Kernel::Latest => (Piece::EMPTY, latest::push(pattern, plan, &names)),
        Kernel::Partitioned | Kernel::Runs => (Piece::EMPTY, runs::push(pattern, plan, &names)),
        Kernel::Ring => {
            let mut types = kept::types(pattern, plan, &names);
            types.extend(registers::types(pattern, plan, &names));
            let mut push = registers::impls(pattern, plan, &names);
            push.extend(ring::push(pattern, plan, &names));
            (types, push)
        }
    };
    let p = names.p;
    let clock = match &pattern.clock {
        Some(_) => code!([p] use #p::Clock as __CepClock;),
        None => Piece::EMPTY,
    };
    let (definition, methods) = machine;
    let (match_types, match_impls) = matches;
    let (record, record_impls) = summarize::record(pattern, plan, &names);
    let (carried, events, schema) = results::results(pattern, plan, &names);
    let tokens = code! { [types, definition, match_types, record, carried, guards, methods, push, match_impls, record_impls, events, clock]
        #types
        #definition
        #match_types
        #record
        #carried
        #[allow(non_local_definitions, deprecated, clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = {
            // where there is no prelude
            #[allow(unused_imports)]
            use ::core::iter::Iterator as _;
            #clock
            #guards
            #methods
            #push
            #match_impls
            #record_impls
            #events
        };
    };
    Emitted { tokens, schema }
}
