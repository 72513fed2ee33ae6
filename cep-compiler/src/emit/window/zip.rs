//! `zip(…)`: windows and attributes of one source in one record.
//!
//! All parts have the interval of the source, so each window moves by one record of it: number n of every part is there when the source's
//! record n is, and a delay is an offset into a longer ring.
use super::{Emitted, Field, Names, elements, frame};
use crate::code::{Piece, code};
use crate::emit::names::ours;
use crate::hir::window::{BranchKind, Window, Zip};
use crate::schema::Kind;
use proc_macro2::{Ident, Span};
use quote::format_ident;

pub(super) fn emit(window: &Window, z: &Zip, names: &Names) -> Emitted {
    let (p, on, ty) = (names.p, names.on, window.types[0]);
    let record = &names.record;
    let (event, view, ready, index) = (ours("event"), ours("view"), ours("record"), ours("index"));
    let begin = window.schema.timing.map_or(0, |t| t.origin);
    let origin = z.timing.origin;
    let mut fields = vec![(
        ready.clone(),
        code!([record] ::core::option::Option<#record>),
        code!([] ::core::option::Option::None),
    )];
    let (mut shown, mut functions, mut insert, mut made) =
        (Vec::new(), Piece::EMPTY, Piece::EMPTY, Piece::EMPTY);
    let (mut parts, mut flat) = (Vec::new(), 0);
    // how late each part is, in records; a record leaves as soon as its content is there
    let late = |e: &crate::hir::window::Elements, begun: u64, late: u64| begun - begin * e.count + late;
    let mut ahead = u64::MAX;
    for branch in &z.branches {
        ahead = ahead.min(match &branch.kind {
            BranchKind::Window(e, shape) => late(e, shape.begin, shape.late) / e.count,
            BranchKind::Field(_) => 0,
        });
    }
    let first = begin.saturating_add(ahead);
    fields.insert(0, (index.clone(), code!([] ::core::primitive::u64), Piece::of(&first)));
    for (i, branch) in z.branches.iter().enumerate() {
        let name = &branch.name;
        match &branch.kind {
            BranchKind::Window(e, shape) => {
                let flatten: Ident = format_ident!("__cep_flatten_{i}", span = Span::mixed_site());
                functions.extend(elements::flatten(window, e, &flatten, names));
                let element = elements::element_type(window, e, names);
                let fill = elements::fill(e, names);
                let count = usize::try_from(e.count).unwrap_or(usize::MAX);
                // the newest element of window n is the first one of its record
                let late = late(e, shape.begin, shape.late) - ahead * e.count + e.count - 1;
                let back = usize::try_from(late).unwrap_or(usize::MAX);
                let width = usize::try_from(shape.width).unwrap_or(usize::MAX);
                let slots = width.saturating_add(back);
                let (ring, given) = (ours(&format!("newest_{i}")), ours(&format!("given_{i}")));
                let order = if shape.newest_first { code!([] newest_first) } else { code!([] in_order) };
                fields.push((
                    ring.clone(),
                    code!([p, element, slots] #p::Newest<#element, #slots>),
                    code!([p, fill] #p::Newest::new(#fill)),
                ));
                insert.extend(code! { [given, element, count, fill, flatten, event, ring]
                    let mut #given: [#element; #count] = [#fill; #count];
                    #flatten(#event, &mut #given);
                    for element in #given { self.#ring.insert(element); }
                });
                made.extend(
                    code!([name, ring, order, width, back] #name: self.#ring.#order::<#width>(#back),),
                );
                shown.push(elements::field(window, e, shape.width, shape.newest_first, name, names));
                flat += shape.width;
                parts.push(format!("{name}: {} of {slots} elements", shape.width));
            }
            BranchKind::Field(n) => {
                let a = &window.schema.types[ty].attributes[*n];
                let mut field = a.field.clone();
                field.set_span(Span::call_site());
                made.extend(code!([name, view, field] #name: *#view.#field,));
                shown.push(Field {
                    name: name.clone(),
                    ty: names.attribute(ty, *n),
                    doc: format!("`{}`", a.name),
                    kind: if a.kind == Kind::Text { Kind::Text } else { a.kind.clone() },
                    nullable: a.nullable,
                    length: a.length,
                    null_elements: a.null_elements,
                    time: a.time,
                });
                flat += a.length.unwrap_or(1);
                parts.push(format!("{name}: an attribute"));
            }
        }
    }
    let take = code! { [view, on, p, ty, event, insert, index, origin, ready, record, made]
        if let ::core::option::Option::Some(#view) = <#on as #p::EventType<#ty>>::view(#event) {
            #insert
            if self.#index >= #origin {
                self.#ready = ::core::option::Option::Some(#record { #made __index: self.#index });
            }
            self.#index += 1;
        }
    };
    let t = z.timing;
    let explain = format!(
        "window {}: zip of {}\norigin {}, tail {}, interval {}/{}, width {}\nkernel: rings, copied out",
        window.name,
        parts.join("; "),
        t.origin,
        t.tail,
        t.numerator,
        t.denominator,
        flat,
    );
    let parts = frame::Parts {
        fields,
        take,
        step: code!([ready] self.#ready.take()),
        more: functions,
        timing: t,
        width: flat,
        explain,
    };
    let hidden = code!([] __index: ::core::primitive::u64,);
    let (record, schema) = super::record(window, names, &shown, hidden, Some(t), None);
    let machine = frame::frame(window, parts, names);
    Emitted { tokens: code!([machine, record] #machine #record), schema }
}
