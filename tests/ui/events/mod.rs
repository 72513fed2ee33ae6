//! The stream of most files.
use cep::Event;

/// Readings of two kinds, and a pause.
#[derive(Event, Clone, Debug)]
pub enum Reading {
    /// A temperature.
    T { id: u32, zone: u8, value: f64, name: String },
    /// A humidity.
    H { id: u32, sensor: u64, value: f64, low: f32, dry: bool, note: Option<u32> },
    /// Nothing.
    Idle,
}
