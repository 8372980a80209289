//! Numbers that look random and are the same in every run: splitmix64 (Steele, Lea, Flood 2014).

/// The generator, and all of its state.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator that begins at `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A generator for what is called `name`, so that one list does not depend on others.
    #[must_use]
    pub fn named(name: &str) -> Self {
        // FNV-1a.
        let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self(name.bytes().fold(0xcbf2_9ce4_8422_2325, fold))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 where `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        let range = u64::try_from(end).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.bits() % range).unwrap_or(0)
    }

    /// One of `from`, which is not empty.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_are_those_of_the_reference() {
        let mut numbers = SplitMix64::new(1_234_567);
        assert_eq!(numbers.bits(), 6_457_827_717_110_365_317);
        assert_eq!(numbers.bits(), 3_203_168_211_198_807_973);
    }
}
