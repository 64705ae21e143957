//! A level as its data file describes it: what is solid and where the hero starts. Read once; the
//! simulation never changes it.
//!
//! The file is lines of words: `number`, `name`, `start x y z degrees`, `abyss z` and
//! `box kind x y z width depth height` (the lowest corner, then the size). `#` begins a comment.

use super::vec3::Vec3;

/// What a box of the level is: how it looks, all are equally solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the words of the file
pub enum BoxKind {
    Floor,
    Wall,
    House,
    Platform,
    Step,
    Rock,
}

/// A solid box with its sides along the axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// How it looks.
    pub kind: BoxKind,
    /// The corner with the lowest coordinates.
    pub low: Vec3,
    /// The corner with the highest.
    pub high: Vec3,
}

/// One level.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// The game's number of it.
    pub number: i32,
    /// The game's name of it.
    pub name: String,
    /// Where the hero starts and comes back.
    pub start: Vec3,
    /// Where he looks then, in radians from east.
    pub start_yaw: f32,
    /// A hero below this height has fallen off the level.
    pub abyss: f32,
    /// What is solid, in the file's order.
    pub solids: Vec<Solid>,
}

/// Why a level file cannot be used, by its line (from 1; the whole file: 0).
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct LevelError {
    line: usize,
    what: String,
}

/// The data files of all the levels there are, in the order of their numbers.
const FILES: &[&str] = &[include_str!("../../levels/veldin.txt")];

impl Level {
    /// The level of that number, or `None` when this game has none such.
    #[must_use]
    pub fn find(number: i32) -> Option<Self> {
        Self::all().find(|level| level.number == number)
    }

    /// The name of the level of that number.
    #[must_use]
    pub fn name_of(number: i32) -> Option<String> {
        Self::find(number).map(|level| level.name)
    }

    fn all() -> impl Iterator<Item = Self> {
        FILES.iter().map(|text| Self::parse(text).expect("a test parses every embedded level"))
    }

    /// Reads a level file.
    ///
    /// # Errors
    /// Names the first line that cannot be read, or what is missing.
    pub fn parse(text: &str) -> Result<Self, LevelError> {
        let mut number = None;
        let mut name = None;
        let mut start = None;
        let mut abyss = None;
        let mut solids = Vec::new();
        for (index, whole) in text.lines().enumerate() {
            let line =
                Line { number: index + 1, text: whole.split('#').next().unwrap_or("").trim() };
            let (key, rest) = line.text.split_once(char::is_whitespace).unwrap_or((line.text, ""));
            match key {
                "" => {}
                "number" => number = Some(line.parse::<i32>(rest.trim())?),
                "name" => name = Some(rest.trim().to_owned()),
                "start" => start = Some(line.floats::<4>(rest)?),
                "abyss" => abyss = Some(line.floats::<1>(rest)?[0]),
                "box" => solids.push(line.solid(rest)?),
                _ => return Err(line.error(format!("`{key}` is not known"))),
            }
        }
        let missing = |what: &str| LevelError { line: 0, what: format!("`{what}` is missing") };
        let [x, y, z, degrees] = start.ok_or_else(|| missing("start"))?;
        Ok(Self {
            number: number.ok_or_else(|| missing("number"))?,
            name: name.ok_or_else(|| missing("name"))?,
            start: Vec3::new(x, y, z),
            start_yaw: degrees.to_radians(),
            abyss: abyss.ok_or_else(|| missing("abyss"))?,
            solids,
        })
    }
}

struct Line<'a> {
    number: usize,
    text: &'a str,
}

impl Line<'_> {
    fn error(&self, what: String) -> LevelError {
        LevelError { line: self.number, what }
    }

    fn parse<T: std::str::FromStr>(&self, word: &str) -> Result<T, LevelError> {
        word.parse().map_err(|_| self.error(format!("`{word}` is not a number")))
    }

    fn floats<const N: usize>(&self, rest: &str) -> Result<[f32; N], LevelError> {
        let mut values = [0.0_f32; N];
        let words: Vec<&str> = rest.split_whitespace().collect();
        if words.len() != N {
            return Err(self.error(format!("{} numbers, not {N}", words.len())));
        }
        for (value, word) in values.iter_mut().zip(words) {
            *value = self.parse(word)?;
            if !value.is_finite() {
                return Err(self.error(format!("`{word}` is not finite")));
            }
        }
        Ok(values)
    }

    fn solid(&self, rest: &str) -> Result<Solid, LevelError> {
        let rest = rest.trim_start();
        let (kind, numbers) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let kind = match kind {
            "floor" => BoxKind::Floor,
            "wall" => BoxKind::Wall,
            "house" => BoxKind::House,
            "platform" => BoxKind::Platform,
            "step" => BoxKind::Step,
            "rock" => BoxKind::Rock,
            _ => return Err(self.error(format!("no box is a `{kind}`"))),
        };
        let [x, y, z, width, depth, height] = self.floats(numbers)?;
        if width <= 0.0 || depth <= 0.0 || height <= 0.0 {
            return Err(self.error("a box needs a size".to_owned()));
        }
        let low = Vec3::new(x, y, z);
        Ok(Solid { kind, low, high: low + Vec3::new(width, depth, height) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_level_parses_and_has_its_own_number() {
        let numbers: Vec<i32> =
            FILES.iter().map(|text| Level::parse(text).expect("parses").number).collect();
        assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
        assert_eq!(Level::name_of(0).as_deref(), Some("Veldin"));
        assert_eq!(Level::name_of(-1), None);
    }

    #[test]
    fn a_bad_line_is_named() {
        for (text, line, what) in [
            ("number 0\nbox floor 0 0 0 1 1", 2, "5 numbers, not 6"),
            ("box cloud 0 0 0 1 1 1", 1, "no box is a `cloud`"),
            ("box floor 0 0 0 1 1 0", 1, "a box needs a size"),
            ("start 0 0 nan 0", 1, "`nan` is not finite"),
            ("number x", 1, "`x` is not a number"),
            ("\n\nhero 1", 3, "`hero` is not known"),
            ("number 3", 0, "`start` is missing"),
        ] {
            let error = Level::parse(text).expect_err(text);
            assert_eq!(error, LevelError { line, what: what.to_owned() });
        }
    }
}
