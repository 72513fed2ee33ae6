//! `zip(…)`: windows and attributes of one source, joined by their number.
use super::{agse, attribute};
use crate::ast;
use crate::diagnostic::{Code, Diagnostics, Loc};
use crate::hir::window::{Branch, BranchKind, Zip};
use crate::schema::{EventType, Timing};
use crate::slices::any;
use proc_macro2::Ident;

/// Checks the parts of a join.
pub(super) fn zip(
    branches: &[ast::Branch],
    at: Loc,
    of: &EventType,
    source: Timing,
    d: &mut Diagnostics,
) -> Option<Zip> {
    let before = d.list().len();
    let mut out: Vec<Branch> = Vec::new();
    let mut timing: Option<Timing> = None;
    let mut windows = 0;
    for branch in branches {
        let (name, kind, own, loc) = match branch {
            ast::Branch::Window(a, name) => {
                windows += 1;
                let Some(elements) = agse::elements(a, of, d) else { continue };
                let Some((shape, own)) = agse::shape(a, elements.count, source, d) else { continue };
                let name = name.clone().unwrap_or_else(|| Ident::new("values", a.word.first));
                (name, BranchKind::Window(elements, shape), own, a.size)
            }
            ast::Branch::Field(field, name) => {
                let Some(n) = attribute(field, of, d) else { continue };
                if !of.attributes[n].kept {
                    d.error(Code::NotKept, field.span(), format!("`{field}` cannot be kept after its event"))
                        .help("leave it out, or make it `Copy`");
                    continue;
                }
                let name = name.clone().unwrap_or_else(|| crate::schema::joined::flat(field));
                (name, BranchKind::Field(n), source, field.span().into())
            }
        };
        if any(&out, |b| b.name == name) {
            d.error(Code::FieldClash, loc, format!("two fields of the record would be called `{name}`"))
                .help("give one of them another name: `agse(value) @ (1, 3) as taps`");
            continue;
        }
        // the source is what everything is joined with: number n of each is there when its record n is
        if (own.numerator, own.denominator) != (source.numerator, source.denominator) {
            d.error(Code::NotSupported, loc, "joining records of different intervals is not supported yet")
                .note(format!(
                    "the source has {}/{}, this {}/{}",
                    source.numerator, source.denominator, own.numerator, own.denominator
                ))
                .help("a window of hop F over F elements of a record has the interval of its source");
            continue;
        }
        timing = Some(match timing {
            None => own,
            Some(t) => Timing { origin: t.origin.max(own.origin), tail: t.tail.max(own.tail), ..t },
        });
        out.push(Branch { name, kind });
    }
    if d.list().len() > before {
        return None;
    }
    if windows == 0 || out.len() < 2 {
        d.error(Code::Syntax, at, "a join is of a window and something else")
            .help("write `zip(agse(value) @ (1, 3), value)`");
        return None;
    }
    Some(Zip { branches: out, timing: timing? })
}
