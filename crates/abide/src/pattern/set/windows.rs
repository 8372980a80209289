//! Which stretches of octets a path holds: asked when many rules are compared with one path, before it is searched for
//! each of their literals.

/// Octets of a short stretch, and of a long one: short ones tell more of short literals, long ones more of long paths.
const SHORT: usize = 3;
const LONG: usize = 8;

/// Stretches of a path, each a bit that few others share.
#[derive(Debug)]
pub(super) struct Windows {
    bits: Box<[u64]>,
    shift: u32,
}

impl Windows {
    /// The stretches of `path`: two bits of sixteen or more for each of its octets.
    pub(super) fn of(path: &[u8]) -> Self {
        let bits = path.len().saturating_mul(16).next_power_of_two().max(64);
        let mut windows = Self {
            bits: vec![0; bits / 64].into_boxed_slice(),
            shift: u64::BITS.wrapping_sub(bits.trailing_zeros()),
        };
        for short in path.array_windows::<SHORT>() {
            windows.add(hash_of_short(*short));
        }
        for long in path.array_windows::<LONG>() {
            windows.add(hash(u64::from_le_bytes(*long)));
        }
        windows
    }

    /// Whether the path may hold a literal.
    pub(super) fn may_hold(&self, literal: &[u8]) -> bool {
        let ends = literal
            .first_chunk()
            .into_iter()
            .chain(literal.last_chunk());
        let mut longs = ends.map(|long| hash(u64::from_le_bytes(*long)));
        let mut shorts = literal.array_windows().map(|short| hash_of_short(*short));
        longs.all(|hash| self.has(hash)) && shorts.all(|hash| self.has(hash))
    }

    fn add(&mut self, hash: u64) {
        let (at, bit) = self.place(hash);
        if let Some(word) = self.bits.get_mut(at) {
            *word |= bit;
        }
    }

    #[inline]
    fn has(&self, hash: u64) -> bool {
        let (at, bit) = self.place(hash);
        self.bits.get(at).is_some_and(|word| word & bit != 0)
    }

    /// The word that a bit is in, and the bit.
    #[inline]
    fn place(&self, hash: u64) -> (usize, u64) {
        let number = hash >> self.shift;
        let at = usize::try_from(number / 64).unwrap_or(usize::MAX);
        (at, 1 << (number % 64))
    }
}

#[inline]
fn hash_of_short([a, b, c]: [u8; SHORT]) -> u64 {
    hash(u32::from_le_bytes([a, b, c, 0]).into())
}

/// A number whose highest bits hang on all of `octets`.
#[inline]
const fn hash(octets: u64) -> u64 {
    let mixed = octets.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}
