//! Errors: where, what, why, and what to write instead.
//!
//! In: every stage reports into a [`Diagnostics`]. Out: [`Diagnostics::into_tokens`], `compile_error!` calls at the user's own tokens,
//! sorted by position, at most [`Diagnostics::MOST`]. Several independent errors come out of one build.
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};

/// First and last token of a stretch of source. Stable Rust cannot join spans, so both ends are kept.
#[derive(Clone, Copy, Debug)]
pub struct Loc {
    /// The first token.
    pub first: Span,
    /// The last token; the same as `first` for a single one.
    pub last: Span,
}

impl Loc {
    /// From the first token of `a` to the last one of `b`.
    #[must_use]
    pub fn to(self, b: Loc) -> Loc {
        Loc { first: self.first, last: b.last }
    }

    /// The stretch that some syntax covers; the call site if it has no tokens.
    #[must_use]
    pub fn of(tokens: impl ToTokens) -> Loc {
        Loc::of_stream(tokens.into_token_stream())
    }

    fn of_stream(tokens: TokenStream) -> Loc {
        let mut it = tokens.into_iter();
        let first = it.next();
        let last = it.last();
        let open = |t: &TokenTree| match t {
            TokenTree::Group(g) => g.span_open(),
            t => t.span(),
        };
        let close = |t: &TokenTree| match t {
            TokenTree::Group(g) => g.span_close(),
            t => t.span(),
        };
        match (first, last) {
            (Some(f), Some(l)) => Loc { first: open(&f), last: close(&l) },
            (Some(f), None) => Loc { first: open(&f), last: close(&f) },
            _ => Span::call_site().into(),
        }
    }
}

impl From<Span> for Loc {
    fn from(s: Span) -> Loc {
        Loc { first: s, last: s }
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal,)*) => {
        /// The stable name of a kind of error, explained in `docs/errors.md`.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Code { $($(#[doc = $doc])* $name,)* }
        impl Code {
            /// Every code, in order.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];
            /// As printed, `CEP0101`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Code::$name => $code,)* }
            }
        }
    };
}
codes! {
    /// Tokens that fit no rule of the grammar.
    Syntax = "CEP0001",
    /// A construct of the language that this version does not compile yet.
    NotSupported = "CEP0002",
    /// A reserved word where a name belongs.
    Reserved = "CEP0003",
    /// A formula that can be read in two ways.
    Ambiguous = "CEP0004",
    /// A clause out of order or written twice.
    ClauseOrder = "CEP0005",
    /// An attribute on an item that cannot stand there.
    ItemAttribute = "CEP0006",
    /// Two items of one name.
    DuplicateItem = "CEP0007",
    /// Nesting deeper than the compiler follows.
    TooDeep = "CEP0008",
    /// `#[derive(Event)]` on something that cannot be an event, or a bad `#[event(…)]`.
    Derive = "CEP0009",
    /// Something after `on` whose results are no events.
    NoStream = "CEP0010",
    /// An event type that the stream does not have.
    UnknownType = "CEP0101",
    /// An attribute that the event type does not have.
    UnknownAttribute = "CEP0102",
    /// A name that is no variable, parameter or constant.
    UnknownVariable = "CEP0103",
    /// A variable bound twice in a sequence.
    BoundTwice = "CEP0104",
    /// A variable that is not bound where it is read.
    NotBound = "CEP0105",
    /// Two names that would be one field.
    FieldClash = "CEP0106",
    /// An attribute that would have to be kept but cannot be.
    NotKept = "CEP0107",
    /// A variable used as a whole where only its attributes can be read.
    WholeVariable = "CEP0108",
    /// A parameter whose type is not `Copy`.
    NotCopy = "CEP0109",
    /// Operands of types that cannot be compared.
    UnlikeTypes = "CEP0201",
    /// A filter that is not a condition.
    NotBoolean = "CEP0202",
    /// Something a filter may not do (assign, return, `?`, macros, capture).
    Impure = "CEP0203",
    /// A local name in a filter that hides a variable or parameter.
    Shadow = "CEP0204",
    /// A filter that reads nothing.
    ConstantFilter = "CEP0205",
    /// `prev`, `first`, `last` where no iteration gives them a meaning.
    NotIterated = "CEP0206",
    /// A choice about overflow that is missing, or has nothing to decide.
    Overflow = "CEP0207",
    /// A window of no length.
    EmptyWindow = "CEP0301",
    /// A pattern that can match nothing.
    Unsatisfiable = "CEP0302",
    /// A bound that is needed and missing.
    MissingBound = "CEP0303",
    /// State beyond the budget.
    TooLarge = "CEP0304",
    /// A window or clock that the stream cannot give.
    NoClock = "CEP0305",
    /// `storage boxed` without the feature `alloc`.
    NoAlloc = "CEP0306",
}

