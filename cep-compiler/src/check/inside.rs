//! `within window Trip`: whether the pattern can run inside of that window.
use crate::ast::{self, Within};
use crate::diagnostic::{Code, Diagnostics};
use crate::schema::Schema;
use proc_macro2::Ident;

/// `within window Trip`: the item, and how many of its windows can be open at once.
pub(crate) fn item(
    pattern: &ast::Pattern,
    schema: &Schema,
    item: Option<&Schema>,
    d: &mut Diagnostics,
) -> (Option<Ident>, Option<u64>) {
    let Some((clause, name)) = pattern.clauses.within.as_ref().and_then(|c| match &c.value {
        Within::Window(name) => Some((c, name)),
        _ => None,
    }) else {
        return (None, None);
    };
    // what has no schema was reported with it
    let Some(item) = item else { return (None, None) };
    let Some(held) = &item.held else {
        d.error(Code::NoClock, name.span(), format!("a pattern cannot run inside of `{name}`"))
            .note("it can inside of a predicate window that does not give up elements (`or evict`) and is no more visible than its stream: there each event lies in one window of its key or in none")
            .help(format!("`window {name} on {} = predicate {{ start: …, end: … }}`; a number of events is `within 5 events`", schema.name));
        return (None, None);
    };
    if held.of != schema.name {
        d.error(
            Code::NoClock,
            name.span(),
            format!("`{name}` is a window on `{}`, and this pattern runs on `{}`", held.of, schema.name),
        )
        .help("both have to see the same events: let them run on one stream");
    }
    if let Some(partition) = &pattern.clauses.partition {
        d.error(
            Code::NotSupported,
            partition.loc,
            "`partition by` beside `within window` is not supported yet",
        )
        .note("each window has the events of one key of its own")
        .help(format!("write `partition: …` in `{name}`, or compare the attributes in a `filter`"));
    }
    let storage = pattern.clauses.storage.as_ref().map(|s| s.value);
    if held.boxed && storage != Some(ast::Storage::Boxed) {
        d.error(
            Code::MissingBound,
            clause.loc,
            format!("`{name}` is on the heap, and so is what runs inside of it"),
        )
        .help("add `storage boxed`");
    }
    (Some(name.clone()), Some(held.keys))
}
