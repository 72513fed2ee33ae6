//! What a machine keeps of an event: no more than a later condition or the output reads.
use super::Kept;
use crate::hir::{self, AttributeId, Output, TypeId};
use crate::sorted::Map;

/// What conditions over several events and the output read, by event type.
pub(super) fn kept(pattern: &hir::Pattern) -> Map<TypeId, Kept> {
    let mut out: Map<TypeId, Kept> = Map::new();
    for a in &pattern.atoms {
        out.insert(a.ty, Kept::Attributes(Vec::new()));
    }
    let mut need = |ty: TypeId, attributes: Option<Vec<AttributeId>>| match (out.get_mut(&ty), attributes) {
        (Some(k), None) => *k = Kept::Record,
        (Some(Kept::Attributes(all)), Some(more)) => {
            for a in more {
                if !all.contains(&a) {
                    all.push(a);
                }
            }
            crate::sorted::unique(all);
        }
        _ => {}
    };
    if let Output::Select(fields) = &pattern.output {
        for f in fields {
            for a in &f.atoms {
                let event = pattern.event_type(*a);
                let named = |n: &proc_macro2::Ident| {
                    event.attributes.iter().position(|x| x.name == *n).map(AttributeId)
                };
                let attributes = f.attributes.as_ref().map(|all| all.iter().filter_map(named).collect());
                need(pattern.atoms[a.0].ty, attributes);
            }
        }
    }
    for c in pattern.conjuncts.iter().filter(|c| !c.is_unary()) {
        for (ty, a) in c.reads.iter().flat_map(|r| &r.attributes).flat_map(|a| &a.of) {
            need(*ty, Some(vec![*a]));
        }
    }
    for f in pattern.needed().folds() {
        for (ty, a) in pattern.fold(f).attribute.iter().flat_map(|a| &a.of) {
            need(*ty, Some(vec![*a]));
        }
    }
    out
}
