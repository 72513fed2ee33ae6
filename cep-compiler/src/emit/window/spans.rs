//! What lets patterns look for matches inside each window: `within window Trip`.
//!
//! A pattern's machine holds the open windows without their elements, and asks of each event where its window begins. They are of the same
//! rules and of the same functions as the window's own machine, with no output.
use super::predicate::Source;
use crate::code::{Piece, code};
use crate::schema::Held;

/// Whether patterns can run inside the windows, as other items see it.
pub(super) fn held(s: &Source<'_>) -> Option<Held> {
    // what is given up for want of room is in no window any more, without a word about it
    if s.p.evict || !s.names.is_generic {
        return None;
    }
    Some(Held { of: s.window.schema.name.clone(), keys: s.p.keys.max(1), boxed: s.window.boxed.is_some() })
}

/// The traits.
pub(super) fn spans(s: &Source<'_>) -> Piece {
    if held(s).is_none() {
        return Piece::EMPTY;
    }
    let (r, on, name, kept, key, time) =
        (s.names.p, s.names.on_static, s.names.machine, s.kept, s.key, s.time);
    let n = |x: u64| usize::try_from(x).unwrap_or(usize::MAX / 8);
    let keys = n(s.p.keys.max(1));
    let (stores, most) = (s.p.advance_size.is_some(), n(s.p.most));
    // one output for each key at once, and elements only where a window can lose its first ones
    let pieces = keys + 4 + if stores { 2 * most + 1 } else { 0 };
    let buckets = (2 * keys).next_power_of_two();
    let unit = code!([r] #r::Count<()>);
    let lift = code!([unit, r] <#unit as #r::Monoid>::lift(()));
    let boxed = s.window.boxed.is_some();
    let family = if boxed { code!([r] #r::Boxed) } else { code!([r] #r::Inline) };
    let tracker = code!([r, unit, family, time, key, kept | buckets, keys, pieces] #r::Windows<#r::At<#kept>, #key, #unit, #time, #pieces, #keys, #buckets, #family>);
    let made = if boxed { code!([r] #r::Windows::boxed()) } else { code!([r] #r::Windows::new()) };
    let constant = if !boxed {
        code!([r, tracker, name] impl #r::InlineSpans for #name { const TRACKER: #tracker = #r::Windows::new(); })
    } else {
        Piece::EMPTY
    };
    code! { [r, on, tracker, made, lift, constant, time, name | stores]
        const __CEP_SPANS: #r::Settings = #r::Settings {
            keep_order: false, flush: false, nested: false, folds: true, stores: #stores, reads: true, ..__CEP_SETTINGS
        };
        impl #r::Spans for #name {
            type Event = #on;
            type Time = #time;
            type Tracker = #tracker;
            fn tracker() -> #tracker { #made }
            fn span(tracker: &#tracker, position: ::core::primitive::u64, event: &#on) -> ::core::result::Result<::core::option::Option<#r::Span>, #r::PushError> {
                let ::core::option::Option::Some(kept) = __cep_keep(event) else {
                    tracker.beside(__cep_beside(event))?;
                    return ::core::result::Result::Ok(::core::option::Option::None);
                };
                tracker.span(&__CEP_SPANS, &__cep_key(&kept), __cep_time(&kept), position, |which, open| __cep_holds(event, which, open), #r::At::position)
            }
            fn enter(tracker: &mut #tracker, position: ::core::primitive::u64, event: &#on) -> ::core::result::Result<::core::option::Option<::core::primitive::u32>, #r::PushError> {
                let ::core::option::Option::Some(kept) = __cep_keep(event) else {
                    tracker.pass(&__CEP_SPANS, __cep_beside(event), |_| #lift)?;
                    return ::core::result::Result::Ok(::core::option::Option::None);
                };
                let (time, key) = (__cep_time(&kept), __cep_key(&kept));
                let kept = #r::At::new(position, kept);
                tracker.push(&__CEP_SPANS, kept, key, time, #lift, false, |which, open| __cep_holds(event, which, open), |_| #lift)?;
                ::core::result::Result::Ok(tracker.lane(&key))
            }
            fn advance_to(tracker: &mut #tracker, time: #time) { tracker.advance_to(&__CEP_SPANS, time, |_| #lift); }
            fn open(tracker: &#tracker) -> ::core::primitive::u64 { tracker.open() }
        }
        #constant
    }
}
