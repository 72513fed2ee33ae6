//! What stands for a window of which only the head can be read: its name, its constants and methods, and a record without fields.
use crate::ast::WindowHead;
use crate::code::{Piece, code};
use crate::emit::results::{carried, no_event};
use crate::emit::skeleton::silent;

/// Emits it. `root` is the facade's path.
pub(crate) fn bare(head: &WindowHead, root: Piece) -> Piece {
    let p = code!([root] #root::__private);
    let (name, vis) = (&head.name, &head.visibility);
    let plain = name.to_string().trim_start_matches("r#").to_string();
    let record = Piece::name(format_args!("{plain}Record"), name.span());
    let records = Piece::name(format_args!("{plain}Windows"), name.span());
    let (carried, stream) = (carried(&silent(name, vis), &[]), no_event(name, Piece::EMPTY, p));
    let value = code!([records] #records(::core::marker::PhantomData));
    let (output, given) = if head.fallible {
        (
            code!([p, records] ::core::result::Result<#records<'_>, #p::PushError>),
            code!([value] ::core::result::Result::Ok(#value)),
        )
    } else {
        (code!([records] #records<'_>), value)
    };
    code! { [carried, stream, output, given, value, p, records, record | name, vis]
        #[doc(hidden)]
        #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::default::Default)]
        #[allow(non_camel_case_types)]
        #vis struct #name(());
        #[doc(hidden)]
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        #[allow(non_camel_case_types)]
        #vis struct #record(());
        #[doc(hidden)]
        #[derive(::core::fmt::Debug)]
        #[allow(non_camel_case_types)]
        #vis struct #records<'machine>(::core::marker::PhantomData<&'machine mut ()>);
        #carried
        #[allow(dead_code, unused_variables, non_local_definitions, clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = {
            impl #name {
                #[doc(hidden)] #vis const ORIGIN: ::core::primitive::u64 = 0;
                #[doc(hidden)] #vis const TAIL: ::core::primitive::u64 = 0;
                #[doc(hidden)] #vis const INTERVAL: (::core::primitive::u64, ::core::primitive::u64) = (1, 1);
                #[doc(hidden)] #vis const WIDTH: ::core::primitive::usize = 1;
                #[doc(hidden)] #vis const EXPLAIN: &'static ::core::primitive::str = "";
                #[doc(hidden)] #vis const fn new() -> Self { Self(()) }
                #[doc(hidden)] #vis fn push<Event: ?::core::marker::Sized>(&mut self, event: &Event) -> #output { #given }
                #[doc(hidden)] #vis fn advance_to<Time>(&mut self, time: Time) -> #records<'_> { #value }
                #[doc(hidden)] #vis fn heartbeat<Time>(&mut self, time: Time) -> #records<'_> { #value }
                #[doc(hidden)] #vis fn finish(&mut self) -> #records<'_> { #value }
                #[doc(hidden)] #vis fn next_match(&mut self) -> ::core::option::Option<#record> { ::core::option::Option::None }
                #[doc(hidden)] #vis fn reset(&mut self) {}
                #[doc(hidden)] #vis const fn position(&self) -> ::core::primitive::u64 { 0 }
                #[doc(hidden)] #vis const fn stats(&self) -> #p::Stats { #p::Stats::NEW }
            }
            impl #record {
                #[doc(hidden)] #vis const fn index(&self) -> ::core::primitive::u64 { 0 }
                #[doc(hidden)] #vis const fn emit_at(&self) -> (::core::primitive::u128, ::core::primitive::u64) { (0, 1) }
            }
            impl ::core::iter::Iterator for #records<'_> {
                type Item = #record;
                fn next(&mut self) -> ::core::option::Option<#record> { ::core::option::Option::None }
            }
            #stream
        };
    }
}
