//! From the flat list of a level to a tree: precedence, negations, iteration bounds, and the parse of what stands in parentheses.
//!
//! `None` means that an error has been reported. Everything of a level is looked at even then, so that one mistake hides no other.
use super::{
    aggregate, ambiguity, bound, junk,
    raw::{Continuation, Element, Level, Operand, Postfix, Suffix, SuffixKind},
    report::Reporter,
    rule::Grammar,
    splits,
    token::Group,
};
use crate::{
    ast::{Condition, Formula, FormulaKind, Gap, Negation, Operator},
    diagnostic::{Code, Loc},
    lex::{Lexeme, Range},
};

/// Elements of one chain.
const MOST_ELEMENTS: usize = 256;
/// Elements, postfixes and suffixes of an item.
const MOST_NODES: usize = 1024;
/// The depth of an item's tree, over which later stages recurse: suffixes and postfixes that apply to one another.
const MOST_DEPTH: usize = 300;

/// Turns the levels of one item into formulas.
pub(super) struct Shaper<'s, 'r> {
    pub(super) reporter: &'r mut Reporter<'s>,
    /// The grammar of what stands in parentheses, built once.
    pub(super) inside: Grammar<'s>,
    pub(super) nodes: usize,
    /// Of the level at hand.
    pub(super) depth: usize,
}

