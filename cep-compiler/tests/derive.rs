//! What `#[derive(Event)]` refuses, and where it says so; that its schemas survive the way to `cep!`.
use cep_compiler::schema::{Kind, Schema, bounce, derive, read};
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

/// Every `compile_error!` of an output: the source text of its first and last token, and the message.
fn errors_in(tokens: TokenStream, found: &mut Vec<(String, String)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut i = 0;
    while let Some(t) = tokens.get(i) {
        match t {
            // the schema macro's second arm is no error yet
            TokenTree::Ident(m) if *m == "macro_rules" => i += 3,
            TokenTree::Ident(name) if *name == "compile_error" => {
                let Some(TokenTree::Group(braces)) = tokens.get(i + 2) else { panic!("no message") };
                let text: syn::LitStr = syn::parse2(braces.stream()).expect("a message");
                let (first, last) = (name.span().source_text(), braces.span().source_text());
                let place = match (first.unwrap_or_default(), last.unwrap_or_default()) {
                    (first, last) if first == last => first,
                    (first, last) => format!("{first} … {last}"),
                };
                found.push((place, text.value()));
                i += 2;
            }
            TokenTree::Group(g) => errors_in(g.stream(), found),
            _ => {}
        }
        i += 1;
    }
}

fn errors(source: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    errors_in(derive::derive(source.parse().expect("tokens")), &mut found);
    found
}

/// Exactly these errors: place and the beginning of the message. Each has the derive's code and a help.
#[track_caller]
fn refuses(source: &str, expected: &[(&str, &str)]) {
    let found = errors(source);
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for ((place, text), (at, message)) in found.iter().zip(expected) {
        assert!(
            place == at && text.starts_with(message),
            "expected {message:?} at `{at}`, found {text:?} at `{place}`"
        );
        assert!(text.contains("[CEP0009]") && text.contains("\n\nhelp: "), "{text}");
    }
}

#[test]
fn shapes() {
    let neither = "only an enum or a struct can be an event";
    refuses("union U { a: u8, b: u8 }", &[("union … }", neither)]);
    refuses("fn f() {}", &[("fn … }", neither)]);
    refuses("struct S(u8);", &[("( … )", "the attributes of an event need names")]);
    refuses("enum E {}", &[("E", "an enum without variants has no events")]);
    refuses(
        "enum E { A(u8, u8), B(X, Y) }",
        &[("( … )", "the attributes of `A` need names"), ("( … )", "the attributes of `B` need names")],
    );
    refuses(
        "enum E<T> { A(u32), B([u8; 2]), C(T), D(Box<String>) }",
        &[
            ("u32", "`A` holds `u32`, which is no struct that derives `Event`"),
            ("[ … ]", "`B` holds `[u8 ; 2]`"),
            ("T", "`C` holds `T`"),
            ("Box … >", "`D` holds `String`"),
        ],
    );
    assert_eq!(errors("enum E { A(), B {}, C, D(Box<Rc<a::D<u8>>>) }"), []);
    assert_eq!(errors("struct S;"), []);
}

#[test]
fn no_item_at_all() {
    for source in ["", "struct", "struct S { #[event(] a: u8 }", "3 + 3"] {
        if let Ok(tokens) = source.parse::<TokenStream>() {
            let mut found = Vec::new();
            errors_in(derive::derive(tokens), &mut found);
            assert_eq!(found.len(), 1, "{source}: {found:?}");
        }
    }
}

#[test]
fn options() {
    refuses(
        "struct S { #[event(tiem)] a: u64, #[event(record = \"X\", key)] b: u8 }",
        &[("tiem", "`tiem` means nothing on a field"), ("record", "`record` means nothing on a field")],
    );
    refuses(
        "#[event(time, crate = x)] enum E { #[event(copy)] A, #[event(record = \"R\")] B(X), C(#[event(key)] X) }",
        &[
            ("time", "`time` means nothing on an enum"),
            ("copy", "`copy` means nothing on a variant"),
            ("record", "`record` means nothing on a variant that holds a struct"),
            ("# … ]", "the held struct describes its attributes itself"),
        ],
    );
    refuses(
        "struct S { #[event] a: u8, #[event = 3] b: u8, #[event(key(3))] c: u8 }",
        &[("event", "bad `#[event(…)]`"), ("=", "bad `#[event(…)]`"), ("(", "bad `#[event(…)]`")],
    );
    refuses(
        "struct S { #[event(key, key)] a: u8, #[event(copy, no_copy)] b: u8, #[event(skip, key)] c: u8 }",
        &[
            ("key", "`key` is given twice"),
            ("copy", "`b` is both `copy` and `no_copy`"),
            ("skip", "`c` is skipped, so nothing else can be said of it"),
        ],
    );
    refuses(
        "struct S { #[event(name = \"a b\")] a: u8, #[event(name = \"fn\")] b: u8, #[event(name = 3)] c: u8 }",
        &[
            ("\"a b\"", "`a b` is not a name"),
            ("\"fn\"", "`fn` is not a name"),
            ("3", "bad `#[event(…)]`: expected string literal"),
        ],
    );
    refuses(
        "#[event(copy, record = \"R\")] struct S<'a> { a: &'a u8 }",
        &[
            ("copy … \"R\"", "`copy` makes the struct its own record"),
            ("copy", "a struct with the lifetime `'a` cannot be its own record"),
        ],
    );
    for root in ["crate = ::x::y", "crate = \"x\"", "crate = crate", "crate = self::z"] {
        assert_eq!(errors(&format!("#[event({root})] enum E {{ A }}")), [], "{root}");
    }
    refuses("#[event(crate = 3)] enum E { A }", &[("3", "bad `#[event(…)]`")]);
}

