//! Looks for secret bytes in what was said and written, in every form in which a program shows bytes.

/// A secret in its forms, each of which gives it away.
pub struct Secret {
    what: String,
    /// As bytes, and as escapes in a string.
    raw: Vec<Vec<u8>>,
    /// In digits, with all that stands between numbers left out; in lower case.
    digits: Vec<String>,
    /// The base64 that does not hang on what stands before and after.
    base64: Vec<String>,
}

impl Secret {
    /// `bytes`: eight or more that nothing else has.
    pub fn new(what: impl Into<String>, bytes: &[u8]) -> Self {
        let numbers = |number: fn(&u8) -> String| bytes.iter().map(number).collect::<String>();
        Self {
            what: what.into(),
            raw: vec![bytes.to_vec(), bytes.escape_ascii().to_string().into_bytes()],
            digits: vec![
                numbers(|byte| format!("{byte}")),
                numbers(|byte| format!("{byte:x}")),
                numbers(|byte| format!("{byte:02x}")),
            ],
            base64: (0..3).map(|before| base64(bytes, before)).collect(),
        }
    }

    /// A number of 64 bits, which is shown as a number too.
    pub fn of_bits(what: &str, bits: u64) -> Self {
        let mut secret = Self::new(what, &bits.to_be_bytes());
        let little = Self::new(what, &bits.to_le_bytes());
        secret.raw.extend(little.raw);
        secret.digits.extend(little.digits);
        secret.base64.extend(little.base64);
        let numbers = [bits.to_string(), bits.cast_signed().unsigned_abs().to_string()];
        secret.digits.extend(numbers.into_iter().chain([format!("{bits:x}")]));
        secret
    }
}

/// A text as it is, and as it is searched for numbers.
pub struct Text {
    from: String,
    raw: Vec<u8>,
    packed: Vec<u8>,
}

impl Text {
    pub fn new(from: impl Into<String>, raw: Vec<u8>) -> Self {
        let lower = String::from_utf8_lossy(&raw).to_lowercase().replace("0x", "");
        let packed = lower.bytes().filter(u8::is_ascii_alphanumeric).collect();
        Self { from: from.into(), raw, packed }
    }

    /// What of the secret is in it, in words.
    pub fn tells(&self, secret: &Secret) -> Option<String> {
        let raw = secret.raw.iter().any(|form| has(&self.raw, form));
        let digits = secret.digits.iter().any(|form| has(&self.packed, form.as_bytes()));
        let base64 = secret.base64.iter().any(|form| has(&self.raw, form.as_bytes()));
        (raw || digits || base64).then(|| format!("{} tells {}", self.from, secret.what))
    }
}

fn has(text: &[u8], form: &[u8]) -> bool {
    text.windows(form.len()).any(|window| window == form)
}

/// The part of the base64 of something with these bytes in it, after `before` others, that is the same
/// whatever the others are.
fn base64(bytes: &[u8], before: usize) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    // Whole threes of bytes make whole fours of digits.
    let whole = &bytes[(3 - before) % 3..];
    let threes = whole.chunks_exact(3).flat_map(|three| {
        let bits = three.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte));
        [18, 12, 6, 0].map(|shift| char::from(DIGITS[(bits >> shift & 63) as usize]))
    });
    threes.collect()
}
