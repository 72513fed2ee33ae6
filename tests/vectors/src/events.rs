//! What `events_decl` declares, for the oracle and for the compiler, and values of its types.
use crate::format::{Entry, Error, Vector, wrong};
use cep_compiler::schema::{Schema, derive, read};
use cep_oracle::{AttrDecl, Declaration, Event, Ty, TypeDecl};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use serde_json::{Map, Value};

/// The event types of a vector.
#[derive(Clone, Debug)]
pub struct Events {
    /// For the oracle.
    pub declaration: Declaration,
    /// For the compiler.
    pub schema: Schema,
    /// Per event type, its variant and its fields; in the order of the declaration.
    types: Vec<(String, Vec<Field>)>,
}

/// A Rust type that a value of JSON can be written in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spelled {
    /// What the oracle makes of it.
    pub ty: Ty,
    /// An `Option`.
    pub nullable: bool,
    /// `Text<N>`
    text: bool,
    /// `[T; N]`: N elements
    array: Option<usize>,
}

#[derive(Clone, Debug)]
struct Field {
    /// In patterns and vectors.
    attribute: String,
    /// In Rust.
    field: String,
    ty: Spelled,
}

impl Spelled {
    /// Reads a type's spelling.
    ///
    /// # Errors
    /// A type whose values the format does not have.
    pub fn of(ty: &syn::Type) -> Result<Spelled, Error> {
        if let Some(inner) = argument(ty, "Option") {
            let inner = Spelled::of(&inner)?;
            return Ok(Spelled { nullable: true, ..inner });
        }
        if let syn::Type::Array(a) = ty {
            let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) = &a.len else {
                return wrong("the length of an array is a number");
            };
            let n = n.base10_parse().map_err(|e| Error(e.to_string()))?;
            return Ok(Spelled { array: Some(n), ..Spelled::of(&a.elem)? });
        }
        let spelling = ty.to_token_stream().to_string().replace("& 'static", "&'static");
        if argument(ty, "Text").is_some() {
            return Ok(Spelled { ty: Ty::Str, nullable: false, text: true, array: None });
        }
        match Ty::from_name(&spelling) {
            Some(ty) => Ok(Spelled { ty, nullable: false, text: false, array: None }),
            None => wrong(format!("values of type `{spelling}` cannot be written in a vector")),
        }
    }

    /// A type that is no `Option` and no `Text<N>`.
    #[must_use]
    pub fn of_declared(ty: Ty) -> Spelled {
        Spelled { ty, nullable: false, text: false, array: None }
    }

    /// For the oracle.
    ///
    /// # Errors
    /// A value that is none of the type's.
    pub fn value(&self, v: &Value) -> Result<cep_oracle::Value, Error> {
        use cep_oracle::Value as V;
        let whole = |v: &Value| v.as_i64().map(i128::from).or_else(|| v.as_u64().map(i128::from));
        let found = match (self.ty, v) {
            // the oracle has no arrays
            _ if self.array.is_some() => None,
            (_, Value::Null) if self.nullable => Some(V::Null),
            (ty, v) if let Some((low, high)) = ty.range() => {
                whole(v).filter(|n| (low..=high).contains(n)).map(V::Int)
            }
            (Ty::F32 | Ty::F64, v) => float(v).map(V::Float),
            (Ty::Bool, v) => v.as_bool().map(V::Bool),
            (Ty::Char, Value::String(s)) => Some(s).filter(|s| s.chars().count() == 1).and_then(|s| {
                let c = s.chars().next()?;
                Some(V::Char(c))
            }),
            (Ty::Str | Ty::String, Value::String(s)) => Some(V::Str(s.clone())),
            _ => None,
        };
        match found {
            Some(v) => Ok(v),
            None => wrong(format!("`{v}` is no value of type `{}`", self.ty.name())),
        }
    }

    /// As a Rust expression of this very type.
    ///
    /// # Errors
    /// A value that is none of the type's.
    pub fn expression(&self, v: &Value) -> Result<String, Error> {
        use cep_oracle::Value as V;
        let name = self.ty.name();
        if let Some(n) = self.array {
            let Some(list) = v.as_array().filter(|l| l.len() == n) else {
                return wrong(format!("`{v}` is no list of {n}"));
            };
            let one = Spelled { array: None, ..self.clone() };
            let list = list.iter().map(|v| one.expression(v)).collect::<Result<Vec<_>, _>>()?;
            return Ok(format!("[{}]", list.join(", ")));
        }
        let plain = match self.value(v)? {
            V::Null => return Ok("None".to_owned()),
            V::Int(n) => format!("{n}{name}"),
            V::Float(f) if f.is_nan() => format!("{name}::NAN"),
            V::Float(f) if f.is_infinite() => {
                format!("{name}::{}INFINITY", if f > 0.0 { "" } else { "NEG_" })
            }
            V::Float(f) => format!("{f:?}{name}"),
            V::Bool(b) => b.to_string(),
            V::Char(c) => format!("{c:?}"),
            V::Str(s) if self.text => format!("::cep::Text::new({s:?}).expect(\"fits\")"),
            V::Str(s) if self.ty == Ty::String => format!("::std::string::String::from({s:?})"),
            V::Str(s) => format!("{s:?}"),
        };
        Ok(if self.nullable { format!("Some({plain})") } else { plain })
    }
}

