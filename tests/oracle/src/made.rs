//! Computed events: the `agg`s of a pattern, and what they make of a match.
use crate::aggregate::{Aggregate, Function, whole};
use crate::expr::{Attr, Var};
use crate::formula::{Node, bit};
use crate::model::{AttrDecl, Result, Ty, Value, invalid, unsupported};
use crate::resolve::Names;
use crate::state::{Content, State, members};
use crate::stream::Stream;
use cep_compiler::ast::{self, Argument, Formula};
use std::cell::RefCell;

/// An item at this index or behind it is a computed event: in front are the events of a stream.
const MADE: usize = 128;

/// An `agg` and the attributes of its events.
#[derive(Debug)]
pub(crate) struct Declared {
    /// The node of the syntax tree, which lives as long as the names.
    pub(crate) node: *const Formula,
    pub(crate) var: Var,
    pub(crate) fields: Vec<AttrDecl>,
}

/// An `agg`, resolved.
#[derive(Debug)]
pub(crate) struct Aggregation {
    id: usize,
    pub(crate) var: Var,
    fields: Vec<Field>,
}

#[derive(Debug)]
struct Field {
    aggregate: Aggregate,
    of: Var,
    attr: Option<Attr>,
    /// The formula binds it; otherwise something to its left.
    inside: bool,
}

impl Names<'_> {
    /// The function of a field, the variable it ranges over, and the attribute.
    pub(crate) fn argument(&self, a: &ast::Aggregate) -> Result<(Aggregate, Option<Var>, Option<Attr>)> {
        let name = a.function.to_string();
        let Some(aggregate) = Aggregate::from_name(&name) else {
            return unsupported(format!("the aggregate `{name}`"));
        };
        let var = |x: &proc_macro2::Ident| match self.var(&x.to_string()) {
            Some(v) => Ok(v),
            None => invalid(format!("the variable `{x}` of an aggregate")),
        };
        match &a.argument {
            Argument::Attribute { variable, attribute } => {
                let v = var(variable)?;
                Ok((aggregate, Some(v), Some(self.attribute(v, &attribute.to_string())?)))
            }
            _ if aggregate.function != Function::Count => invalid(format!("`{name}` without an attribute")),
            Argument::Variable(x) => Ok((aggregate, Some(var(x)?), None)),
            Argument::Results => Ok((aggregate, None, None)),
        }
    }

    /// Declares the computed events of an `agg`; those that it reads are declared.
    pub(crate) fn declare(&mut self, f: &Formula, variable: &str, list: &[ast::Aggregate]) -> Result<()> {
        let mut fields = Vec::new();
        for a in list {
            let (aggregate, var, attr) = self.argument(a)?;
            if var.is_none() {
                return unsupported("`count(*)` in `agg`");
            }
            let ty = attr.map_or(Ok(Ty::U64), |attr| aggregate.output(attr.ty))?;
            fields.push(AttrDecl { name: a.name.to_string(), ty, nullable: true, time: false });
        }
        let var = match self.var(variable) {
            Some(v) if self.made.iter().all(|m| m.var != v) => {
                return unsupported("an `agg` variable that also holds events");
            }
            Some(v) => v,
            None => {
                self.vars.push(variable.to_owned());
                self.types.push(vec![false; self.declaration.types.len()]);
                self.vars.len() - 1
            }
        };
        self.made.push(Declared { node: std::ptr::from_ref(f), var, fields });
        Ok(())
    }

    /// Resolves the `agg` number `id` over `inner`.
    pub(crate) fn aggregation(
        &self,
        id: usize,
        list: &[ast::Aggregate],
        inner: &Node,
    ) -> Result<Aggregation> {
        let mut fields = Vec::new();
        for a in list {
            let (aggregate, of, attr) = self.argument(a)?;
            let Some(of) = of else { return unsupported("`count(*)` in `agg`") };
            fields.push(Field { aggregate, of, attr, inside: inner.binds() & bit(of) != 0 });
        }
        Ok(Aggregation { id, var: self.made[id].var, fields })
    }
}

/// What a computed event is: its `agg` and the items that each of its attributes was folded from.
#[derive(Clone, PartialEq, Debug)]
struct Made {
    agg: usize,
    from: Vec<Vec<usize>>,
    /// The index of the last event of its match.
    time: usize,
    values: Vec<Value>,
}

/// Makes computed events, each once.
#[derive(Default)]
pub(crate) struct Workshop(RefCell<Vec<Made>>);

impl Workshop {
    /// The computed event of a match of the aggregated formula, whose scope is `frame`; none of an absent part.
    pub(crate) fn make(
        &self,
        stream: &Stream<'_>,
        state: &State,
        frame: usize,
        a: &Aggregation,
    ) -> Result<Option<usize>> {
        let Some((_, time)) = state.span else { return Ok(None) };
        let (mut from, mut values) = (Vec::new(), Vec::new());
        for f in &a.fields {
            let content = if f.inside { state.inside(f.of, frame) } else { state.outside(f.of, frame) };
            let items = self.items(&content);
            values.push(self.fold(stream, f.aggregate, f.attr.as_ref(), &items)?.0);
            from.push(items);
        }
        let mut all = self.0.borrow_mut();
        let known = all.iter().position(|m| m.agg == a.id && m.from == from);
        Ok(Some(known.unwrap_or_else(|| {
            all.push(Made { agg: a.id, from, time, values });
            all.len() - 1
        })))
    }

    /// Events of the stream by their index, or computed ones in order of time.
    pub(crate) fn items(&self, content: &Content) -> Vec<usize> {
        let mut made = content.made.clone();
        made.sort_by_key(|m| self.0.borrow()[*m].time);
        members(content.events).chain(made.into_iter().map(|m| MADE + m)).collect()
    }

    /// An attribute of an item; NULL where it has none.
    pub(crate) fn attribute(&self, stream: &Stream<'_>, attr: &Attr, item: usize) -> Value {
        if let Some(m) = item.checked_sub(MADE) {
            let made = &self.0.borrow()[m];
            return attr.made[made.agg].map_or(Value::Null, |i| made.values[i].clone());
        }
        let event = stream.events[item];
        attr.index[event.ty].and_then(|i| event.values.get(i)).cloned().unwrap_or(Value::Null)
    }

    /// The aggregate of some items, and its type.
    pub(crate) fn fold(
        &self,
        stream: &Stream<'_>,
        aggregate: Aggregate,
        attr: Option<&Attr>,
        items: &[usize],
    ) -> Result<(Value, Ty)> {
        let Some(attr) = attr else { return Ok((whole(items.len()), Ty::U64)) };
        let values: Vec<Value> = items.iter().map(|i| self.attribute(stream, attr, *i)).collect();
        Ok((aggregate.apply(attr.ty, &values)?, aggregate.output(attr.ty)?))
    }

    /// Which `agg` made a computed event, and its values.
    pub(crate) fn values(&self, id: usize) -> (usize, Vec<Value>) {
        let made = &self.0.borrow()[id];
        (made.agg, made.values.clone())
    }
}
