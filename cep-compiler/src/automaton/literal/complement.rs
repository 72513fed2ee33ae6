//! Complement, of what can be determinised.
use super::{Automaton, Error};

impl Automaton {
    /// Accepts the strings that `self` does not accept: of those that the window allows, or of all where no register is read. Determinised
    /// without regard to outputs, then accepting and other states change places. What it marks means nothing.
    ///
    /// Source: the paper shows that register match automata are not closed under complement; unrolled ones are. Cost:
    /// [`Automaton::determinize`].
    ///
    /// # Errors
    /// [`Error::NoWindow`] where registers are read and there is no window; [`Error::TooLarge`].
    pub fn complement(&self, budget: usize) -> Result<Self, Error> {
        if self.window.is_none() && self.reads_registers() {
            return Err(Error::NoWindow { what: "complement" });
        }
        let mut out = self.determinize(budget)?;
        for s in &mut out.states {
            s.accepting = !s.accepting;
        }
        Ok(out)
    }
}
