//! Reads the text of a template.
use super::{Entry, Hole, Piece, Pieces};
use proc_macro2::{Delimiter, Ident, Literal, Punct, Spacing, Span};

/// A template that is being read.
pub(super) struct Template<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    /// The next byte to read.
    pub(super) at: usize,
    /// The names of the holes.
    pub(super) names: &'a str,
    pub(super) one: &'a [Piece],
    pub(super) any: &'a [&'a dyn Hole],
    pub(super) each: &'a [Pieces],
    pub(super) lists: &'a [Vec<Piece>],
    /// Of the words.
    pub(super) span: Span,
    pub(super) written: &'a mut Vec<Entry>,
}

impl<'a> Template<'a> {
    /// The byte `ahead` of the next one, which is not behind the end.
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes[self.at + ahead]
    }

    /// Reads an identifier or a number.
    fn word(&mut self) -> &'a str {
        let start = self.at;
        // no calls in here: this is most of what reading a template costs in a build without optimisation
        while CLASSES[self.bytes[self.at] as usize] as u8 == Class::Word as u8 {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// Reads up to the end of the group, which is passed, or of the text. Unless `write`, nothing is written; the result is how many
    /// turns the repeated holes there have elements for.
    pub(super) fn tokens(&mut self, turn: Option<usize>, write: bool) -> usize {
        let mut turns = usize::MAX;
        loop {
            while CLASSES[self.bytes[self.at] as usize] as u8 == Class::Space as u8 {
                self.at += 1;
            }
            let byte = self.bytes[self.at];
            match byte {
                0 => return turns,
                b')' | b']' | b'}' => {
                    self.at += 1;
                    return turns;
                }
                b'(' | b'[' | b'{' => {
                    self.at += 1;
                    let delimiter = match byte {
                        b'(' => Delimiter::Parenthesis,
                        b'[' => Delimiter::Bracket,
                        _ => Delimiter::Brace,
                    };
                    self.put(write, Entry::Open(delimiter, None));
                    let within = self.tokens(turn, write);
                    self.put(write, Entry::Close);
                    turns = turns.min(within);
                }
                b'#' => {
                    self.at += 1;
                    if self.peek(0) == b'(' {
                        self.at += 1;
                        self.repeated(write);
                    } else if in_word(self.peek(0)) {
                        let least = self.hole(turn, write);
                        turns = turns.min(least);
                    } else {
                        self.punct(write, b'#', Spacing::Alone);
                    }
                }
                b'"' => self.literal(1, 0, write),
                b'\'' => self.quote(write),
                b'0'..=b'9' => {
                    let start = self.at;
                    self.word();
                    if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
                        self.at += 1;
                        self.word();
                    }
                    self.put_literal(start, write);
                }
                b'r' if self.peek(1) == b'"' => self.literal(2, 0, write),
                b'r' if self.peek(1) == b'#' && self.peek(2) == b'"' => self.literal(3, 1, write),
                b'r' if self.peek(1) == b'#' => {
                    self.at += 2;
                    let name = self.word();
                    if write {
                        self.written.push(Entry::Token(Ident::new_raw(name, self.span).into()));
                    }
                }
                _ if in_word(byte) => {
                    self.name(write);
                }
                _ => {
                    self.at += 1;
                    self.punct(write, byte, self.spacing());
                }
            }
        }
    }

    fn put(&mut self, write: bool, entry: Entry) {
        if write {
            self.written.push(entry);
        }
    }

    fn punct(&mut self, write: bool, mark: u8, spacing: Spacing) {
        if write {
            self.written.push(Entry::Token(Punct::new(char::from(mark), spacing).into()));
        }
    }

    /// An identifier, at its beginning.
    fn name(&mut self, write: bool) {
        let name = self.word();
        if write {
            self.written.push(Entry::Token(Ident::new(name, self.span).into()));
        }
    }

    /// Of the mark that was just read.
    fn spacing(&self) -> Spacing {
        let next = self.peek(0);
        if next.is_ascii_punctuation()
            && !matches!(next, b'#' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'"' | b'_' | b'\'')
        {
            Spacing::Joint
        } else {
            Spacing::Alone
        }
    }

    /// A lifetime or a character, at its quote.
    fn quote(&mut self, write: bool) {
        if self.peek(1) == b'\\' || self.peek(2) == b'\'' {
            let start = self.at;
            self.at += if self.peek(1) == b'\\' { 3 } else { 2 };
            while self.peek(0) != b'\'' {
                self.at += 1;
            }
            self.at += 1;
            self.put_literal(start, write);
        } else {
            self.at += 1;
            self.punct(write, b'\'', Spacing::Joint);
            self.name(write);
        }
    }

    /// A text of which `opening` bytes stand up to and with its quote, with `hashes` behind the closing one. A raw one has no escapes.
    fn literal(&mut self, opening: usize, hashes: usize, write: bool) {
        let start = self.at;
        self.at += opening;
        loop {
            match self.peek(0) {
                0 => break,
                b'\\' if opening == 1 => self.at += 2,
                b'"' if hashes == 0 || self.peek(1) == b'#' => {
                    self.at += 1 + hashes;
                    break;
                }
                _ => self.at += 1,
            }
        }
        self.put_literal(start, write);
    }

    /// What needs no reading is made here: to parse it is a round trip to the compiler, and a source file there.
    fn put_literal(&mut self, start: usize, write: bool) {
        if !write {
            return;
        }
        let text = &self.text[start..self.at];
        let bytes = text.as_bytes();
        let literal = if bytes[0] == b'"' && is_plain(bytes) {
            Literal::string(&text[1..text.len() - 1])
        } else if let (Ok(number), true) = (text.parse::<u64>(), bytes[0] != b'0' || bytes.len() == 1) {
            Literal::u64_unsuffixed(number)
        } else if let Ok(literal) = text.parse::<Literal>() {
            literal
        } else {
            return;
        };
        self.written.push(Entry::Token(literal.into()));
    }

    /// A hole, at its name; how many elements it has where it is repeated.
    fn hole(&mut self, turn: Option<usize>, write: bool) -> usize {
        let name = self.word();
        let Some(i) = self.index(name) else {
            return usize::MAX;
        };
        let (pieces, others) = (self.one.len(), self.any.len());
        let value: &dyn Hole = if i < pieces {
            &self.one[i]
        } else if i < pieces + others {
            self.any[i - pieces]
        } else {
            let list = &self.lists[self.each[i - pieces - others].0];
            match turn {
                Some(turn) if turn < list.len() => &list[turn],
                _ => return list.len(),
            }
        };
        if write {
            value.write(self.written);
        }
        usize::MAX
    }

    /// Which hole has this name. The names stand with spaces between, in any number. (No calls in here either.)
    fn index(&self, name: &str) -> Option<usize> {
        let (names, name) = (self.names.as_bytes(), name.as_bytes());
        let (mut i, mut at) = (0, 0);
        while at < names.len() {
            if CLASSES[names[at] as usize] as u8 != Class::Word as u8 {
                at += 1;
                continue;
            }
            let start = at;
            let mut same = true;
            while at < names.len() && CLASSES[names[at] as usize] as u8 == Class::Word as u8 {
                same = same && at - start < name.len() && names[at] == name[at - start];
                at += 1;
            }
            if same && at - start == name.len() {
                return Some(i);
            }
            i += 1;
        }
        None
    }

    /// `#( … ) separator? *`, behind its parenthesis.
    fn repeated(&mut self, write: bool) {
        let start = self.at;
        let turns = self.tokens(None, false);
        let end = self.at;
        let mut separator = end;
        while self.bytes[separator] != b'*' {
            separator += 1;
        }
        if write {
            for turn in 0..turns {
                if turn > 0 {
                    self.at = end;
                    while self.at < separator {
                        let mark = self.peek(0);
                        self.at += 1;
                        if mark.is_ascii_punctuation() {
                            self.punct(true, mark, self.spacing());
                        }
                    }
                }
                self.at = start;
                self.tokens(Some(turn), true);
            }
        }
        self.at = separator + 1;
    }
}

#[derive(Clone, Copy)]
enum Class {
    Space,
    Word,
    Other,
}

/// What a byte is part of.
static CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte: u8 = 0;
    while byte < 128 {
        classes[byte as usize] = match byte {
            b' ' | b'\n' | b'\t' | b'\r' => Class::Space,
            b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => Class::Word,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

/// A text that stands for itself.
fn is_plain(text: &[u8]) -> bool {
    for byte in text {
        if !matches!(byte, b' '..=b'~') || *byte == b'\\' {
            return false;
        }
    }
    true
}

fn in_word(byte: u8) -> bool {
    matches!(CLASSES[byte as usize], Class::Word)
}
