//! What JavaScript asks and is answered: bytes in the memory of the module.

use abide_contract::{RequestError, text};
use serde::Serialize;

/// The length of what is not there.
pub(crate) const ABSENT: usize = usize::MAX;
/// How much room is kept from one question to the next, in bytes.
const MAX_KEPT_BYTES: usize = 1 << 20;

#[derive(Default)]
pub(crate) struct Exchange {
    asked: Vec<u8>,
    answer: Vec<u8>,
    /// How many bytes of the answer are its text.
    text: usize,
}

/// What is wrong with a request.
#[derive(Serialize)]
struct WrongRequest<'a> {
    code: &'a str,
    pointer: &'a str,
    message: &'a str,
    remedy: &'a str,
}

impl Exchange {
    pub(crate) fn room(&mut self, bytes: usize) -> *mut u8 {
        for kept in [&mut self.asked, &mut self.answer] {
            if kept.capacity() > MAX_KEPT_BYTES {
                *kept = Vec::new();
            }
        }
        if self.asked.len() < bytes {
            self.asked.resize(bytes, 0);
        }
        self.asked.as_mut_ptr()
    }

    /// The pieces in the room, one behind the other.
    ///
    /// # Panics
    /// If they are longer than the room: a bug of the caller.
    pub(crate) fn asked<const N: usize>(&self, lengths: [usize; N]) -> [Option<&[u8]>; N] {
        let mut rest = &self.asked[..];
        lengths.map(|length| {
            if length == ABSENT {
                return None;
            }
            let (piece, behind) = rest.split_at(length);
            rest = behind;
            Some(piece)
        })
    }

    /// The only piece in the room, and the bytes of the answer, which is empty.
    #[cfg(feature = "package")]
    pub(crate) fn asked_and_answer(&mut self, length: usize) -> (&[u8], &mut Vec<u8>) {
        self.text = 0;
        self.answer.clear();
        (&self.asked[..length], &mut self.answer)
    }

    pub(crate) fn write(&mut self, text: &[u8], bytes: &[u8]) {
        self.answer.clear();
        self.answer.reserve_exact(text.len() + bytes.len());
        self.answer.extend_from_slice(text);
        self.answer.extend_from_slice(bytes);
        self.text = text.len();
    }

    pub(crate) fn write_error(&mut self, error: &RequestError) {
        let wrong = WrongRequest {
            code: error.code(),
            pointer: error.pointer(),
            message: &error.to_string(),
            remedy: error.remedy(),
        };
        self.write(text::line(&wrong).as_bytes(), &[]);
    }

    pub(crate) fn answer(&self) -> &[u8] {
        &self.answer
    }

    pub(crate) fn text_length(&self) -> usize {
        self.text
    }
}