#[test]
fn times() {
    let twice = ("time", "`a` is the time of this event type already");
    refuses(
        "struct S { #[event(time)] a: f64, #[event(time)] b: Option<u64>, #[event(time = \"week\")] c: u8, \
         #[event(time)] d: Millis, #[event(time, no_copy)] e: u8 }",
        &[
            ("time", "`a` cannot be the time: its type is not an integer"),
            ("time", "`b` cannot be the time: it is an `Option`"),
            twice,
            ("\"week\"", "`week` is not a unit of time"),
            twice,
            ("time", "`d` cannot be the time: its type is not an integer"),
            twice,
            ("time", "`e` cannot be the time: it is `no_copy`"),
            twice,
        ],
    );
    refuses(
        "enum E { A { #[event(time)] a: u64, #[event(time)] b: u64 }, B { #[event(time)] c: u64 } }",
        &[twice],
    );
}

#[test]
fn keys_and_orders() {
    refuses(
        "struct S<'a> { #[event(key)] a: f64, #[event(ord)] b: [f32; 2], #[event(key)] c: String, #[event(ord)] d: &'a str, \
         #[event(key, no_copy)] e: Id, #[event(copy)] f: Cow<'a, str> }",
        &[
            ("key", "`a` cannot be `key`: floats have no equality that is an equivalence"),
            ("ord", "`b` cannot be `ord`: floats have no total order"),
            ("key", "`c` cannot be `key`: `String` is not `Copy`"),
            ("ord", "`d` borrows from its event, so it cannot be kept after it"),
            ("key", "`e` is both `key` and `no_copy`"),
            ("copy", "`f` borrows from its event, so it cannot be kept after it"),
        ],
    );
}

#[test]
fn names_once() {
    refuses(
        "struct S { a: u8, #[event(name = \"a\")] b: u8 }",
        &[("\"a\"", "two attributes are called `a`")],
    );
    refuses("enum E { A, #[event(name = \"A\")] B, }", &[("\"A\"", "two event types are called `A`")]);
}

/// The schema in the first arm of the schema macro that a derive's output ends with.
fn schema(source: &str) -> Schema {
    let out: Vec<TokenTree> = derive::derive(source.parse().expect("tokens")).into_iter().collect();
    let at = out.iter().position(|t| t.to_string() == "macro_rules").expect("a schema macro");
    let TokenTree::Group(arms) = &out[at + 3] else { panic!("no arms") };
    let arms: Vec<TokenTree> = arms.stream().into_iter().collect();
    let TokenTree::Group(body) = &arms[3] else { panic!("no body") };
    let groups = body.stream().into_iter().filter_map(|t| match t {
        TokenTree::Group(g) if g.delimiter() == proc_macro2::Delimiter::Brace => Some(g.stream()),
        _ => None,
    });
    let call = groups.last().expect("a call");
    let Some(TokenTree::Group(schema)) = call.into_iter().next() else { panic!("no schema") };
    read::read(schema.stream()).expect("readable")
}