/// A number, or one that JSON cannot write.
fn float(v: &Value) -> Option<f64> {
    match v {
        Value::String(s) => match s.as_str() {
            "NaN" => Some(f64::NAN),
            "inf" => Some(f64::INFINITY),
            "-inf" => Some(f64::NEG_INFINITY),
            "-0.0" => Some(-0.0),
            _ => None,
        },
        v => v.as_f64(),
    }
}

/// `X` of `Option<X>`, by its last segment; a constant argument counts as the type `()`.
fn argument(ty: &syn::Type, of: &str) -> Option<syn::Type> {
    let syn::Type::Path(p) = ty else { return None };
    let last = p.path.segments.last().filter(|s| s.ident == of)?;
    let syn::PathArguments::AngleBracketed(a) = &last.arguments else { return None };
    match a.args.first()? {
        syn::GenericArgument::Type(t) => Some(t.clone()),
        syn::GenericArgument::Const(_) => syn::parse_str("()").ok(),
        _ => None,
    }
}

impl Events {
    /// Reads the body of an enum.
    ///
    /// # Errors
    /// What is not Rust, is no event, or has types that the format has no values of.
    pub fn parse(body: &str) -> Result<Events, Error> {
        let text = format!("pub enum E {{ {body} }}");
        let item: syn::ItemEnum =
            syn::parse_str(&text).map_err(|e| Error(format!("in `events_decl`: {e}")))?;
        let mut unit = 1_000_000;
        let mut types = Vec::new();
        let mut declared = Vec::new();
        for v in &item.variants {
            let name = options(&v.attrs)?.name.unwrap_or_else(|| v.ident.to_string());
            let (mut fields, mut attributes) = (Vec::new(), Vec::new());
            for f in &v.fields {
                let Some(field) = f.ident.as_ref().map(ToString::to_string) else {
                    return wrong("in `events_decl`: the fields of a variant need names");
                };
                let given = options(&f.attrs)?;
                if given.skip {
                    return wrong("in `events_decl`: a skipped field has no value in a vector");
                }
                let ty = Spelled::of(&f.ty)?;
                let attribute = given.name.unwrap_or_else(|| field.clone());
                if let Some(nanoseconds) = given.time {
                    unit = nanoseconds;
                }
                attributes.push(AttrDecl {
                    name: attribute.clone(),
                    ty: ty.ty,
                    nullable: ty.nullable,
                    time: given.time.is_some(),
                });
                fields.push(Field { attribute, field, ty });
            }
            declared.push(TypeDecl { name, attributes });
            types.push((v.ident.to_string(), fields));
        }
        let declaration = Declaration { clock_unit: unit, ..Declaration::new(declared) };
        Ok(Events { declaration, schema: schema(&text)?, types })
    }

