//! The last seconds of a run as an animated picture: the games are kept as they were, and drawn at the
//! end, so that keeping them costs the run next to nothing.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;
use std::thread;

use color_quant::NeuQuant;

use super::{Picture, Plots, View, room_for};
use crate::game::StandIn;

/// Between two frames, in hundredths of a second, as the format has it: ten frames a second.
const DELAY: u16 = 10;
/// How many frames there are at most: the last seven seconds.
const FRAMES: usize = 70;
/// How many of the frames tell the colours of all.
const SAMPLES: usize = 8;
/// The colour of the list that means: as in the frame before.
const SAME: u8 = 255;

/// A game as it was at a moment, with what a view of it needs.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The player's name.
    pub name: String,
    /// The game.
    pub game: StandIn,
    /// What is known of its link.
    pub plots: Plots,
    /// Whether a person plays it.
    pub played: bool,
}

impl Shown {
    /// The view of it, with or without what is known of its link.
    #[must_use]
    pub fn view(&self, with_plots: bool) -> View<'_> {
        let plots = with_plots.then_some(&self.plots);
        View { game: &self.game, name: &self.name, plots, played: self.played }
    }
}

/// The last seconds.
#[derive(Clone, Debug, Default)]
pub struct Clip {
    frames: VecDeque<Vec<Shown>>,
    next: f64,
}

impl Clip {
    /// Keeps what shows at that time, in seconds, if it is time for a frame.
    pub fn see(&mut self, at: f64, shown: impl FnOnce() -> Vec<Shown>) {
        if at < self.next {
            return;
        }
        // From one frame to the next, not from when this one came, so that the clip keeps time.
        let step = f64::from(DELAY) / 100.0;
        self.next = if at - self.next > step { at + step } else { self.next + step };
        if self.frames.len() == FRAMES {
            self.frames.pop_front();
        }
        self.frames.push_back(shown());
    }

    /// Draws the frames, smaller than a picture, and writes them as a GIF that plays again and again.
    ///
    /// # Errors
    /// What the system says of the file, or that there is no frame.
    pub fn save(&self, file: &Path) -> io::Result<()> {
        let pictures = self.drawn();
        let first = pictures.first().ok_or_else(|| io::Error::other("nothing was played"))?;
        let side = |pixels: u32| u16::try_from(pixels).map_err(io::Error::other);
        let (width, height) = (side(first.width)?, side(first.height)?);
        let mut palette = Palette::of(&pictures);
        let out = BufWriter::new(File::create(file)?);
        let mut encoder =
            gif::Encoder::new(out, width, height, &palette.colours).map_err(io::Error::other)?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(io::Error::other)?;
        let mut before: Option<Vec<u8>> = None;
        for picture in &pictures {
            let now: Vec<u8> = picture.rgb.chunks_exact(3).map(|dot| palette.index(dot)).collect();
            let buffer = match &before {
                None => now.clone(),
                Some(before) => {
                    let pairs = now.iter().zip(before);
                    pairs.map(|(&now, &before)| if now == before { SAME } else { now }).collect()
                }
            };
            let frame = gif::Frame {
                width,
                height,
                delay: DELAY,
                transparent: before.is_some().then_some(SAME),
                dispose: gif::DisposalMethod::Keep,
                buffer: buffer.into(),
                ..gif::Frame::default()
            };
            encoder.write_frame(&frame).map_err(io::Error::other)?;
            before = Some(now);
        }
        Ok(())
    }

    /// The frames drawn, on two threads.
    fn drawn(&self) -> Vec<Picture> {
        let frames: Vec<&[Shown]> = self.frames.iter().map(Vec::as_slice).collect();
        let (early, late) = frames.split_at(frames.len() / 2);
        thread::scope(|scope| {
            let early = scope.spawn(|| -> Vec<Picture> { early.iter().map(|f| draw(f)).collect() });
            let late: Vec<Picture> = late.iter().map(|frame| draw(frame)).collect();
            let mut all = early.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            all.extend(late);
            all
        })
    }
}

/// One game at three quarters of a picture's size, several at half of it.
fn draw(frame: &[Shown]) -> Picture {
    let views: Vec<View<'_>> = frame.iter().map(|shown| shown.view(false)).collect();
    let (width, height) = room_for(views.len());
    let eighths = if views.len() == 1 { 6 } else { 4 };
    Picture::sized(&views, (width * eighths / 8, height * eighths / 8))
}

/// 255 colours, and which of them is nearest to any.
struct Palette {
    colours: Vec<u8>,
    quantiser: NeuQuant,
    /// By the upper five bits of red, green and blue; `None`: not asked yet.
    nearest: Vec<Option<u8>>,
}

impl Palette {
    fn of(pictures: &[Picture]) -> Self {
        let step = pictures.len().div_ceil(SAMPLES).max(1);
        let sample = pictures.iter().step_by(step).flat_map(|picture| picture.rgb.chunks_exact(3));
        let rgba: Vec<u8> =
            sample.step_by(3).flat_map(|dot| [dot[0], dot[1], dot[2], 255]).collect();
        // A tenth of the sample teaches the quantiser enough.
        let quantiser = NeuQuant::new(10, usize::from(SAME), &rgba);
        let mut colours = quantiser.color_map_rgb();
        colours.resize(3 * 256, 0);
        Self { colours, quantiser, nearest: vec![None; 1 << 15] }
    }

    fn index(&mut self, dot: &[u8]) -> u8 {
        let upper = |share: u8| usize::from(share >> 3);
        let slot = &mut self.nearest[upper(dot[0]) << 10 | upper(dot[1]) << 5 | upper(dot[2])];
        let quantiser = &self.quantiser;
        *slot.get_or_insert_with(|| {
            let found = quantiser.index_of(&[dot[0], dot[1], dot[2], 255]);
            u8::try_from(found).unwrap_or(0).min(SAME - 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::tests::in_level;

    #[test]
    fn a_clip_keeps_the_last_seconds_and_is_read_as_it_was_written() {
        let mut clip = Clip::default();
        let game = in_level();
        let mut asked = 0;
        for tick in 0..60 * 10 {
            clip.see(f64::from(tick) / 60.0, || {
                asked += 1;
                let (name, plots) = ("Ann".to_owned(), Plots::default());
                vec![Shown { name, game: game.clone(), plots, played: false }]
            });
        }
        assert_eq!((clip.frames.len(), asked), (FRAMES, 100));
        clip.frames.truncate(3);
        let file = std::env::temp_dir().join(format!("mp-playground-{}.gif", std::process::id()));
        clip.save(&file).expect("is written");
        let mut reader = gif::DecodeOptions::new()
            .read_info(File::open(&file).expect("is there"))
            .expect("is a GIF");
        let mut delays = Vec::new();
        while let Some(frame) = reader.read_next_frame().expect("is whole") {
            delays.push((frame.width, frame.height, frame.delay));
        }
        std::fs::remove_file(&file).expect("is removed");
        assert_eq!(delays, [(480, 405, DELAY); 3]);
    }

    #[test]
    fn a_clip_of_nothing_is_refused() {
        let file = std::env::temp_dir().join("mp-playground-none.gif");
        assert!(Clip::default().save(&file).is_err());
    }
}
