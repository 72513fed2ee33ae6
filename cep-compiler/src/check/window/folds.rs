//! The functions of `agg`, and what comes out of them.
use crate::ast::{Folds, WindowFold};
use crate::diagnostic::{Code, Diagnostics};
use crate::hir::Function;
use crate::hir::window::{Elements, Fold};
use crate::schema::Kind;
use crate::slices::{any, each};

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
    if f.name.to_string().starts_with("__") {
        d.error(Code::FieldClash, f.name.span(), "names that begin with `__` are taken")
            .help("give the aggregate another name");
        return true;
    }
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
    let named = if written == "fold" { Some((Function::User, false)) } else { Function::named(&written) };
    let Some((function, some)) = named else {
        let mut names = each(&Function::NAMED, |(name, _)| (*name).to_string());
        names.push("fold".into());
        d.error(Code::UnknownVariable, f.function.span(), format!("`{written}` is no aggregate")).help_among(
            &written.strip_suffix("_some").unwrap_or(&written),
            names,
            "count, sum, avg, product, min, max, range, first, last, var, stddev, any, every, and `fold MyMonoid`",
        );
        return None;
    };
    let number = matches!(input, Kind::Int(_) | Kind::Float(_));
    let fits = match function {
        Function::Count | Function::First | Function::Last | Function::User => true,
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
    let partial = partial(function, input);
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
            Function::User => false,
            // there is always a sum or a count of what is there
            _ if some && !function.gives_option(input) => partial,
            _ => partial || nullable,
        },
        output: function.result(some, input, nullable, false).kind,
    })
}

/// What comes out is NULL where the value does not fit.
fn partial(function: Function, input: &Kind) -> bool {
    match (function, input) {
        (Function::Sum, Kind::Int(i)) => i.bits == 128,
        (Function::Product, Kind::Int(_)) => true,
        // the largest minus the smallest unsigned number is one
        (Function::Range, Kind::Int(i)) => i.signed,
        _ => false,
    }
}