    fn find(&self, ty: &str) -> Result<usize, Error> {
        match self.declaration.type_index(ty) {
            Some(i) => Ok(i),
            None => wrong(format!("there is no event type `{ty}`")),
        }
    }

    /// An event's attributes in the declared order; what is left out is NULL.
    fn given<'a>(
        &'a self,
        ty: &str,
        attributes: &'a Map<String, Value>,
    ) -> Result<Vec<(&'a Field, &'a Value)>, Error> {
        let (_, fields) = &self.types[self.find(ty)?];
        if let Some(unknown) = attributes.keys().find(|k| fields.iter().all(|f| f.attribute != **k)) {
            return wrong(format!("the event type `{ty}` has no attribute `{unknown}`"));
        }
        Ok(fields.iter().map(|f| (f, attributes.get(&f.attribute).unwrap_or(&Value::Null))).collect())
    }

    /// An event for the oracle.
    ///
    /// # Errors
    /// What the declaration does not have.
    pub fn event(&self, ty: &str, attributes: &Map<String, Value>) -> Result<Event, Error> {
        let values = self.given(ty, attributes)?.into_iter().map(|(f, v)| f.ty.value(v));
        Ok(Event { ty: self.find(ty)?, values: values.collect::<Result<_, _>>()? })
    }

    /// An event as a Rust expression, `E::A { v: 1i64 }`.
    ///
    /// # Errors
    /// What the declaration does not have.
    pub fn expression(&self, ty: &str, attributes: &Map<String, Value>) -> Result<String, Error> {
        let variant = &self.types[self.find(ty)?].0;
        let mut fields = Vec::new();
        for (f, v) in self.given(ty, attributes)? {
            fields.push(format!("{}: {}", f.field, f.ty.expression(v)?));
        }
        Ok(if fields.is_empty() {
            format!("E::{variant}")
        } else {
            format!("E::{variant} {{ {} }}", fields.join(", "))
        })
    }

    /// The type of `#[event(time)]` attributes.
    #[must_use]
    pub fn clock(&self) -> Option<Spelled> {
        let attributes = self.declaration.types.iter().flat_map(|t| &t.attributes);
        attributes.into_iter().find(|a| a.time).map(|a| Spelled::of_declared(a.ty))
    }

    /// Everything a vector's machine is told, for the oracle.
    ///
    /// # Errors
    /// What the declaration does not have; a heartbeat, which is for windows.
    pub fn steps(&self, vector: &Vector) -> Result<Vec<cep_oracle::Step>, Error> {
        let time = |t: &Value| match t.as_i64() {
            Some(n) => Ok(cep_oracle::Value::Int(n.into())),
            None => match float(t) {
                Some(f) => Ok(cep_oracle::Value::Float(f)),
                None => wrong(format!("`{t}` is no time")),
            },
        };
        let step = |e: &Entry| {
            Ok(match e {
                Entry::Event { ty, attributes } => cep_oracle::Step::Push(self.event(ty, attributes)?),
                Entry::Advance(t) => cep_oracle::Step::Advance(time(t)?),
                Entry::Finish => cep_oracle::Step::Finish,
                Entry::Heartbeat(_) => return wrong("a heartbeat, which is for windows"),
            })
        };
        vector.entries.iter().map(step).collect()
    }
}

/// What `#[event(…)]` says, as far as the vectors care.
#[derive(Default)]
struct Options {
    name: Option<String>,
    /// Nanoseconds per unit.
    time: Option<u64>,
    skip: bool,
}

fn options(attributes: &[syn::Attribute]) -> Result<Options, Error> {
    let mut found = Options::default();
    for a in attributes.iter().filter(|a| a.path().is_ident("event")) {
        let read = a.parse_nested_meta(|m| {
            let text = if m.input.peek(syn::Token![=]) {
                Some(m.value()?.parse::<syn::LitStr>()?.value())
            } else {
                None
            };
            if m.path.is_ident("name") {
                found.name = text;
            } else if m.path.is_ident("time") {
                found.time = Some(nanoseconds(text.as_deref().unwrap_or("ms")));
            } else if m.path.is_ident("skip") {
                found.skip = true;
            }
            Ok(())
        });
        read.map_err(|e| Error(format!("in `events_decl`: {e}")))?;
    }
    Ok(found)
}