#[test]
fn schemas() {
    let s = schema(
        "pub enum Reading<'a, T> { T { id: u32, #[event(time = \"s\", name = \"at\")] ts: i64, note: Option<&'static str>, \
         raw: [f32; 3], #[event(skip)] x: u8, name: String, b: &'a str, t: T, #[event(ord)] u: T, \
         o: core::option::Option<cep::Text<8>>, big: ::core::primitive::u128, #[event(key)] sensor: my::u32, v: Vec<u8>, \
         z: usize, p: (u8, char), q: &'static mut u8, #[event(no_copy)] r: bool }, #[event(name = \"Nothing\")] Idle }",
    );
    assert_eq!(s.name, "Reading");
    assert_eq!(s.types.iter().map(|t| t.name.to_string()).collect::<Vec<_>>(), ["T", "Nothing"]);
    let shown: Vec<String> = s.types[0]
        .attributes
        .iter()
        .map(|a| {
            let flags = [(a.nullable, "?"), (a.kept, " kept"), (a.key, " key"), (a.ord, " ord")];
            let flags: String = flags.iter().filter(|f| f.0).map(|f| f.1).collect();
            let time = a.time.map(|t| format!(" {t}")).unwrap_or_default();
            format!("{}={}: {}{flags}{time}", a.name, a.field, spell(&a.kind))
        })
        .collect();
    assert_eq!(
        shown,
        [
            "id=id: u32 kept",
            "at=ts: i64 kept 1000000000",
            "note=note: str? kept",
            "raw=raw: [f32] kept",
            "name=name: string",
            "b=b: str",
            "t=t: opaque",
            "u=u: opaque kept ord",
            "o=o: text? kept",
            "big=big: u128 kept",
            "sensor=sensor: opaque kept key",
            "v=v: opaque",
            "z=z: usize kept",
            "p=p: opaque kept",
            "q=q: opaque",
            "r=r: bool",
        ]
    );
    assert!(s.types[1].attributes.is_empty());
}

fn spell(kind: &Kind) -> String {
    match kind {
        Kind::Int(i) if i.size => if i.signed { "isize" } else { "usize" }.into(),
        Kind::Int(i) => format!("{}{}", if i.signed { 'i' } else { 'u' }, i.bits),
        Kind::Float(bits) => format!("f{bits}"),
        Kind::Array(element) => format!("[{}]", spell(element)),
        Kind::Bool => "bool".into(),
        Kind::Char => "char".into(),
        Kind::Str => "str".into(),
        Kind::String => "string".into(),
        Kind::Text => "text".into(),
        Kind::Opaque => "opaque".into(),
    }
}

#[test]
fn writing_and_reading_agree() {
    let s = schema(
        "enum E { A { a: Option<[i128; 2]>, #[event(key, ord)] b: isize, #[event(time = \"d\")] t: u8 }, B { c: char } }",
    );
    let again = read::read(read::write(&s)).expect("readable");
    assert_eq!(read::write(&s).to_string(), read::write(&again).to_string());
    assert_eq!(again.types[0].attributes[2].time, Some(86_400_000_000_000));
}

/// The state that a call at the end of an output carries, and the macro's path.
fn call(out: TokenStream) -> (String, TokenStream) {
    let out: Vec<TokenTree> = out.into_iter().collect();
    let Some(TokenTree::Group(state)) = out.last() else { panic!("no state") };
    let path = out[..out.len() - 1].iter().rev().take(5).map(ToString::to_string).collect::<Vec<_>>();
    // what a schema macro does: the schema in front, the callback's path gone
    (path.into_iter().rev().collect(), state.stream().into_iter().skip(1).collect())
}

#[test]
fn schemas_of_held_structs() {
    let (path, state) = call(derive::derive(quote!(
        enum E {
            A { x: u8 },
            B(Box<m::P<f32>>),
            C,
        }
    )));
    assert_eq!(path, "m::P!");
    let answer = |schema: TokenStream| derive::step(quote!({ #schema } #state)).to_string();
    let good = answer(quote!(1 (pub) P { P { y = y [f64; kept] } })).replace(' ', "");
    assert!(good.contains("1()E{A{x=x[u8;kept]}B{y=y[f64;kept]}C{}}"), "{good}");
    let several = answer(quote!(1 (pub) P { P { } Q { } }));
    assert!(several.contains("`m::P` has several event types, so `B` cannot hold it [CEP0009]"), "{several}");
    let newer = answer(quote!(2 P { some other format }));
    assert!(newer.contains("(schema format 2, expected 1)"), "{newer}");
    assert!(derive::step(quote!(nonsense)).to_string().contains("a step of `#[derive(Event)]`"));
}

#[test]
fn streams_of_another_version() {
    let (path, state) = call(bounce::entry(quote!((root) pattern P on m::E<'_> = A;)));
    assert!(path.ends_with("m::E!"), "{path}");
    let newer = bounce::step(quote!({ 2 E { } } #state)).to_string();
    assert!(newer.contains("`#[derive(Event)]` on `m::E` comes from another version"), "{newer}");
    let other = bounce::step(quote!({ } #state)).to_string();
    assert!(other.contains("the macro `m::E!` is not the schema of an event type"), "{other}");
    assert!(bounce::step(quote!(nonsense)).to_string().contains("a step of `cep!`"));
    assert!(bounce::entry(quote!()).to_string().contains("a step of `cep!`"));
}

#[test]
fn the_output_is_the_same_each_time() {
    let source = quote!(
        pub enum E<'a, T: Copy> {
            A {
                x: u8,
                #[event(copy)]
                t: T,
                b: &'a str,
            },
            B(P),
        }
    );
    assert_eq!(derive::derive(source.clone()).to_string(), derive::derive(source).to_string());
}
