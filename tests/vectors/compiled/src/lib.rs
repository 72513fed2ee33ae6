//! The tests of this package run the vectors of `tests/semantics`, and of the directory that `CEP_VECTORS` names, through the
//! machines that `cep!` makes of them.