impl<'s> Shaper<'s, '_> {
    /// A whole level.
    pub(super) fn level(&mut self, level: Level<'s>, lexemes: &'s [Lexeme], top: bool) -> Option<Formula> {
        let deep = depth(&level);
        self.depth += deep;
        let formula = self.limited(level, lexemes, top);
        self.depth -= deep;
        formula
    }

    fn limited(&mut self, level: Level<'s>, lexemes: &'s [Lexeme], top: bool) -> Option<Formula> {
        let (elements, nodes) = size(&level);
        self.nodes += nodes;
        if self.depth > MOST_DEPTH {
            self.reporter
                .error(
                    Code::TooDeep,
                    level.first.range,
                    format!("more than {MOST_DEPTH} suffixes that apply to one another"),
                )
                .help("join the conditions with `&&`, or make a part of it a pattern of its own and use that with `on`");
            return None;
        }
        if elements > MOST_ELEMENTS || self.nodes > MOST_NODES {
            let at = level.first.range;
            self.reporter
                .error(Code::TooDeep, at, format!("a chain of more than {MOST_ELEMENTS} elements, or a formula of more than {MOST_NODES} parts"))
                .help("count with `{n}` instead of writing an element often, or make a part of it a pattern of its own and use that with `on`");
            return None;
        }
        let clear = ambiguity::check(&level, lexemes, self.reporter);
        let mut chain = Chain { left: None, pending: Vec::new(), ok: clear };
        self.first(level.first, &mut chain);
        let (mut branches, mut words) = (Vec::new(), Vec::new());
        for c in level.rest {
            match c {
                Continuation::Sequence(operator, at, operand) => {
                    self.link(&mut chain, operator, at, operand, lexemes)
                }
                Continuation::Or(at, operand) => {
                    words.push(self.reporter.loc(at));
                    if let Some(not) = operand.not {
                        self.lonely_not(not);
                        chain.ok = false;
                    }
                    branches.extend(chain.left.take());
                    match self.operand(operand) {
                        Some(f) => chain.left = Some(f),
                        None => chain.ok = false,
                    }
                }
                Continuation::Suffix(suffix) => {
                    self.close(&mut chain);
                    let left = chain.left.take();
                    chain.left = self.suffix(left, suffix, lexemes, top);
                    chain.ok &= chain.left.is_some();
                }
                Continuation::Junk(at) => {
                    junk::report(at, lexemes, top, self.reporter);
                    chain.ok = false;
                }
            }
        }
        self.close(&mut chain);
        let last = chain.left.filter(|_| chain.ok)?;
        if branches.is_empty() {
            return Some(last);
        }
        let loc = branches.first().map_or(last.loc, |b: &Formula| b.loc.to(last.loc));
        branches.push(last);
        Some(Formula { kind: FormulaKind::Or { parts: branches, words }, loc })
    }

    fn first(&mut self, operand: Operand<'s>, chain: &mut Chain) {
        if let Some(not) = operand.not {
            self.lonely_not(not);
            chain.ok = false;
        }
        chain.left = self.operand(operand);
        chain.ok &= chain.left.is_some();
    }

    fn lonely_not(&mut self, not: Range) {
        self.reporter
            .error(Code::Syntax, not, "a `not` needs an element on its left")
            .note("it speaks about the events between two others, or after the last one")
            .help("write `A ; not B ; C`, or `A ; not B within 10 s` at the end of a pattern");
    }

    /// `operator operand`, where the operand may be negated.
    fn link(
        &mut self,
        chain: &mut Chain,
        operator: Operator,
        at: Range,
        operand: Operand<'s>,
        lexemes: &'s [Lexeme],
    ) {
        let behind_not = !chain.pending.is_empty();
        if behind_not && operator == Operator::Strict {
            let b = chain.pending.last().map(|(_, text, _)| text.clone()).unwrap_or_default();
            self.reporter
                .error(Code::Syntax, at, format!("`:` cannot stand behind `not {b}`"))
                .note("`:` leaves no gap in which the `not` could look for an event")
                .help(format!("write `: not {b} ;` to look at the very next event only, or `; not {b} ;` for the whole gap"));
            chain.ok = false;
        }
        let (not, range) = (operand.not, operand.range);
        if not.is_some() && !operand.postfixes.is_empty() {
            let b = super::text::text(lexemes, (not.map_or(range.start, |n| n.end)..range.end).into());
            self.reporter
                .error(Code::Syntax, range, "what stands behind `not` is a type or a group")
                .help(format!("put it in parentheses: `not ({b})`"));
            chain.ok = false;
        }
        let Some(right) = self.operand(operand) else {
            chain.ok = false;
            return;
        };
        let operator_loc = self.reporter.loc(at);
        if let Some(word) = not {
            let text = super::text::text(lexemes, (word.end..range.end).into());
            let word = self.reporter.loc(word);
            chain.pending.push((Negation { operator, formula: right, word }, text, at.start));
            return;
        }
        let negations = chain.negations();
        chain.left = chain.left.take().map(|left| {
            let loc = left.loc.to(right.loc);
            let gap = Gap { operator, operator_loc, negations };
            Formula { kind: FormulaKind::Sequence { left: left.into(), gap, right: right.into() }, loc }
        });
    }

    /// Negations with nothing behind them are trailing ones.
    fn close(&mut self, chain: &mut Chain) {
        let Some((last, text, key)) = chain.pending.last() else { return };
        if last.operator == Operator::Strict {
            let text = text.clone();
            let at = Loc { first: last.word.first, last: last.formula.loc.last };
            self.reporter
                .error_at(Code::Syntax, *key, at, format!("`: not {text}` cannot be at the end"))
                .note("it looks at the very next event, and a pattern's result does not wait for one")
                .help(format!("write `; not {text} within 10 s`: no such event until the window ends"));
            chain.ok = false;
        }
        let end = last.formula.loc;
        let negations = chain.negations();
        chain.left = chain.left.take().map(|left| {
            let loc = left.loc.to(end);
            Formula { kind: FormulaKind::TrailingNot { left: left.into(), negations }, loc }
        });
    }

    fn operand(&mut self, operand: Operand<'s>) -> Option<Formula> {
        let start = operand.not.map_or(operand.range.start, |n| n.end);
        let mut formula = self.element(operand.element, start);
        let mut iterated = false;
        for (postfix, at) in operand.postfixes {
            let loc = self.reporter.loc(at);
            let bounds = match postfix {
                Postfix::As(variable) => {
                    self.reporter.check_name(&variable, at.start, "a variable");
                    formula = formula.map(|inner| {
                        let loc = inner.loc.to(loc);
                        Formula { kind: FormulaKind::As { inner: inner.into(), variable }, loc }
                    });
                    iterated = false;
                    continue;
                }
                Postfix::Optional if iterated => {
                    self.reporter
                        .error(
                            Code::Syntax,
                            at,
                            "`?` directly behind an iteration: here it would read `(B+)?`",
                        )
                        .note("all matches are found, so there are no reluctant quantifiers")
                        .help("leave the `?` out, or write `B*` for none or more");
                    formula = None;
                    continue;
                }
                Postfix::Optional => Some((Operator::Any, 0, Some(1))),
                Postfix::Plus(o) => Some((o, 1, None)),
                Postfix::Star(o) => Some((o, 0, None)),
                Postfix::Count(o, group) => splits::count(group, self.reporter).map(|(n, m)| (o, n, m)),
            };
            iterated = true;
            formula = formula.zip(bounds).map(|(inner, (operator, minimum, maximum))| {
                let whole = inner.loc.to(loc);
                let inner = inner.into();
                let kind = FormulaKind::Iterate { inner, operator, minimum, maximum, operator_loc: loc };
                Formula { kind, loc: whole }
            });
        }
        formula
    }

    fn element(&mut self, element: Element<'s>, key: usize) -> Option<Formula> {
        match element {
            Element::Broken => None,
            Element::Type(name) => {
                self.reporter.check_name(&name, key, "an event type");
                let loc = Loc::from(name.span());
                Some(Formula { kind: FormulaKind::Type(name), loc })
            }
            Element::Group(group) => {
                let mut parts = self.parts(group)?;
                if parts.len() > 1 {
                    let inside = super::text::text(group.inside, group.range);
                    self.reporter
                        .error(Code::Syntax, group.range, "`,` joins the parts of `all(…)` only")
                        .help(format!(
                            "write `all({inside})` for any order, or `;` instead of `,` for this order"
                        ));
                    return None;
                }
                parts.pop()?
            }
            Element::All(word, group) => {
                let mut parts = Vec::new();
                for part in self.parts(group)? {
                    parts.push(part?);
                }
                let whole = self.reporter.loc((word.start..group.range.end).into());
                let word = self.reporter.loc(word);
                Some(Formula { kind: FormulaKind::All { parts, word }, loc: whole })
            }
        }
    }

    /// The levels between a group's commas; each is `None` if it is wrong.
    fn parts(&mut self, group: Group<'s>) -> Option<Vec<Option<Formula>>> {
        if group.inside.is_empty() {
            self.reporter
                .error(Code::Syntax, group.range, "empty parentheses")
                .help("write a formula between them, `(A ; B)`, or leave them out");
            return None;
        }
        let (read, mistakes) = self.inside.parse(group.inside, group.end());
        self.reporter.grammar(mistakes, group.end(), "these parentheses");
        let mut read = read?;
        let mut parts = Vec::new();
        while let Some(level) = read.maybe() {
            parts.push(self.level(level, group.inside, false));
        }
        if let Some(rest) = read.maybe() {
            junk::report(rest, group.inside, false, self.reporter);
            return None;
        }
        Some(parts)
    }

    fn suffix(
        &mut self,
        inner: Option<Formula>,
        suffix: Suffix<'s>,
        lexemes: &'s [Lexeme],
        top: bool,
    ) -> Option<Formula> {
        let word = self.reporter.loc(suffix.word);
        let loc = self.reporter.loc(suffix.range);
        // The suffix is read even if what it applies to is broken.
        let make: Box<dyn FnOnce(Box<Formula>) -> FormulaKind> = match suffix.kind {
            SuffixKind::Broken => return None,
            SuffixKind::Filter(embedded) => {
                let condition: Condition =
                    super::condition::read(embedded, suffix.word, lexemes, self.reporter)?;
                Box::new(move |inner| FormulaKind::Filter { inner, condition })
            }
            SuffixKind::Aggregate(variable, group) => {
                self.reporter.check_name(&variable, suffix.word.end, "a variable");
                let fields = aggregate::fields(group, self.reporter)?;
                Box::new(move |inner| FormulaKind::Aggregate { inner, variable, fields, word })
            }
            SuffixKind::Project(variable, group) => {
                let attributes = splits::names(group, self.reporter)?;
                Box::new(move |inner| FormulaKind::Project { inner, variable, attributes, word })
            }
            SuffixKind::Without(operand) => {
                let text = super::text::text(lexemes, suffix.range);
                let excluded = self.operand(operand).map(Box::new)?;
                if top {
                    self.reporter
                        .error(Code::Syntax, suffix.word, "`without` stands inside parentheses only")
                        .note(
                            "it looks at the events between the start and the end of the group it belongs to",
                        )
                        .help(format!("put the group in parentheses: `(… {text})`"));
                    return None;
                }
                Box::new(move |inner| FormulaKind::Without { inner, excluded, word })
            }
            SuffixKind::Select(variables) => {
                Box::new(move |inner| FormulaKind::Select { inner, variables, word })
            }
            SuffixKind::Within(bound) => {
                let bound = bound::within(bound, suffix.range, self.reporter)?;
                Box::new(move |inner| FormulaKind::Within { inner, bound, word })
            }
        };
        inner.map(|inner| {
            let loc = inner.loc.to(loc);
            Formula { kind: make(Box::new(inner)), loc }
        })
    }
}

