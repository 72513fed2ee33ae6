//! `summarize`: one record per event over all results that end there.
use super::{Field, FoldId};
use crate::ast::Overflow;
use crate::diagnostic::Loc;
use crate::schema::Kind;
use proc_macro2::Ident;

/// `summarize { … }`
pub struct Summary {
    /// What makes results different: the variables that a `select` would give by default.
    pub fields: Vec<Field>,
    /// The attributes of the record.
    pub columns: Vec<Column>,
    /// The most results that can end at one event, where something bounds them.
    pub results: Option<u128>,
}

/// An attribute of the record.
pub struct Column {
    /// Its name.
    pub name: Ident,
    /// What is folded.
    pub of: ColumnOf,
    /// Its type: it fits, or `overflow` says what happens where it does not.
    pub kind: Kind,
    /// It can be NULL.
    pub nullable: bool,
    /// The user's choice and where it stands.
    pub overflow: Option<(Overflow, Loc)>,
    /// As written, without the choice.
    pub text: String,
    /// Where it stands.
    pub loc: Loc,
}

/// What a column folds over all results.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ColumnOf {
    /// `count(*)`
    Results,
    /// The fold of each result, combined.
    Fold(FoldId),
}