fn nanoseconds(unit: &str) -> u64 {
    match unit {
        "ns" => 1,
        "us" => 1_000,
        "s" => 1_000_000_000,
        "min" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        "d" => 86_400_000_000_000,
        _ => 1_000_000,
    }
}

/// The schema that the derive writes: it stands in the first arm of the `macro_rules!` at the end of its output.
fn schema(item: &str) -> Result<Schema, Error> {
    let tokens: TokenStream = item.parse().map_err(|e| Error(format!("in `events_decl`: {e}")))?;
    let out: Vec<TokenTree> = derive::derive(tokens).into_iter().collect();
    let found = dig(&out).and_then(|schema| read::read(schema).ok());
    match found {
        Some(schema) => Ok(schema),
        None => wrong("`#[derive(Event)]` refuses `events_decl`"),
    }
}

fn dig(out: &[TokenTree]) -> Option<TokenStream> {
    let at = out.iter().position(|t| t.to_string() == "macro_rules")?;
    let braces = |tokens: TokenStream| {
        tokens.into_iter().filter_map(|t| match t {
            TokenTree::Group(g) if g.delimiter() == Delimiter::Brace => Some(g.stream()),
            _ => None,
        })
    };
    let TokenTree::Group(arms) = out.get(at + 3)? else { return None };
    let TokenTree::Group(first) = arms.stream().into_iter().nth(3)? else { return None };
    braces(braces(first.stream()).last()?).next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_declaration_for_both() {
        let e = Events::parse(
            "#[event(name = \"T\")] Temperature { id: u32, #[event(name = \"x\")] f: Option<f64> }, \
             H { #[event(time = \"s\")] t: i64, s: cep::Text<4> }, U",
        )
        .expect("a declaration");
        assert_eq!(e.schema.types.len(), 3);
        assert_eq!(e.schema.types[0].name, "T");
        assert_eq!(e.declaration.clock_unit, 1_000_000_000);
        assert_eq!(e.declaration.types[1].attributes[1].ty, Ty::Str);
        let json = json!({"id": 3, "x": null});
        let attributes = json.as_object().expect("an object");
        assert_eq!(e.expression("T", attributes), Ok("E::Temperature { id: 3u32, f: None }".into()));
        assert_eq!(
            e.event("T", attributes).map(|e| e.values),
            Ok(vec![cep_oracle::Value::Int(3), cep_oracle::Value::Null])
        );
        assert_eq!(e.expression("U", &Map::new()), Ok("E::U".into()));
        assert!(e.expression("H", attributes).is_err() && e.expression("X", attributes).is_err());
    }

    #[test]
    fn numbers_take_the_declared_type() {
        let as_ = |ty: &str, v: Value| {
            Spelled::of(&syn::parse_str(ty).expect("a type")).expect("known").expression(&v)
        };
        assert_eq!(as_("f64", json!(3)), Ok("3.0f64".into()));
        assert_eq!(as_("f32", json!(-0.5)), Ok("-0.5f32".into()));
        assert_eq!(as_("f64", json!("NaN")), Ok("f64::NAN".into()));
        assert_eq!(as_("f64", json!("-0.0")), Ok("-0.0f64".into()));
        assert_eq!(as_("u8", json!(255)), Ok("255u8".into()));
        assert_eq!(as_("i64", json!(-7)), Ok("-7i64".into()));
        assert_eq!(as_("Option<bool>", json!(true)), Ok("Some(true)".into()));
        assert_eq!(as_("&'static str", json!("a\"b")), Ok("\"a\\\"b\"".into()));
        assert_eq!(as_("char", json!("'")), Ok("'\\''".into()));
        for (ty, v) in [
            ("u8", json!(256)),
            ("i64", json!(1.5)),
            ("i64", json!(null)),
            ("bool", json!(1)),
            ("char", json!("ab")),
        ] {
            assert!(as_(ty, v).is_err(), "{ty}");
        }
    }
}