/// Elements of a level, and nodes that its tree will have beside those of its groups.
fn size(level: &Level<'_>) -> (usize, usize) {
    let (mut elements, mut postfixes) = (1, level.first.postfixes.len());
    for c in &level.rest {
        if let Continuation::Sequence(_, _, x) | Continuation::Or(_, x) = c {
            elements += 1;
            postfixes += x.postfixes.len();
        }
    }
    (elements, 1 + level.rest.len() + postfixes)
}

/// Suffixes and postfixes that apply to one another.
fn depth(level: &Level<'_>) -> usize {
    let (mut suffixes, mut postfixes) = (1, level.first.postfixes.len());
    for c in &level.rest {
        match c {
            Continuation::Sequence(_, _, x) | Continuation::Or(_, x) => {
                postfixes = postfixes.max(x.postfixes.len());
            }
            _ => suffixes += 1,
        }
    }
    suffixes + postfixes
}

/// A chain so far.
struct Chain {
    left: Option<Formula>,
    /// Negations since `left`, with their text and number.
    pending: Vec<(Negation, String, usize)>,
    ok: bool,
}

impl Chain {
    /// Takes the negations out.
    fn negations(&mut self) -> Vec<Negation> {
        let mut out = Vec::new();
        for (negation, ..) in std::mem::take(&mut self.pending) {
            out.push(negation);
        }
        out
    }
}
