//! Reads scene files. The words are described in `scenes/own.txt`.

use super::{Actor, Key, Script};
use crate::progress::Gift;
use crate::sim::Vec3;

/// Why a scene file cannot be used, by its line, from 1.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct SceneError {
    line: usize,
    what: String,
}

/// A file.
#[derive(Debug, Default, PartialEq)]
pub(super) struct SceneFile {
    /// The level whose scenes they are; `None`: the game's own.
    pub level: Option<i32>,
    pub help: Vec<String>,
    pub scripts: Vec<Script>,
}

pub(super) fn scenes(text: &str) -> Result<SceneFile, SceneError> {
    let mut file = SceneFile::default();
    let mut last = 0;
    for (number, whole) in (1..).zip(text.lines()) {
        let line = whole.split('#').next().unwrap_or("").trim();
        if !line.is_empty() {
            file.take(line).map_err(|what| SceneError { line: number, what })?;
            last = number;
        }
    }
    file.finish().map_err(|what| SceneError { line: last, what })?;
    Ok(file)
}

impl SceneFile {
    fn take(&mut self, line: &str) -> Result<(), String> {
        let (key, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match key {
            "level" => self.level = Some(parse(rest)?),
            "help" => self.help.push(rest.to_owned()),
            "scene" => {
                self.finish()?;
                let (number, name) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                let number: i32 = parse(number)?;
                if !(0..32).contains(&number) || self.scripts.iter().any(|s| s.number == number) {
                    return Err(format!(
                        "{number} is not a number for a scene of its own, 0 to 31"
                    ));
                }
                self.scripts.push(Script {
                    number,
                    name: name.trim().to_owned(),
                    is_intro: false,
                    seconds: 0.0,
                    gives: Vec::new(),
                    camera: Vec::new(),
                    actors: Vec::new(),
                    lines: Vec::new(),
                });
            }
            _ => self.scripts.last_mut().ok_or("no scene has begun")?.take(key, rest)?,
        }
        Ok(())
    }

    /// Whether the newest scene is whole.
    fn finish(&self) -> Result<(), String> {
        let Some(script) = self.scripts.last() else { return Ok(()) };
        let missing = if script.seconds <= 0.0 {
            "a length"
        } else if script.camera.is_empty() {
            "a camera"
        } else if script.actors.iter().any(|actor| actor.keys.is_empty()) {
            "a place for an actor"
        } else {
            return Ok(());
        };
        Err(format!("scene {} lacks {missing}", script.number))
    }
}

impl Script {
    fn take(&mut self, key: &str, rest: &str) -> Result<(), String> {
        match key {
            "intro" => self.is_intro = true,
            "length" => [self.seconds] = floats(rest)?,
            "camera" => {
                let [seconds, x, y, z, to_x, to_y, to_z] = floats(rest)?;
                let value = (Vec3::new(x, y, z), Vec3::new(to_x, to_y, to_z));
                put(&mut self.camera, Key { seconds, value })?;
            }
            "actor" => {
                let (class, name) = rest.split_once(char::is_whitespace).ok_or("class and name")?;
                let name = name.trim().to_owned();
                self.actors.push(Actor { name, class: parse(class)?, keys: Vec::new() });
            }
            "at" => {
                let [seconds, x, y, z, degrees] = floats(rest)?;
                let actor = self.actors.last_mut().ok_or("no actor to be there")?;
                let value = (Vec3::new(x, y, z), degrees.to_radians());
                put(&mut actor.keys, Key { seconds, value })?;
            }
            "say" => {
                let mut words = rest.splitn(3, char::is_whitespace);
                let mut word = || words.next().ok_or("seconds, how long, and what is said");
                let (from, long) = (parse(word()?)?, parse(word()?)?);
                let value = (long, word()?.trim().to_owned());
                self.lines.push(Key { seconds: from, value });
            }
            "gives" => self.gives.push(gift(rest)?),
            _ => return Err(format!("`{key}` is not known")),
        }
        Ok(())
    }
}

fn gift(rest: &str) -> Result<Gift, String> {
    let (what, index) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let index = parse(index.trim())?;
    match what {
        "item" => Ok(Gift::Item(index)),
        "gold_bolt" => Ok(Gift::GoldBolt(index)),
        "planet" => Ok(Gift::Planet(index)),
        _ => Err(format!("nobody is given a `{what}`")),
    }
}

/// Adds a key, which must be later than those before.
fn put<T>(keys: &mut Vec<Key<T>>, key: Key<T>) -> Result<(), String> {
    if keys.last().is_some_and(|last| last.seconds >= key.seconds) {
        return Err(format!("{} is not later than the line before", key.seconds));
    }
    keys.push(key);
    Ok(())
}

fn parse<T: std::str::FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("`{word}` is not a number"))
}

fn floats<const N: usize>(rest: &str) -> Result<[f32; N], String> {
    let mut values = [0.0_f32; N];
    let words: Vec<&str> = rest.split_whitespace().collect();
    if words.len() != N {
        return Err(format!("{} numbers, not {N}", words.len()));
    }
    for (value, word) in values.iter_mut().zip(words) {
        *value = parse(word)?;
        if !value.is_finite() {
            return Err(format!("`{word}` is not finite"));
        }
    }
    Ok(values)
}
