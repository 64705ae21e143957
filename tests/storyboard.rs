//! Two players from the title to a shared scene and back, over a relay: the built library in stand-in
//! games, driven by their pads. At each step a picture of both screens goes to the target folder
//! (`tmp/storyboard`), and what is written on them is compared to the committed snapshot.
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "end to end: real sockets and time"
)]

#[path = "common/card.rs"]
mod card;
#[path = "common/library.rs"]
mod library;
#[path = "common/relay.rs"]
mod relay;
#[path = "common/table.rs"]
mod table;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use mp_playground::bots::{Bot, Errand, Habit};
use mp_playground::card::store;
use mp_playground::game::Phase;
use mp_playground::picture::{Picture, View};
use mp_playground::sim::{Button, Pad, Vec3};
use relay::relay;
use table::Table;

/// Where the host's save was saved.
const NOVALIS: u8 = 1;
/// Stands in the text for the party's code, which is another each time.
const CODE: &str = "ABC234";

/// The way round the houses to whom the host speaks to, and how near it goes.
const WAY: [Vec3; 3] =
    [Vec3::new(-22.0, -10.0, 0.0), Vec3::new(-22.0, 5.0, 0.0), Vec3::new(-31.0, 8.0, 0.0)];
const NEAR: f32 = 1.8;

/// The story so far.
struct Story {
    table: Table,
    folder: PathBuf,
    text: String,
    steps: usize,
    code: String,
}

impl Story {
    /// A relay's two players at their titles, each with a save of their own.
    fn new(server: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("storyboard");
        // What an earlier run left; at the first there is nothing.
        drop(std::fs::remove_dir_all(&folder));
        let mut table = Table::new();
        for (name, level, gold_bolts) in [("Alex", NOVALIS, 2), ("Blair", 0, 1)] {
            let work_dir = folder.join(name);
            card::with_a_save(&work_dir, level, gold_bolts);
            table.sit_in(work_dir, name, Errand::None, 0, server);
        }
        for (seed, player) in (0..).zip(&mut table.players) {
            player.bot = Bot::new(Errand::None, Habit::Stand, seed);
        }
        Self { table, folder, text: String::new(), steps: 0, code: String::new() }
    }

    /// A step of the story: what both see, in words and as a picture.
    fn step(&mut self, what: &str) {
        self.steps += 1;
        writeln!(self.text, "### {}. {what}\n", self.steps).expect("a string takes all");
        for player in 0..2 {
            let mut screen = self.table.screen(player).to_string();
            if !self.code.is_empty() {
                screen = screen.replace(&self.code, CODE);
            }
            let name = self.table.players[player].name;
            writeln!(self.text, "{name}\n{}", settled(&screen)).expect("a string takes all");
        }
        let [alex, blair] = &self.table.players[..] else { panic!("two players") };
        let picture = alex.game.look(|first| {
            blair.game.look(|second| {
                Picture::of(&[View::new(first, alex.name), View::new(second, blair.name)])
            })
        });
        let file = format!("{:02}-{}.png", self.steps, what.replace(' ', "-"));
        picture.save(&self.folder.join(file)).expect("the target folder can be written");
    }

    fn until_title(&mut self, player: usize, title: &str) {
        self.table.until(title, |table| table.screen(player).title().starts_with(title));
    }

    fn until_says(&mut self, player: usize, words: &str) {
        self.table.until(words, |table| table.screen(player).to_string().contains(words));
    }

    /// Walks there with the stick.
    fn walk(&mut self, player: usize, to: Vec3) {
        let begin = Instant::now();
        loop {
            let here = self.table.place(player);
            let way = to - here;
            let far = way.x.hypot(way.y);
            if far < NEAR {
                break;
            }
            let pad = Pad::NEUTRAL.with_stick(way.x / far, way.y / far);
            self.table.players[player].held = Some(pad);
            self.table.tick();
            assert!(begin.elapsed() < library::PATIENCE, "at {here:?}, not at {to:?}");
        }
        self.table.players[player].held = None;
    }

    fn press(&mut self, player: usize, button: Button) {
        self.table.players[player].held = Some(Pad::NEUTRAL.with(button));
        self.table.tick();
        self.table.players[player].held = None;
        self.table.tick();
    }

    fn until_no_message(&mut self) {
        self.table.until("no message", |table| {
            (0..2).all(|player| table.screen(player).message.is_none())
        });
    }

    /// Both in the level, each seeing the other, and nothing written over it.
    fn until_both_play(&mut self) {
        self.table.until_all_play();
        self.table.until("each sees the other", |table| {
            table.figure(0, "Blair").is_some() && table.figure(1, "Alex").is_some()
        });
        self.until_no_message();
    }

    /// The bytes of a player's save.
    fn card(&self, player: usize) -> Vec<u8> {
        let folder = self.folder.join(self.table.players[player].name);
        std::fs::read(store::file_of(&folder, 0)).expect("it was put there")
    }
}

