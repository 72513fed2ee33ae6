//! `zip(…)`: windows and attributes of one source in one record.
//!
//! Each window keeps its newest elements in a ring, each attribute its newest value, and one counter for each tells how far the source is
//! ahead of what the next record needs. A quicker part waits in its ring for a slower one; how much has to be kept is known.
use super::frame::{self, State};
use super::{Emitted, Field, Names, elements};
use crate::code::{Piece, code};
use crate::emit::names::{member, our, ours};
use crate::hir::window::{Branch, BranchKind, Pairing, Window, Zip};
use crate::schema::Kind;

/// What the parts have put together so far.
struct Out {
    /// Fields of the machine.
    state: Vec<State>,
    /// Functions that flatten.
    functions: Piece,
    /// Takes an event.
    insert: Piece,
    /// Looks whether the next record is there.
    look: Piece,
    /// The fields of the record, made.
    made: Piece,
    /// On to the record behind it.
    advance: Piece,
    /// The fields of the record.
    shown: Vec<Field>,
    /// For the cost report.
    texts: Vec<String>,
    /// Elements of a record.
    width: u64,
}

pub(super) fn emit(window: &Window, z: &Zip, names: &Names) -> Emitted {
    let (p, on, ty) = (names.p, names.on, window.types[0]);
    let record = names.record;
    let (event, view, index) = (ours("event"), ours("view"), ours("index"));
    let origin = z.timing.origin;
    let mut out = Out {
        state: vec![plain(index, code!([] ::core::primitive::u64), Piece::of(&origin))],
        functions: Piece::EMPTY,
        insert: Piece::EMPTY,
        look: Piece::EMPTY,
        made: Piece::EMPTY,
        advance: Piece::EMPTY,
        shown: Vec::new(),
        texts: Vec::new(),
        width: 0,
    };
    let mut fields: Option<Pairing> = None;
    for (i, branch) in z.branches.iter().enumerate() {
        match &branch.kind {
            BranchKind::Window(..) => of_window(&mut out, window, branch, i, names),
            BranchKind::Field(n) => {
                of_field(&mut out, window, branch, *n, i, names);
                fields = Some(branch.pairing);
            }
        }
    }
    if let Some(pairing) = fields {
        // of all of them: they come with the source
        counter(&mut out, &pairing, 1, ours("fields"), ours("back"), names);
    }
    let Out { state, functions, insert, look, made, advance, shown, texts, width } = out;
    let take = code! { [view, on, p, event, insert | ty]
        if let ::core::option::Option::Some(#view) = <#on as #p::EventType<#ty>>::view(#event) { #insert }
    };
    let made_record = ours("record");
    let step = code! { [look, made_record, made, index, advance, record]
        #look
        let #made_record = #record { #made __index: self.#index };
        self.#index += 1;
        #advance
        ::core::option::Option::Some(#made_record)
    };
    let t = z.timing;
    let explain = format!(
        "window {}: zip of {}\norigin {}, tail {}, interval {}/{}, width {width}\nkernel: rings, copied out",
        window.name,
        texts.join("; "),
        t.origin,
        t.tail,
        t.numerator,
        t.denominator,
    );
    let parts = frame::Parts { fields: state, take, step, more: functions, timing: t, width, explain };
    let hidden = code!([] __index: ::core::primitive::u64,);
    let (record, schema) = super::record(window, names, &shown, hidden, Some(t), None);
    let machine = frame::frame(window, parts, names);
    Emitted { tokens: code!([machine, record] #machine #record), schema }
}

/// A field of the machine that takes no memory of its own.
fn plain(name: Piece, ty: Piece, value: Piece) -> State {
    State { name, ty, value, clear: None }
}

/// A part that is a window.
fn of_window(out: &mut Out, window: &Window, branch: &Branch, i: usize, names: &Names) {
    let BranchKind::Window(e, shape) = &branch.kind else { return };
    let (p, name) = (names.p, &branch.name);
    let flatten = our(format_args!("__cep_flatten_{i}"));
    out.functions.extend(elements::flatten(window, e, flatten, names));
    let element = elements::element_type(window, e, names);
    let fill = elements::fill(e, names);
    let count = usize::try_from(e.count).unwrap_or(usize::MAX);
    let width = usize::try_from(shape.width).unwrap_or(usize::MAX);
    let slots = usize::try_from(branch.pairing.slots).unwrap_or(usize::MAX);
    let (ring, given, event) =
        (our(format_args!("newest_{i}")), our(format_args!("given_{i}")), ours("event"));
    let order = if shape.newest_first { code!([] newest_first) } else { code!([] in_order) };
    let (family, make) = super::memory(window, names);
    out.state.push(State {
        name: ring,
        ty: code!([p, element, family | slots] #p::Newest<#element, #slots, #family>),
        value: code!([p, fill, make] #p::Newest::#make(#fill)),
        clear: Some(code!([ring] self.#ring.clear();)),
    });
    out.insert.extend(code! { [given, element, fill, event, ring, flatten | count]
        let mut #given: [#element; #count] = [#fill; #count];
        #flatten(#event, &mut #given);
        for element in #given { self.#ring.insert(element); }
    });
    let back = our(format_args!("back_{i}"));
    counter(out, &branch.pairing, e.count, our(format_args!("part_{i}")), back, names);
    out.made.extend(code!([ring, order, back | width, name] #name: self.#ring.#order::<#width>(#back),));
    out.shown.push(elements::field(window, e, shape.width, shape.newest_first, name, names));
    out.width += shape.width;
    out.texts.push(format!("{name}: {} of {slots} elements{}", shape.width, number(&branch.pairing)));
}

/// A part that is an attribute of the source.
fn of_field(out: &mut Out, window: &Window, branch: &Branch, n: usize, i: usize, names: &Names) {
    let (name, ty) = (&branch.name, window.types[0]);
    let a = &window.schema.types[ty].attributes[n];
    let field = member(a);
    let (held, view, of) = (our(format_args!("held_{i}")), ours("view"), names.attribute(ty, n));
    let none = code!([] ::core::option::Option::None);
    out.state.push(plain(held, code!([of] ::core::option::Option<#of>), none));
    out.insert.extend(code!([held, view, field] self.#held = ::core::option::Option::Some(*#view.#field);));
    out.look.extend(code!([held] let ::core::option::Option::Some(#held) = self.#held else { return ::core::option::Option::None };));
    out.made.extend(code!([held | name] #name: #held,));
    out.shown.push(Field {
        name: name.clone(),
        ty: of,
        doc: format!("`{}`", a.name),
        kind: if a.kind == Kind::Text { Kind::Text } else { a.kind.clone() },
        nullable: a.nullable,
        length: a.length,
        null_elements: a.null_elements,
        time: a.time,
    });
    out.width += a.length.unwrap_or(1);
    out.texts.push(format!("{name}: an attribute{}", number(&branch.pairing)));
}

/// Tells when a part is there; `back` is how many elements came since.
fn counter(out: &mut Out, pairing: &Pairing, count: u64, part: Piece, back: Piece, names: &Names) {
    let p = names.p;
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let Pairing { step, whole, rest, hop, ahead, .. } = *pairing;
    out.state.push(plain(part, code!([p] #p::Part), code!([p | rest, ahead] #p::Part::new(#ahead, #rest))));
    out.insert.extend(code!([part | count] self.#part.take(#count);));
    out.look.extend(code!([back, part] let ::core::option::Option::Some(#back) = self.#part.back() else { return ::core::option::Option::None };));
    out.advance.extend(code!([part | hop, whole, step] self.#part.advance(#step, #whole, #hop);));
}

/// Which of its records a part has in record n of the join.
fn number(pairing: &Pairing) -> String {
    match (pairing.step, pairing.whole) {
        (1, 1) => String::new(),
        (1, whole) => format!(", record n/{whole} in record n"),
        (step, whole) => format!(", record n*{step}/{whole} in record n"),
    }
}
