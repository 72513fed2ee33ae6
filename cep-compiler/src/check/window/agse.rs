//! `agse(…) @ (k, w)`.
use super::{attribute, folds, reduced, too_large};
use crate::ast::{self, Element, Folds};
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::window::{Agse, Elements, Shape, Source};
use crate::nearest::list;
use crate::schema::joined::is_joined;
use crate::schema::{EventType, Int, Kind, Timing};
use crate::slices::{any, find, pick};

/// The widest a window may be: its record is one value.
pub(super) const MOST: u64 = 1 << 20;

/// Checks a window of this kind.
pub(super) fn agse(
    a: &ast::Agse,
    folds: Option<&Folds>,
    of: &EventType,
    source: Timing,
    d: &mut Diagnostics,
) -> Option<Agse> {
    let before = d.list().len();
    let elements = elements(a, of, d);
    let elements = elements?;
    let shape_and_timing = shape(a, elements.count, source, d);
    let folded = folds.map_or_else(Vec::new, |f| folds::of_elements(f, &elements, d));
    if d.list().len() > before {
        return None;
    }
    let (shape, timing) = shape_and_timing?;
    let worst_case = folds.is_some_and(|f| f.worst_case.is_some());
    Some(Agse { elements, shape, timing, folds: folded, worst_case })
}

/// Where the windows lie, and when their records come.
pub(super) fn shape(
    a: &ast::Agse,
    count: u64,
    source: Timing,
    d: &mut Diagnostics,
) -> Option<(Shape, Timing)> {
    let width = a.width.unsigned_abs();
    if width > MOST {
        d.error(Code::TooLarge, a.size, format!("a window of {width} elements is wider than {MOST}"))
            .help("fold it in two steps: a window over a window");
        return None;
    }
    let computed = compute(a, width, count, source);
    if computed.is_none() {
        too_large(a.size, "the number of a window's first record, its tail or its interval", d);
    }
    computed
}

/// The formulas; `None`: something overflows.
fn compute(a: &ast::Agse, width: u64, count: u64, source: Timing) -> Option<(Shape, Timing)> {
    let source_origin = source.origin.checked_add(a.source_delay)?;
    let source_tail = source.tail.saturating_sub(a.source_delay);
    let begin = source_origin.checked_mul(count)?;
    // the smallest n whose oldest element is there
    let origin = begin.checked_add(width - 1)?.div_ceil(a.hop);
    let first = origin.checked_mul(a.hop)? - begin + 1;
    let tail = source_tail.checked_add(1)?.checked_mul(count)?.div_ceil(a.hop) - 1;
    let (hop, flat) = reduced(a.hop, count);
    let (hop, below) = reduced(hop, source.denominator);
    let (above, flat) = reduced(source.numerator, flat);
    let timing = Timing {
        origin: origin.checked_add(a.delay)?,
        tail: tail.saturating_sub(a.delay),
        numerator: above.checked_mul(hop)?,
        denominator: below.checked_mul(flat)?,
    };
    let late = a.delay.checked_mul(a.hop)?;
    let newest_first = a.width > 0;
    let shape = Shape { hop: a.hop, width, newest_first, begin, first, origin: timing.origin, late };
    Some((shape, timing))
}

/// The attributes that are flattened, with their common type.
pub(super) fn elements(a: &ast::Agse, of: &EventType, d: &mut Diagnostics) -> Option<Elements> {
    let before = d.list().len();
    let all: Vec<Element>;
    let named = match &a.elements {
        Some(named) => named,
        None => {
            // of a match, what its events have
            let parents = any(&of.attributes, |x| is_joined(&x.name));
            all = pick(&of.attributes, |x| {
                let ours = !is_joined(&x.name) && (parents || x.is_ours());
                (!ours).then(|| Element { attribute: x.name.clone(), index: None, cast: None, loc: a.word })
            });
            &all
        }
    };
    if named.is_empty() {
        d.error(Code::UnknownAttribute, a.word, format!("`{}` has no attributes to be flattened", of.name))
            .help("a window needs at least one element in each event");
        return None;
    }
    let mut sources = Vec::new();
    let mut seen: Vec<(Source, Kind, Loc)> = Vec::new();
    for e in named {
        if let Some(found) = source(e, a, of, d) {
            seen.push(found);
        }
    }
    if d.list().len() > before {
        return None;
    }
    let kind = common(&seen, d)?;
    let mut count = 0u64;
    let mut nullable = false;
    for (source, _, loc) in seen {
        let own = if source.index.is_some() { 1 } else { source.length.unwrap_or(1) };
        count = count.saturating_add(own);
        nullable |= source.nullable || source.null_elements;
        if own == 0 || count > MOST {
            d.error(Code::TooLarge, loc, format!("a record has from 1 to {MOST} elements"))
                .help("name the attributes that the window is about");
            return None;
        }
        sources.push(source);
    }
    Some(Elements { sources, kind, nullable, count })
}

