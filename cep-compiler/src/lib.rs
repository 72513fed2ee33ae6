//! The compiler behind `cep!`: from a pattern's tokens to the source of its machine.
//!
//! | stage | takes | gives |
//! | --- | --- | --- |
//! | [`schema`] | a type's definition | trait impls, and a macro that carries its [`schema::Schema`] to `cep!` |
//! | [`lex`], [`parse`] | tokens | [`ast::File`] |
//! | [`check`] | a pattern and its stream's schema | [`hir::Pattern`], names resolved, every rule of the language checked |
//! | [`automaton`] | the resolved pattern | [`automaton::Rma`], the register match automaton |
//! | [`plan`] | pattern and automaton | [`plan::Plan`]: kernel, what is kept, when conditions run, sizes |
//! | [`emit`] | pattern and plan | Rust source |
//!
//! Each stage reports into [`diagnostic::Diagnostics`] and gives nothing where it found an error, so the next one can rely on
//! what it gets. Nothing here panics, whatever the input, and the output is a function of the input alone.
//!
//! Build time: every user of `cep!` compiles this crate, so its build is a bar of the project (`.ci/build_cost`), and rustc's time for it
//! goes with the number of functions that it has to generate. What is expensive are iterator chains (each closure makes some twenty
//! functions of its own) and generic code at many types; what to write instead are `for` loops and the functions of [`slices`],
//! [`sorted`] in place of B-trees and of the standard library's sorts, `&[T]` in place of `impl Iterator` in arguments and results, and
//! `for x in &[…]` in place of `for x in […]`. A rule of the grammar is data, see `parse/rule.rs`.
//!
//! With `CEP_TIME` in the environment every expansion prints what it took to stderr: CPU time of its thread on Linux, so that other
//! processes do not count; elsewhere time on the clock.
pub mod ast;
pub mod automaton;
pub mod check;
mod code;
pub mod diagnostic;
pub mod emit;
pub mod hir;
pub mod lex;
pub mod nearest;
pub mod parse;
pub mod plan;
pub mod schema;
pub mod slices;
pub mod sorted;
mod syntax;

use crate::code::{Piece, Scope, code};
use ast::Item;
use diagnostic::{Code, Diagnostics, Loc};
use proc_macro2::TokenStream;
use schema::{Schema, bounce};
use std::time::{Duration, Instant};

/// One compiled pattern with every stage's result, for tests and tools.
pub struct Compiled {
    /// Resolved.
    pub pattern: hir::Pattern,
    /// Its automaton.
    pub rma: automaton::Rma,
    /// Its machine.
    pub plan: plan::Plan,
}

/// What a `cep!` call becomes.
#[derive(Default)]
pub struct Output {
    /// The source of the machines; of a pattern with an error, its skeleton.
    pub tokens: TokenStream,
    /// What is wrong.
    pub diagnostics: Diagnostics,
}

/// The last step of `cep!`: all schemas are there. `root` is the facade's path; each schema stands under the key of its path.
#[must_use]
pub fn finish(root: &TokenStream, schemas: &[(String, Schema)], items: TokenStream) -> TokenStream {
    let begun = std::env::var_os("CEP_TIME").map(|_| Stopwatch::start());
    let output = compile(root, schemas, items.clone());
    let mut tokens = output.tokens;
    let errors = output.diagnostics.into_tokens();
    if let Some(begun) = begun {
        let (names, _) = bounce::heads(&syntax::trees(items));
        eprintln!("cep: expanded {} in {:.2} ms", names.join(", "), begun.elapsed().as_secs_f64() * 1000.0);
    }
    tokens.extend(errors);
    tokens
}

/// For `CEP_TIME`.
struct Stopwatch {
    clock: Instant,
    cpu: Option<Duration>,
}

impl Stopwatch {
    fn start() -> Self {
        Stopwatch { cpu: Stopwatch::cpu(), clock: Instant::now() }
    }

    /// What this thread has run for so far, if the system says so.
    fn cpu() -> Option<Duration> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
    }

    fn elapsed(&self) -> Duration {
        let cpu = Stopwatch::cpu().zip(self.cpu).and_then(|(now, begun)| now.checked_sub(begun));
        // some systems have the file and no figures in it
        let cpu = cpu.filter(|cpu| !cpu.is_zero());
        cpu.unwrap_or_else(|| self.clock.elapsed())
    }
}

