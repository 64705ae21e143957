//! Reads a level's file: lines of words, `#` begins a comment.
//!
//! - `number N`, `name WORDS`, `start x y z degrees`, `abyss z`
//! - `checkpoint x y z degrees radius`
//! - `box KIND x y z width depth height`: the lowest corner, then the size
//! - `moby CLASS x y z degrees [WORD=VALUE...]`: the middle of its foot, where it looks, and what the
//!   class may be told ([`Params`]). Its key is its place among the `moby` lines, from 0. `repeat=N
//!   step=x,y,z` stands for N such lines, each further by the step. `label=NAME` names it for a switch's
//!   `opens=NAME,...`, which may stand before it.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::grid::Grid;
use super::{BoxKind, Checkpoint, Level, Params, Placed, Solid};
use crate::progress::{GOLD_BOLTS, Gift, ITEMS, PLANETS};
use crate::sim::class::{Class, kind};
use crate::sim::vec3::Vec3;

/// How many mobys, and how many boxes, a level has at most.
const MOBYS_MAX: usize = 512;
const BOXES_MAX: usize = 4_096;

/// Why a level file cannot be used, by its line (from 1; the whole file: 0).
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct LevelError {
    pub(super) line: usize,
    pub(super) what: String,
}

/// What was read so far.
#[derive(Default)]
struct Draft {
    number: Option<i32>,
    name: Option<String>,
    start: Option<[f32; 4]>,
    abyss: Option<f32>,
    checkpoints: Vec<Checkpoint>,
    solids: Vec<Solid>,
    mobys: Vec<Placed>,
    labels: BTreeMap<String, u16>,
    /// What a switch opens, by its key: labels, and the line they stand in.
    opens: Vec<(usize, usize, String)>,
}

impl Level {
    /// Reads a level file.
    ///
    /// # Errors
    /// Names the first line that cannot be read, or what is missing.
    pub fn parse(text: &str) -> Result<Self, LevelError> {
        let mut draft = Draft::default();
        for (index, whole) in text.lines().enumerate() {
            let text = whole.split('#').next().unwrap_or("").trim();
            draft.read(&Line { number: index + 1, text })?;
        }
        draft.finish()
    }
}

impl Draft {
    fn read(&mut self, line: &Line<'_>) -> Result<(), LevelError> {
        let (key, rest) = line.text.split_once(char::is_whitespace).unwrap_or((line.text, ""));
        match key {
            "" => {}
            "number" => self.number = Some(line.parse(rest.trim())?),
            "name" => self.name = Some(rest.trim().to_owned()),
            "start" => self.start = Some(line.floats(rest)?),
            "abyss" => self.abyss = Some(line.floats::<1>(rest)?[0]),
            "checkpoint" => {
                let [x, y, z, degrees, radius] = line.floats(rest)?;
                let position = Vec3::new(x, y, z);
                self.checkpoints.push(Checkpoint { position, yaw: degrees.to_radians(), radius });
            }
            "box" if self.solids.len() < BOXES_MAX => self.solids.push(line.solid(rest)?),
            "moby" => self.read_moby(line, rest)?,
            _ => return Err(line.error(format!("`{key}` is not known, or too many"))),
        }
        Ok(())
    }

    fn read_moby(&mut self, line: &Line<'_>, rest: &str) -> Result<(), LevelError> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let (head, tail) = words
            .split_at_checked(5)
            .ok_or_else(|| line.error("a moby needs a class and four numbers".to_owned()))?;
        let class = Class::of_word(head[0])
            .filter(|class| !class.is(kind::PROJECTILE | kind::EFFECT) && *class != Class::Hero)
            .ok_or_else(|| line.error(format!("no moby is a `{}`", head[0])))?;
        let [x, y, z, degrees] = line.floats(&head[1..].join(" "))?;
        let yaw = degrees.to_radians();
        let mut placed =
            Placed { class, position: Vec3::new(x, y, z), yaw, params: Params::of(class) };
        let (mut repeat, mut step) = (1, Vec3::ZERO);
        for word in tail {
            let (word, value) = word
                .split_once('=')
                .ok_or_else(|| line.error(format!("`{word}` is not WORD=VALUE")))?;
            match word {
                "repeat" => repeat = line.parse::<u16>(value)?,
                "step" => step = line.vec3(value)?,
                "label" => {
                    self.labels.insert(value.to_owned(), self.key(line)?);
                }
                _ if !Params::words(class).contains(&word) => {
                    return Err(line.error(format!("a {} has no `{word}`", head[0])));
                }
                "opens" => {
                    self.opens.push((self.mobys.len(), line.number, value.to_owned()));
                }
                _ => self.read_param(line, &mut placed.params, word, value)?,
            }
        }
        for _ in 0..repeat {
            self.key(line)?;
            self.mobys.push(placed.clone());
            placed.position += step;
        }
        Ok(())
    }

