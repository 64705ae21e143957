//! The page of mods in a window, before a game starts: what a launcher does for a player.

use std::path::Path;

use super::{Asked, RunError};
use crate::host::Pacer;
use crate::mods::{Loadable, ModsFolder, ModsMenu};
use crate::picture::{Plots, Shown};
use crate::sim::{Pad, TickRate};
use crate::window::Stage;

/// Shows that folder's page to the person at the stage, until he plays. `None`: he closed the window.
///
/// # Errors
/// The folder, or what was chosen of it, cannot be read.
pub fn choose_mod(
    folder: &Path,
    player: &str,
    stage: &Stage,
) -> Result<Option<Loadable>, RunError> {
    let mut menu = ModsMenu::open(&ModsFolder::at(folder))?;
    let asked = Asked::listen(Some(stage.clone()))?;
    let mut pacer = Pacer::start(TickRate::default());
    while !asked.to_end() {
        pacer.next_tick();
        if let Some(loadable) = menu.tick(stage.read_pad(0).unwrap_or(Pad::NEUTRAL))? {
            return Ok(Some(loadable));
        }
        stage.show(|| {
            let (name, game) = (player.to_owned(), menu.game().clone());
            vec![Shown { name, game, plots: Plots::default(), played: true }]
        });
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::{Duration, Instant};
    use std::{env, fs, process, thread};

    use super::*;
    use crate::sim::Button;

    const PATIENCE: Duration = Duration::from_secs(60);

    /// Waits until the window shows a text that begins so.
    fn wait_for(stage: &Stage, wanted: &str) {
        let begin = Instant::now();
        let mut texts = Vec::new();
        while !texts.iter().any(|text: &String| text.starts_with(wanted)) {
            assert!(begin.elapsed() < PATIENCE, "no {wanted} in {texts:?}");
            thread::sleep(Duration::from_millis(1));
            texts = stage.take().map_or(texts, |shown| shown[0].game.screen().texts());
        }
    }

    #[test]
    fn a_person_at_the_stage_switches_a_mod_on_and_plays_it_or_closes_the_window() {
        let folder = env::temp_dir().join(format!("mp-playground-launch-{}", process::id()));
        let own = folder.join("sample");
        fs::create_dir_all(&own).expect("can be made");
        let here = format!("{}-{}", env::consts::OS, env::consts::ARCH);
        let manifest = serde_json::json!({
            "format": 1, "id": "sample", "name": "Sample", "version": "1.0.0", "summary": "",
            "interface": "1.9", "games": [], "authors": [], "licence": "MIT", "icon": "i",
            "page": "p", "libraries": { here: "lib" }, "settings": []
        });
        for (name, text) in
            [("mod.json", &*manifest.to_string()), ("i", ""), ("p", ""), ("lib", "")]
        {
            fs::write(own.join(name), text).expect("can be written");
        }
        let stage = Stage::new(1, Some(0));
        let (place, shown) = (folder.clone(), stage.clone());
        let (tell, told) = mpsc::channel();
        let running = thread::spawn(move || tell.send(choose_mod(&place, "Ann", &shown)));
        wait_for(&stage, "Mods");
        for (button, wanted) in
            [(Button::Cross, "Sample 1.0.0 On"), (Button::Down, "Starts the game")]
        {
            stage.set_pad(Pad::NEUTRAL.with(button));
            stage.set_pad(Pad::NEUTRAL);
            wait_for(&stage, wanted);
        }
        stage.set_pad(Pad::NEUTRAL.with(Button::Cross));
        let chosen = told.recv_timeout(PATIENCE).expect("in time").expect("the folder is there");
        running.join().expect("it does not panic").expect("it is listened to");
        assert_eq!(chosen.expect("it is chosen").library, own.join("lib"));

        stage.close();
        assert!(choose_mod(&folder, "Ann", &stage).expect("the folder is there").is_none());
        fs::remove_dir_all(&folder).expect("can go");
    }
}
