//! What a machine keeps of an event: no more than a later condition or the output reads.
use super::Kept;
use crate::hir::{self, AttributeId, Output, ReadAttribute, TypeId};
use crate::sorted::Map;

/// What conditions over several events and the output read, by event type.
pub(super) fn kept(pattern: &hir::Pattern) -> Map<TypeId, Kept> {
    let mut out: Map<TypeId, Kept> = Map::new();
    for a in &pattern.atoms {
        out.insert(a.ty, Kept::Attributes(Vec::new()));
    }
    if let Output::Select(fields) = &pattern.output {
        for f in fields {
            for a in &f.atoms {
                let event = pattern.event_type(*a);
                let ty = pattern.atoms[a.0].ty;
                match &f.attributes {
                    None => {
                        if let Some(kept) = out.get_mut(&ty) {
                            *kept = Kept::Record;
                        }
                    }
                    Some(all) => {
                        for name in all {
                            if let Some(a) = event.attribute(name) {
                                need(&mut out, ty, a);
                            }
                        }
                    }
                }
            }
        }
    }
    let mut all = |a: &ReadAttribute| {
        for (ty, a) in &a.of {
            need(&mut out, *ty, *a);
        }
    };
    for c in &pattern.conjuncts {
        if c.is_unary() {
            continue;
        }
        for r in &c.reads {
            for a in &r.attributes {
                all(a);
            }
        }
    }
    for &f in &pattern.needed().folds() {
        if let Some(a) = &pattern.fold(f).attribute {
            all(a);
        }
    }
    out
}

/// An attribute of a type is read.
fn need(out: &mut Map<TypeId, Kept>, ty: TypeId, attribute: AttributeId) {
    if let Some(Kept::Attributes(all)) = out.get_mut(&ty)
        && !all.contains(&attribute)
    {
        all.push(attribute);
        crate::sorted::unique(all);
    }
}