/// Compiles the items of a call.
#[must_use]
pub fn compile(root: &TokenStream, schemas: &[(String, Schema)], items: TokenStream) -> Output {
    let _scope = Scope::open();
    let root = Piece::of(root);
    let mut diagnostics = Diagnostics::default();
    let file = parse::parse(items, &mut diagnostics);
    let mut tokens = Piece::EMPTY;
    let mut emitted = Vec::new();
    // what runs on an item of the same call finds its schema here
    let mut schemas = schemas.to_vec();
    for &i in &order(&file) {
        let item = &file.items[i];
        let name = match item {
            Item::Pattern(p) => &p.name,
            Item::Window(w) => &w.name,
        };
        let taken = file.items[..i].iter().any(|other| match other {
            Item::Pattern(p) => p.name == *name,
            Item::Window(w) => w.name == *name,
        });
        if taken {
            diagnostics
                .error(Code::DuplicateItem, name.span(), format!("the item `{name}` is defined twice"))
                .help("give each item of a call a name of its own");
            continue;
        }
        match item {
            Item::Pattern(p) => {
                if let Some(c) = pattern(p, &schemas, &file, &mut diagnostics) {
                    let emit::Emitted { tokens: machine, schema } = emit::emit(&c.pattern, &c.plan, root);
                    schemas.push((name.to_string(), schema));
                    emitted.push(name.clone());
                    let boxed = p.clauses.storage.as_ref().filter(|_| c.plan.storage == ast::Storage::Boxed);
                    let head = file.heads.iter().find(|h| h.name == *name);
                    match boxed.zip(head) {
                        Some((clause, head)) => {
                            let without = no_alloc(clause.loc, head, &c.pattern.schema, root);
                            tokens.extend(code!([root, machine, without] #root::__private::if_alloc! { { #machine } { #without } }));
                        }
                        None => tokens.extend(machine),
                    }
                }
            }
            Item::Window(w) => {
                if let Some(window) = window(w, &schemas, &file, &mut diagnostics) {
                    let e = emit::window::emit(&window, root);
                    emitted.push(name.clone());
                    let head = file.windows.iter().find(|h| h.name == *name);
                    match w.boxed.zip(head) {
                        Some((at, head)) => {
                            let (machine, mut report) = (e.tokens, Diagnostics::default());
                            no_heap(at, &mut report);
                            let (errors, bare) = (report.into_tokens(), emit::window::bare(head, root));
                            tokens.extend(code!([root, machine, bare | errors] #root::__private::if_alloc! { { #machine } { #errors #bare } }));
                        }
                        None => tokens.extend(e.tokens),
                    }
                    schemas.push((name.to_string(), e.schema));
                }
            }
        }
    }
    for (i, head) in file.heads.iter().enumerate() {
        let taken = file.heads[..i].iter().any(|h| h.name == head.name);
        if !taken && !emitted.contains(&head.name) {
            let schema = head.on.as_ref().and_then(|on| schema_of(on, &schemas));
            let schema = schema.filter(|schema| schema.refused.is_none());
            tokens.extend(emit::skeleton(head, schema, root));
        }
    }
    let ast::File { items, heads, mut broken, windows } = file;
    for item in items {
        if let Item::Window(w) = item {
            broken.push(w);
        }
    }
    for (i, head) in windows.iter().enumerate() {
        let taken = windows[..i].iter().any(|h| h.name == head.name)
            || heads.iter().any(|h| h.name == head.name)
            || emitted.contains(&head.name);
        if !taken {
            tokens.extend(stand_in(head, &mut broken, &schemas, root));
        }
    }
    Output { tokens: tokens.tokens(), diagnostics }
}

/// What stands for a window with an error.
fn stand_in(
    head: &ast::WindowHead,
    broken: &mut [Box<ast::Window>],
    schemas: &[(String, Schema)],
    root: Piece,
) -> Piece {
    let bare = emit::window::bare(head, root);
    for w in broken {
        if w.name != head.name {
            continue;
        }
        let schema = schema_of(&w.on.tokens, schemas).filter(|schema| schema.refused.is_none());
        if let Some(window) = schema.and_then(|schema| check::window::stand_in(w, schema)) {
            let machine = emit::window::emit(&window, root).tokens;
            return match window.boxed {
                Some(_) => {
                    code!([root, machine, bare] #root::__private::if_alloc! { { #machine } { #bare } })
                }
                None => machine,
            };
        }
    }
    bare
}

/// The items, each behind the one of the same call that it runs on; what runs on itself comes where it stands.
fn order(file: &ast::File) -> Vec<usize> {
    let (mut out, mut left): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..file.items.len()).collect());
    while let Some(first) = left.first().copied() {
        let waits = |i: usize| {
            let on = match &file.items[i] {
                Item::Pattern(p) => check::text(&p.on.tokens),
                Item::Window(w) => check::text(&w.on.tokens),
            };
            let inside = match &file.items[i] {
                Item::Pattern(p) => p.clauses.within.as_ref().map(|w| &w.value),
                Item::Window(_) => None,
            };
            left.iter().any(|j| match &file.items[*j] {
                Item::Pattern(p) => p.name == on,
                Item::Window(w) => {
                    w.name == on || matches!(inside, Some(ast::Within::Window(name)) if *name == w.name)
                }
            })
        };
        let next = left.iter().copied().find(|i| !waits(*i)).unwrap_or(first);
        left.retain(|i| *i != next);
        out.push(next);
    }
    out
}

fn no_heap(at: Loc, report: &mut Diagnostics) {
    report
        .error(Code::NoAlloc, at, "`storage boxed` needs the feature `alloc` of `cep-rs`")
        .help("write `cep-rs = { version = \"…\", features = [\"alloc\"] }`, or `storage borrowed`");
}

/// What stands for a machine with `storage boxed` where there is no heap: only the runtime knows whether it has one.
fn no_alloc(at: Loc, head: &ast::Head, schema: &Schema, root: Piece) -> Piece {
    let mut report = Diagnostics::default();
    no_heap(at, &mut report);
    let (errors, skeleton) = (report.into_tokens(), emit::skeleton(head, Some(schema), root));
    code!([skeleton | errors] #errors #skeleton)
}

/// The schema of what stands after `on`.
fn schema_of<'s>(on: &TokenStream, schemas: &'s [(String, Schema)]) -> Option<&'s Schema> {
    let key = bounce::key(on)?;
    schemas.iter().find(|(k, _)| *k == key).map(|(_, schema)| schema)
}

/// Takes one pattern through the stages behind the parser.
pub fn pattern(
    p: &ast::Pattern,
    schemas: &[(String, Schema)],
    file: &ast::File,
    diagnostics: &mut Diagnostics,
) -> Option<Compiled> {
    let schema = stream(&p.on, schemas, file, diagnostics)?;
    let item = match p.clauses.within.as_ref().map(|w| &w.value) {
        Some(ast::Within::Window(name)) => Some(inside(name, schemas, file, diagnostics)?),
        _ => None,
    };
    let pattern = check::check_within(p, schema, item, diagnostics)?;
    let rma = automaton::build(&pattern);
    if let Err(e) = rma.validate(&pattern) {
        // the checker lets no such pattern through; said instead of a wrong answer should it ever do
        let at: Loc = pattern.conjuncts.get(e.conjunct.0).map_or(p.loc, |c| c.loc);
        diagnostics
            .error(Code::NotBound, at, "this condition may read an event that is not there")
            .help("move it behind the part that binds its variables");
        return None;
    }
    let plan = plan::plan(&pattern, &rma, diagnostics)?;
    Some(Compiled { pattern, rma, plan })
}

/// Takes one window through the stages behind the parser.
fn window(
    w: &ast::Window,
    schemas: &[(String, Schema)],
    file: &ast::File,
    diagnostics: &mut Diagnostics,
) -> Option<hir::window::Window> {
    let schema = stream(&w.on, schemas, file, diagnostics)?;
    check::window::check(w, schema, diagnostics)
}

/// The schema of the window that a pattern runs inside of; `None`: reported here, or with the window.
fn inside<'s>(
    name: &proc_macro2::Ident,
    schemas: &'s [(String, Schema)],
    file: &ast::File,
    diagnostics: &mut Diagnostics,
) -> Option<&'s Schema> {
    for (key, schema) in schemas {
        if name == key {
            let silent = schema.refused.as_ref().is_some_and(|refused| refused.why.is_empty());
            return (!silent).then_some(schema);
        }
    }
    if !file.names().contains(&name.to_string()) || diagnostics.is_empty() {
        diagnostics
            .error(Code::NoClock, name.span(), format!("a pattern cannot run inside of `{name}`"))
            .help("name a predicate `window` of this call, or one that is imported here");
    }
    None
}

/// The schema of an item's stream; `None`: reported here, or with the item whose results it would be.
fn stream<'s>(
    on: &ast::StreamPath,
    schemas: &'s [(String, Schema)],
    file: &ast::File,
    diagnostics: &mut Diagnostics,
) -> Option<&'s Schema> {
    let text = check::text(&on.tokens);
    match schema_of(&on.tokens, schemas) {
        Some(Schema { refused: Some(refused), .. }) => {
            if !refused.why.is_empty() {
                diagnostics
                    .error(
                        Code::NoStream,
                        on.loc,
                        format!("`{text}` is no stream of events: {}", refused.why),
                    )
                    .help(&refused.help);
            }
            return None;
        }
        Some(schema) => return Some(schema),
        None => {}
    }
    if !file.names().contains(&text) {
        diagnostics
            .error(Code::Syntax, on.loc, format!("`{text}` is no path to a stream"))
            .help("name a type with `#[derive(Event)]` after `on`");
    } else if diagnostics.is_empty() {
        // each of them waits for another
        diagnostics
            .error(Code::NoStream, on.loc, format!("`{text}` runs on its own results"))
            .help("an item takes the results of others: name a type with `#[derive(Event)]` after `on`");
    }
    None
}