/// One error.
#[derive(Debug)]
pub struct Diagnostic {
    /// Its kind.
    pub code: Code,
    /// The tokens at fault.
    pub primary: Loc,
    /// What is wrong, lower case, names in backticks.
    pub message: String,
    /// `note: why` and `help: what to write`.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// Adds why.
    pub fn note(&mut self, text: impl std::fmt::Display) -> &mut Self {
        self.add(format_args!("note: {text}"))
    }
    /// Adds what to write instead.
    pub fn help(&mut self, text: impl std::fmt::Display) -> &mut Self {
        self.add(format_args!("help: {text}"))
    }

    /// Adds which of these names was meant: the nearest to the word, or `otherwise` with all of them in place of `{}`.
    ///
    /// It takes the names, so that who has an error to report holds nothing that would have to be dropped.
    pub fn help_among(
        &mut self,
        word: &dyn std::fmt::Display,
        names: Vec<String>,
        otherwise: &str,
    ) -> &mut Self {
        let word = crate::schema::joined::spelled(&word.to_string());
        match crate::nearest::nearest(&word, &names) {
            Some(near) => self.help(format_args!("did you mean `{near}`?")),
            None => self.help_names(otherwise, names),
        }
    }
    /// Adds why, with these names in place of `{}`.
    pub fn note_names(&mut self, text: &str, names: Vec<String>) -> &mut Self {
        self.note(text.replace("{}", &crate::nearest::list(&names)))
    }
    /// Adds what to write instead, with these names in place of `{}`.
    pub fn help_names(&mut self, text: &str, names: Vec<String>) -> &mut Self {
        self.help(text.replace("{}", &crate::nearest::list(&names)))
    }

    fn add(&mut self, text: std::fmt::Arguments<'_>) -> &mut Self {
        self.notes.push(text.to_string());
        self
    }
}

/// The errors so far.
#[derive(Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// No more than this many are shown.
    pub const MOST: usize = 20;

    /// Reports an error; add notes and help to what comes back.
    pub fn error(&mut self, code: Code, at: impl Into<Loc>, message: impl Into<String>) -> &mut Diagnostic {
        self.push(Diagnostic { code, primary: at.into(), message: message.into(), notes: Vec::new() })
    }

    fn push(&mut self, d: Diagnostic) -> &mut Diagnostic {
        self.list.push(d);
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    /// No error so far.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The errors, in the order reported.
    #[must_use]
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// As `compile_error!` calls in the order they were found; the stages go through the source from front to back.
    #[must_use]
    pub fn into_tokens(self) -> TokenStream {
        let mut tokens = TokenStream::new();
        for d in &self.list[..self.list.len().min(Self::MOST)] {
            tokens.extend(render(d));
        }
        tokens
    }
}

/// `::core::compile_error!` at the first token, its braces at the last: rustc underlines the stretch between.
fn render(d: &Diagnostic) -> TokenStream {
    let mut text = format!("{} [{}]", d.message, d.code.name());
    for n in &d.notes {
        text.push_str("\n\n");
        text.push_str(n);
    }
    let text = crate::schema::joined::spelled(&text);
    let mut out = quote_spanned!(d.primary.first=> ::core::compile_error!);
    let mut braces = Group::new(Delimiter::Brace, quote_spanned!(d.primary.last=> #text));
    braces.set_span(d.primary.last);
    out.extend([TokenTree::Group(braces)]);
    out
}