/// One attribute, with the type that its elements are to have.
pub(super) fn source(
    e: &Element,
    a: &ast::Agse,
    of: &EventType,
    d: &mut Diagnostics,
) -> Option<(Source, Kind, Loc)> {
    let n = attribute(&e.attribute, of, d)?;
    let found = &of.attributes[n];
    let name = &found.name;
    let (from, length) = match &found.kind {
        Kind::Array(element) => match found.length {
            Some(length) => ((**element).clone(), Some(length)),
            None => {
                d.error(
                    Code::NotSupported,
                    e.loc,
                    format!("how many elements `{name}` has is not seen here"),
                )
                .note("the origin and the tail of a window are computed while it is compiled")
                .help("write the length of the array as a number, `[f64; 3]`");
                return None;
            }
        },
        kind => (kind.clone(), None),
    };
    match (e.index, length) {
        (Some(i), Some(length)) if i >= length => {
            d.error(Code::UnknownAttribute, e.loc, format!("`{name}` has {length} elements, from 0 on"))
                .help(format!("the last one is `{name}[{}]`", length.saturating_sub(1)));
            return None;
        }
        (Some(_), None) => {
            d.error(Code::UnlikeTypes, e.loc, format!("`{name}` is no array"))
                .help(format!("write `agse({name})`"));
            return None;
        }
        _ => {}
    }
    let elements = ["a number", "a `Text<N>`", "an array of numbers"];
    if !matches!(from, Kind::Int(_) | Kind::Float(_) | Kind::Text | Kind::Str) {
        d.error(Code::UnlikeTypes, e.loc, format!("`{name}` cannot be an element of a window"))
            .note(format!("an element is {}", elements.join(", ")))
            .help("name the attributes that are, `agse(a, b)`; behind a type alias a number is not seen");
        return None;
    }
    if !found.kept {
        d.error(Code::NotKept, e.loc, format!("`{name}` cannot be kept after its event"))
            .help("an element is copied into the window: leave out `no_copy`, or use an owned `Copy` type");
        return None;
    }
    let cast = e.cast.as_ref().or(a.cast.as_ref());
    let to = match cast {
        None => from.clone(),
        Some(ty) => match crate::check::primitive(&ty.to_string()) {
            Some(to @ (Kind::Int(_) | Kind::Float(_))) if matches!(from, Kind::Int(_) | Kind::Float(_)) => to,
            _ => {
                d.error(Code::UnlikeTypes, ty.span(), format!("`{name}` cannot become `{ty}`"))
                    .help("a number can be read as another number: `agse(value as f64)`");
                return None;
            }
        },
    };
    let source = Source {
        attribute: n,
        length,
        index: e.index,
        from,
        nullable: found.nullable,
        null_elements: found.null_elements,
        cast: cast.is_some(),
    };
    Some((source, to, e.loc))
}

/// The widest type, if every other one fits it without loss.
fn common(seen: &[(Source, Kind, Loc)], d: &mut Diagnostics) -> Option<Kind> {
    let (_, first, _) = seen.first()?;
    let mut widest = first;
    for (_, kind, _) in seen {
        if !fits(kind, widest) && fits(widest, kind) {
            widest = kind;
        }
    }
    let Some((_, other, loc)) = find(seen, |(_, kind, _)| !fits(kind, widest)) else {
        // texts are of one type only where they are of one attribute, as far as their spelling tells
        return Some(widest.clone());
    };
    let texts = |k: &Kind| matches!(k, Kind::Text | Kind::Str);
    let types = [kind_name(widest), kind_name(other)];
    let e = d.error(
        Code::UnlikeTypes,
        *loc,
        format!("the elements of a window have one type, and these are {}", list(&types)),
    );
    if texts(widest) || texts(other) {
        e.note("a text is no number").help("give the texts a window of their own");
    } else {
        e.note("neither holds every value of the other")
            .help("say which it shall be: `agse(a as f64, b as f64)`, or `agse(a, b) as f64`");
    }
    None
}

/// Every value of `from` is one of `to`.
fn fits(from: &Kind, to: &Kind) -> bool {
    let mantissa = |bits: u8| if bits == 32 { 24 } else { 53 };
    match (from, to) {
        (Kind::Int(a), Kind::Int(b)) => {
            a == b
                || !a.size
                    && (a.signed == b.signed && a.bits <= least(b)
                        || !a.signed && b.signed && a.bits < least(b))
        }
        (Kind::Int(a), Kind::Float(bits)) => !a.size && a.bits - u8::from(a.signed) <= mantissa(*bits),
        (Kind::Float(a), Kind::Float(b)) => a <= b,
        (a, b) => a == b,
    }
}

/// The bits that an integer has on every platform: `usize` is known to have 16.
fn least(i: &Int) -> u8 {
    if i.size { 16 } else { i.bits }
}

fn kind_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Str => "&str",
        kind => kind.primitive().unwrap_or("Text"),
    }
}
