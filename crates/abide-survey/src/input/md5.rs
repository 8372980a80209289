//! MD5 (RFC 1321), for archives of old whose digests are in it. It finds damage, and no forgery.

/// How far each step rotates, by its round and its place there.
const ROTATIONS: [[u32; 4]; 4] = [
    [7, 12, 17, 22],
    [5, 9, 14, 20],
    [4, 11, 16, 23],
    [6, 10, 15, 21],
];

/// The MD5 of the bytes so far.
#[derive(Clone)]
pub(super) struct Md5 {
    state: [u32; 4],
    /// What is not a whole block yet.
    rest: Vec<u8>,
    length: u64,
}

impl Default for Md5 {
    fn default() -> Self {
        Self {
            state: [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476],
            rest: Vec::new(),
            length: 0,
        }
    }
}

impl Md5 {
    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.length = self.length.wrapping_add(bytes.len() as u64);
        self.rest.extend_from_slice(bytes);
        let rest = std::mem::take(&mut self.rest);
        let (blocks, rest) = rest.as_chunks::<64>();
        for block in blocks {
            self.block(block);
        }
        self.rest = rest.to_vec();
    }

    pub(super) fn finish(mut self) -> [u8; 16] {
        let bits = self.length.wrapping_mul(8);
        let zeros = (55 - self.rest.len().cast_signed())
            .rem_euclid(64)
            .cast_unsigned();
        self.update(&[0x80]);
        self.update(&vec![0; zeros]);
        self.update(&bits.to_le_bytes());
        let mut digest = [0; 16];
        let words = self.state.iter().flat_map(|word| word.to_le_bytes());
        digest
            .iter_mut()
            .zip(words)
            .for_each(|(to, byte)| *to = byte);
        digest
    }

    fn block(&mut self, block: &[u8; 64]) {
        let (words, _) = block.as_chunks::<4>();
        let word = |at: usize| {
            words
                .get(at % 16)
                .map_or(0, |word| u32::from_le_bytes(*word))
        };
        let [mut a, mut b, mut c, mut d] = self.state;
        let rounds = (0..).zip(ROTATIONS.iter());
        let steps = rounds.flat_map(|(round, rotations)| {
            let rotations = rotations.iter().cycle().take(16);
            (round * 16..)
                .zip(rotations)
                .map(move |(step, by)| (round, step, *by))
        });
        for (round, step, by) in steps {
            let (mixed, at) = match round {
                0 => (b & c | !b & d, step),
                1 => (d & b | !d & c, 5 * step + 1),
                2 => (b ^ c ^ d, 3 * step + 5),
                _ => (c ^ (b | !d), 7 * step),
            };
            let sum = a
                .wrapping_add(mixed)
                .wrapping_add(constant(step))
                .wrapping_add(word(at));
            (a, d, c, b) = (d, c, b, b.wrapping_add(sum.rotate_left(by)));
        }
        for (word, own) in [a, b, c, d].into_iter().zip(&mut self.state) {
            *own = own.wrapping_add(word);
        }
    }
}

/// The constant of a step, counted from 0: the fraction of a sine.
fn constant(step: usize) -> u32 {
    #[expect(clippy::cast_precision_loss, reason = "it is less than 64")]
    let sine = (step as f64 + 1.0).sin().abs();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is at least 0 and less than 2^32"
    )]
    let constant = (sine * 4_294_967_296.0) as u32;
    constant
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test suite of RFC 1321, in pieces of every length.
    #[test]
    fn it_is_that_of_the_document() {
        for (text, expected) in [
            ("", "d41d8cd98f00b204e9800998ecf8427e"),
            ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            (
                "abcdefghijklmnopqrstuvwxyz",
                "c3fcd3d76192e4007dfb496cca67e13b",
            ),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "d174ab98d277d9f5a5611c2c9f419d9f",
            ),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a",
            ),
        ] {
            for length in 1..=text.len().max(1) {
                let mut md5 = Md5::default();
                text.as_bytes()
                    .chunks(length)
                    .for_each(|piece| md5.update(piece));
                let digest = u128::from_be_bytes(md5.finish());
                assert_eq!(format!("{digest:032x}"), expected, "{text:?} by {length}");
            }
        }
    }
}
