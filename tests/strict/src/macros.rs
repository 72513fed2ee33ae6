//! Inside a user's own macros, with every kind of fragment that can stand there.
use crate::events::Packet;

macro_rules! pairs {
    ($vis:vis $name:ident, $stream:ty, $limit:expr, $a:ident, $b:ident, $window:literal, $($parameter:ident: $of:ty),*) => {
        crate::facade::cep! {
            /// Made by a macro.
            $vis pattern $name($($parameter: $of),*) on $stream =
                T as $a filter $a.value > $limit $(&& $a.value > $parameter)*
                ; H as $b filter $b.id == $a.id
                within $window events
                select $a, $b.value;
        }
    };
}
pairs!(pub FromMacro, crate::events::Reading, 10.0 + 1.0, left, right, 5, least: f64, lesser: f64);
pairs!(pub(crate) FromPath, crate::events::Reading, 0.0 * 2.0, x, y, 2,);

macro_rules! borrowed {
    ($name:ident, $stream:ty, $kind:ident, $port:literal, $least:expr) => {
        crate::facade::cep! {
            #[doc = concat!("Port ", stringify!($port))]
            pub pattern $name on $stream = $kind as p filter p.port == $port && p.body.len() >= $least within 1 events detect;
        }
    };
}
borrowed!(Dns, Packet<'_>, Packet, 53, 1 - 1);

macro_rules! whole {
    ($($items:tt)*) => { crate::facade::cep! { $($items)* } };
}
whole! {
    /// All tokens through a macro.
    pub pattern Whole(least: f64) on crate::events::Reading = T as t filter t.value > least within 1 events;
}
