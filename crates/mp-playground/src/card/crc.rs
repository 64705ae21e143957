//! The checksum of a save's sections.

/// Where it starts.
const START: u16 = 0x8320;
/// The polynomial, without its highest term.
const POLYNOMIAL: u16 = 0x1f45;

/// CRC-16 over the bytes, most significant bit first.
pub(super) fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(START, |crc, &byte| {
        (0..8).fold(crc ^ (u16::from(byte) << 8), |crc, _| {
            let shifted = crc << 1;
            if crc & 0x8000 == 0 { shifted } else { shifted ^ POLYNOMIAL }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same bit by bit, as a division written down: an independent way to the same numbers.
    fn long_division(bytes: &[u8]) -> u16 {
        let mut register = u32::from(START);
        for bit in bytes.iter().flat_map(|byte| (0..8).rev().map(move |at| byte >> at & 1)) {
            let out = (register >> 15 & 1) ^ u32::from(bit);
            register = (register << 1) & 0xffff;
            if out == 1 {
                register ^= u32::from(POLYNOMIAL);
            }
        }
        u16::try_from(register).expect("16 bits")
    }

    #[test]
    fn it_is_the_crc_of_that_start_and_polynomial() {
        assert_eq!(crc16(&[]), 0x8320);
        // One zero byte by hand: 0x8320 shifted eight times, and 0x1f45 in for each bit that falls out.
        assert_eq!(crc16(&[0]), long_division(&[0]));
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(crc16(&bytes), long_division(&bytes));
        assert_ne!(crc16(&bytes), crc16(&bytes[1..]));
    }
}