    fn read_param(
        &self,
        line: &Line<'_>,
        params: &mut Params,
        word: &str,
        value: &str,
    ) -> Result<(), LevelError> {
        let below = |index: &str, count: usize| {
            let index = line.parse::<usize>(index)?;
            if index < count { Ok(index) } else { Err(line.error(format!("{index} is too many"))) }
        };
        match word {
            "bolts" => params.bolts = line.parse(value)?,
            "limit" => params.limit = line.parse(value)?,
            "size" => params.size = line.vec3(value)?,
            "travel" => params.travel = line.vec3(value)?,
            "seconds" => params.seconds = line.parse(value)?,
            "wait" => params.wait = line.parse(value)?,
            "scene" => params.scene = Some(line.parse(value)?),
            "item" => params.gives = Some(Gift::Item(below(value, ITEMS)?)),
            "planet" => params.gives = Some(Gift::Planet(below(value, PLANETS)?)),
            "until" => {
                params.until = Some(match value.split_once(':') {
                    Some(("item", index)) => Gift::Item(below(index, ITEMS)?),
                    Some(("planet", index)) => Gift::Planet(below(index, PLANETS)?),
                    _ => return Err(line.error(format!("`{value}` is no item:N or planet:N"))),
                });
            }
            "number" => {
                let level = self.number.and_then(|number| usize::try_from(number).ok());
                let level = level.filter(|level| *level < GOLD_BOLTS / 4).ok_or_else(|| {
                    line.error("a gold bolt needs the level's number before it".to_owned())
                })?;
                params.gives = Some(Gift::GoldBolt(level * 4 + below(value, 4)?));
            }
            _ => return Err(line.error(format!("`{word}` is not known"))),
        }
        Ok(())
    }

    /// The key of the next moby.
    fn key(&self, line: &Line<'_>) -> Result<u16, LevelError> {
        let key = u16::try_from(self.mobys.len()).ok();
        key.filter(|key| usize::from(*key) < MOBYS_MAX)
            .ok_or_else(|| line.error(format!("more than {MOBYS_MAX} mobys")))
    }

    fn finish(mut self) -> Result<Level, LevelError> {
        for (moby, line, labels) in &self.opens {
            for label in labels.split(',') {
                let unknown =
                    || LevelError { line: *line, what: format!("nothing has the label `{label}`") };
                let key = *self.labels.get(label).ok_or_else(unknown)?;
                self.mobys[*moby].params.opens.push(key);
            }
        }
        let missing = |what: &str| LevelError { line: 0, what: format!("`{what}` is missing") };
        let [x, y, z, degrees] = self.start.ok_or_else(|| missing("start"))?;
        Ok(Level {
            number: self.number.ok_or_else(|| missing("number"))?,
            name: self.name.ok_or_else(|| missing("name"))?,
            start: Vec3::new(x, y, z),
            start_yaw: degrees.to_radians(),
            abyss: self.abyss.ok_or_else(|| missing("abyss"))?,
            checkpoints: self.checkpoints,
            grid: Grid::of(&self.solids),
            solids: self.solids,
            mobys: self.mobys,
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

    fn parse<T: FromStr>(&self, word: &str) -> Result<T, LevelError> {
        word.parse().map_err(|_| self.error(format!("`{word}` is not a number")))
    }

    fn numbers<'a, const N: usize>(
        &self,
        words: impl Iterator<Item = &'a str>,
    ) -> Result<[f32; N], LevelError> {
        let mut values = [0.0_f32; N];
        let words: Vec<&str> = words.collect();
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

    fn floats<const N: usize>(&self, rest: &str) -> Result<[f32; N], LevelError> {
        self.numbers(rest.split_whitespace())
    }

    fn vec3(&self, value: &str) -> Result<Vec3, LevelError> {
        self.numbers(value.split(',')).map(|[x, y, z]| Vec3::new(x, y, z))
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