/// The screen, with `_` for what is different each time: a round trip's milliseconds.
fn settled(screen: &str) -> String {
    let mut settled = String::new();
    for line in screen.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let word = |(at, word): (usize, &&str)| {
            if words.get(at + 1) == Some(&"ms") { "_".to_owned() } else { (*word).to_owned() }
        };
        let line: Vec<String> = words.iter().enumerate().map(word).collect();
        writeln!(settled, "    {}", line.join(" ").trim_end()).expect("a string takes all");
    }
    settled
}

/// B2.1 to B2.9, B4.1, B4.2, B4.4, B5.1, B5.6 to B5.9; no card of the party's is written (B4.2).
#[test]
fn two_players_go_from_the_title_to_a_shared_scene_and_back() {
    let (relay, server) = relay();
    let mut story = Story::new(&server);
    let cards = [story.card(0), story.card(1)];
    to_the_lobby(&mut story);
    in_the_level(&mut story);
    back_and_in_again(&mut story);
    through_a_scene(&mut story);
    to_the_end(&mut story);
    assert_eq!([story.card(0), story.card(1)], cards);
    story.table.end();
    assert!(relay.stop());
    insta::assert_snapshot!("storyboard", story.text);
}

fn to_the_lobby(story: &mut Story) {
    story.table.until("the titles", |table| {
        (0..2).all(|player| table.screen(player).phase == Phase::Title)
    });
    story.step("the title");
    for player in 0..2 {
        story.table.choose(player, "Multiplayer");
        story.until_says(player, "Connected");
    }
    story.step("Multiplayer");
    other_ways_in(story);
    story.table.choose(1, "Browse games");
    story.until_says(1, "Nobody hosts");
    story.table.choose(0, "Create match");
    story.until_title(0, "Choose a save");
    story.step("choose a save and browse");
    story.table.choose(0, "Novalis");
    story.until_title(0, "Party ");
    let title = story.table.screen(0).title().to_owned();
    title.trim_start_matches("Party ").clone_into(&mut story.code);
    story.table.until("the match is listed", |table| table.screen(1).row("Alex").is_some());
    story.step("the match is listed");
    story.table.choose(1, "Alex");
    story.until_title(1, "Party ");
    story.until_says(0, "Blair");
    story.until_says(1, "UDP");
    story.until_says(0, "UDP");
    story.step("the lobby");
    story.table.choose(1, "Ready");
    story.until_says(0, "(ready)");
    story.until_says(1, "(ready)");
    story.step("ready");
}

/// The pages that this story's party does not come together by, and back from them.
fn other_ways_in(story: &mut Story) {
    story.table.choose(0, "Join by code");
    story.until_title(0, "Join 222222");
    story.table.choose(1, "Direct connect");
    story.until_title(1, "Direct connect");
    story.step("join by code and direct connect");
    story.press(0, Button::Triangle);
    story.table.choose(1, "Join by address");
    story.until_title(1, "Join 192.168.1.1:7770");
    story.step("the address");
    for _ in 0..2 {
        story.press(1, Button::Triangle);
    }
    for player in 0..2 {
        story.until_title(player, "Multiplayer");
        story.until_says(player, "Connected");
    }
}

fn in_the_level(story: &mut Story) {
    story.table.choose(0, "Start");
    story.until_both_play();
    story.step("in the level");
    story.table.players[1].bot.send(Errand::ShowLink);
    story.until_says(1, "The host is on Novalis");
    story.table.until("both links by UDP", |table| {
        table.screen(1).texts().iter().filter(|text| text.contains("ms UDP")).count() == 2
    });
    story.step("the pause page");
    story.table.choose(1, "Say \"Over here!\"");
    for player in 0..2 {
        story.until_says(player, "Blair: Over here!");
    }
    story.step("a phrase");
    story.until_no_message();
}

/// One leaves, finds the party again, and is in its level.
fn back_and_in_again(story: &mut Story) {
    story.table.choose(1, "Leave party");
    story.table.until("it is asked", |table| table.screen(1).prompt.is_some());
    story.step("leave is asked");
    story.table.choose(1, "Yes");
    story.until_title(1, "Multiplayer");
    story.until_says(0, "Blair left");
    story.step("one left");
    story.table.choose(1, "Browse games");
    story.table.until("the match is listed", |table| table.screen(1).row("Alex").is_some());
    story.table.choose(1, "Alex");
    story.until_both_play();
    story.step("in the level again");
}

/// The host speaks to someone: the scene plays for both, from its start, and ends for both.
fn through_a_scene(story: &mut Story) {
    WAY.into_iter().for_each(|to| story.walk(0, to));
    story.press(0, Button::Triangle);
    for player in 0..2 {
        story.until_says(player, "They took the pumps, and half the city.");
    }
    story.step("a shared scene");
    story.press(1, Button::Start);
    story.until_says(1, "Only the host can skip");
    story.step("only the host can skip");
    story.until_both_play();
    story.step("after the scene");
}

fn to_the_end(story: &mut Story) {
    story.table.players[0].bot.send(Errand::Leave);
    story.until_title(0, "Multiplayer");
    story.until_says(1, "The host left: the party is over");
    story.step("the host left");
}
