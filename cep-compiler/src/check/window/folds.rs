//! The functions of `agg`, and what comes out of them.
use crate::ast::{Folds, WindowFold};
use crate::diagnostic::{Code, Diagnostics};
use crate::hir::window::{Elements, Fold, Function};
use crate::nearest::nearest;
use crate::schema::{Int, Kind};
use crate::slices::{any, each, find};

/// The names of the functions.
const FUNCTIONS: [(&str, Function); 14] = [
    ("count", Function::Count),
    ("sum", Function::Sum),
    ("avg", Function::Avg),
    ("product", Function::Product),
    ("min", Function::Min),
    ("max", Function::Max),
    ("range", Function::Range),
    ("first", Function::First),
    ("last", Function::Last),
    ("var", Function::Var),
    ("stddev", Function::Stddev),
    ("any", Function::Any),
    ("every", Function::Every),
    ("fold", Function::Own),
];

/// The folds of an AGSE window: each is over all elements.
pub(super) fn of_elements(folds: &Folds, elements: &Elements, d: &mut Diagnostics) -> Vec<Fold> {
    let mut out: Vec<Fold> = Vec::new();
    for f in &folds.fields {
        if clashes(f, &out, d) {
            continue;
        }
        out.extend(fold(f, None, &elements.kind, elements.nullable, "the elements of this window", d));
    }
    out
}

/// Reports a second field of one name.
pub(super) fn clashes(f: &WindowFold, before: &[Fold], d: &mut Diagnostics) -> bool {
    let clash = any(before, |b| b.name == f.name);
    if clash {
        d.error(Code::FieldClash, f.name.span(), format!("two aggregates are called `{}`", f.name))
            .help("give one of them another name");
    }
    clash
}

/// One fold over values of a kind; `what` names them in messages.
pub(super) fn fold(
    f: &WindowFold,
    attribute: Option<usize>,
    input: &Kind,
    nullable: bool,
    what: &str,
    d: &mut Diagnostics,
) -> Option<Fold> {
    let written = f.function.to_string();
    let (plain, some) = match written.strip_suffix("_some") {
        Some(plain) => (plain, true),
        None => (&*written, false),
    };
    let Some((_, function)) =
        find(&FUNCTIONS, |(name, function)| *name == plain && !(some && *function == Function::Own))
    else {
        let e = d.error(Code::UnknownVariable, f.function.span(), format!("`{written}` is no aggregate"));
        match nearest(plain, &each(&FUNCTIONS, |(name, _)| *name)) {
            Some(near) => e.help(format!("did you mean `{near}`?")),
            None => e.help("count, sum, avg, product, min, max, range, first, last, var, stddev, any, every, and `fold MyMonoid`"),
        };
        return None;
    };
    let function = *function;
    let number = matches!(input, Kind::Int(_) | Kind::Float(_));
    let fits = match function {
        Function::Count | Function::First | Function::Last | Function::Own => true,
        Function::Min | Function::Max => number || matches!(input, Kind::Bool | Kind::Char),
        Function::Any | Function::Every => *input == Kind::Bool,
        _ => number,
    };
    if !fits {
        let wanted = match function {
            Function::Any | Function::Every => "conditions (`bool`)",
            Function::Min | Function::Max => "numbers",
            _ => "numbers",
        };
        d.error(Code::UnlikeTypes, f.loc, format!("`{written}` folds {wanted}, and {what} are none"))
            .help("`count`, `first` and `last` take anything");
        return None;
    }
    let (output, partial) = output(function, input);
    Some(Fold {
        name: f.name.clone(),
        function,
        some,
        monoid: f.monoid.clone(),
        attribute,
        input: input.clone(),
        nullable,
        output_nullable: match function {
            // the monoid decides
            Function::Own => false,
            // there is always a sum or a count of what is there
            _ if some && !function.gives_option(input) => partial,
            _ => partial || nullable,
        },
        output,
    })
}

/// What comes out, and whether that is NULL where the value does not fit.
fn output(function: Function, input: &Kind) -> (Kind, bool) {
    let int = |signed, bits| Kind::Int(Int { signed, bits, size: false });
    match (function, input) {
        (Function::Count, _) => (int(false, 64), false),
        (Function::Sum, Kind::Int(i)) => (int(i.signed, if i.bits >= 64 { 128 } else { 64 }), i.bits == 128),
        (Function::Sum | Function::Avg | Function::Var | Function::Stddev, _) => (Kind::Float(64), false),
        (Function::Product, Kind::Int(_)) => (input.clone(), true),
        (Function::Range, Kind::Int(i)) => (input.clone(), i.signed),
        (Function::Any | Function::Every, _) => (Kind::Bool, false),
        (Function::Own, _) => (Kind::Opaque, false),
        (
            Function::Product
            | Function::Min
            | Function::Max
            | Function::Range
            | Function::First
            | Function::Last,
            _,
        ) => (input.clone(), false),
    }
}
