//! The page of mods before a game starts, as a launcher's: which are on, and how they are set, by pad. It
//! is drawn and read as the pages in the game are, and like the game it reads no clock.

use super::editor::{Edit, Editor};
use super::{Installed, Kind, Loadable, ModsError, ModsFolder, Setting};
use crate::game::{ModCall, PageId, PageView, Phase, Row, RowKind, Sound, StandIn};
use crate::sim::Pad;

/// The page. See the module.
#[derive(Debug)]
pub struct ModsMenu {
    folder: ModsFolder,
    /// What it shows on; no level of it is ever played.
    game: StandIn,
    list: PageId,
    editor: PageId,
    rows: Vec<Line>,
    editing: Option<(Line, Editor)>,
    /// Why the last thing that the player did was not done.
    note: Option<String>,
    chosen: Option<Loadable>,
}

/// What a row of the list is.
#[derive(Clone, Debug)]
enum Line {
    Mod { id: String, name: String, is_on: bool, help: String },
    Setting { id: String, setting: Setting, value: String },
    Play(Result<Loadable, String>),
}

impl ModsMenu {
    /// The page of that folder.
    ///
    /// # Errors
    /// The folder, or the player's choices, cannot be read.
    ///
    /// # Panics
    /// Never: a game that has just begun has room for two pages.
    pub fn open(folder: &ModsFolder) -> Result<Self, ModsError> {
        let mut game = StandIn::new(0);
        let mut page = || game.page_add().expect("a game that has just begun has room");
        let (list, editor) = (page(), page());
        let mut menu = Self {
            folder: folder.clone(),
            game,
            list,
            editor,
            rows: Vec::new(),
            editing: None,
            note: None,
            chosen: None,
        };
        menu.read()?;
        while menu.game.phase() != Phase::Title {
            menu.game.step();
        }
        menu.show(list);
        menu.draw();
        Ok(menu)
    }

    /// A tick with that pad. Answers the mod to play with, once the player chose to.
    ///
    /// # Errors
    /// The folder, or the player's choices, cannot be read any more.
    pub fn tick(&mut self, pad: Pad) -> Result<Option<Loadable>, ModsError> {
        self.game.read_pad(pad);
        while let Some(call) = self.game.poll_call() {
            match call {
                ModCall::Choose(page, row) if page == self.list => self.choose(row)?,
                // Held, a switch does not go on and off.
                ModCall::Step(page, row, _, 0) if page == self.list && self.is_switch(row) => {
                    self.choose(row)?;
                }
                ModCall::Choose(_, row) => self.edit(row)?,
                ModCall::Step(_, row, direction, _) => {
                    if let Some((_, editor)) = &mut self.editing {
                        editor.step(row, direction);
                    }
                }
                ModCall::Back(page) if page == self.editor => self.stop_editing(),
                _ => {}
            }
        }
        self.game.step();
        self.draw();
        Ok(self.chosen.take())
    }

    /// What there is to see of it.
    #[must_use]
    pub const fn game(&self) -> &StandIn {
        &self.game
    }

    fn show(&mut self, page: PageId) {
        self.game.page_open(page).expect("it was added");
        // That it shows and hides is nothing to this.
        while self.game.poll_call().is_some() {}
    }

    fn read(&mut self) -> Result<(), ModsError> {
        self.rows.clear();
        for installed in self.folder.list()? {
            self.read_mod(installed)?;
        }
        let loadable = self.folder.loadable().map_err(|why| why.to_string());
        self.rows.push(Line::Play(loadable));
        Ok(())
    }

    fn read_mod(&mut self, installed: Installed) -> Result<(), ModsError> {
        let Installed { id, is_on, manifest } = installed;
        let manifest = match manifest {
            Ok(manifest) => manifest,
            Err(why) => {
                let (name, help) = (id.clone(), format!("It cannot be loaded: {why}."));
                self.rows.push(Line::Mod { id, name, is_on, help });
                return Ok(());
            }
        };
        let mut values = self.folder.values(&manifest)?;
        let name = format!("{} {}", manifest.name, manifest.version);
        self.rows.push(Line::Mod { id: id.clone(), name, is_on, help: manifest.summary });
        let shown = manifest.settings.into_iter().filter(|setting| setting.shown);
        self.rows.extend(shown.map(|setting| {
            let value = values.remove(&setting.key).unwrap_or_default();
            Line::Setting { id: id.clone(), setting, value }
        }));
        Ok(())
    }

    fn is_switch(&self, row: u32) -> bool {
        match self.line(row) {
            Some(Line::Mod { .. }) => true,
            Some(Line::Setting { setting, .. }) => setting.kind == Kind::Switch,
            Some(Line::Play(_)) | None => false,
        }
    }

    fn line(&self, row: u32) -> Option<&Line> {
        self.rows.get(usize::try_from(row).ok()?)
    }

    /// Cross on a row of the list.
    fn choose(&mut self, row: u32) -> Result<(), ModsError> {
        let Some(line) = self.line(row).cloned() else { return Ok(()) };
        let done = match &line {
            Line::Mod { id, is_on, .. } => self.folder.switch(id, !is_on),
            Line::Setting { id, setting, value } if setting.kind == Kind::Switch => {
                self.folder.set(id, &setting.key, if value == "1" { "off" } else { "on" })
            }
            Line::Setting { value, .. } => {
                self.editing = Some((line.clone(), Editor::new(value)));
                self.show(self.editor);
                Ok(())
            }
            Line::Play(Ok(loadable)) => {
                self.chosen = Some(loadable.clone());
                Ok(())
            }
            Line::Play(Err(_)) => {
                self.game.menu_sound(Sound::Refused);
                return Ok(());
            }
        };
        self.settle(done)
    }

    /// Cross on a row of the editor.
    fn edit(&mut self, row: u32) -> Result<(), ModsError> {
        let Some((line, editor)) = &mut self.editing else { return Ok(()) };
        let (Edit::Done(text), Line::Setting { id, setting, .. }) = (editor.choose(row), line)
        else {
            return Ok(());
        };
        let done = self.folder.set(id, &setting.key, &text);
        self.stop_editing();
        self.settle(done)
    }

    fn stop_editing(&mut self) {
        let edited = self.editing.take().and_then(|(line, _)| self.place_of(&line));
        self.show(self.list);
        self.draw();
        if let Some(row) = edited {
            self.game.page_cursor(row);
        }
    }

    fn place_of(&self, line: &Line) -> Option<u32> {
        let of_setting = |line: &Line| match line {
            Line::Setting { id, setting, .. } => Some((id.clone(), setting.key.clone())),
            Line::Mod { .. } | Line::Play(_) => None,
        };
        let wanted = of_setting(line)?;
        let at = self.rows.iter().position(|row| of_setting(row).as_ref() == Some(&wanted))?;
        u32::try_from(at).ok()
    }

    /// What was done shows; what was not is said.
    fn settle(&mut self, done: Result<(), ModsError>) -> Result<(), ModsError> {
        self.note = done.err().map(|why| why.to_string());
        self.game.menu_sound(if self.note.is_none() { Sound::Choose } else { Sound::Refused });
        self.read()
    }

    fn draw(&mut self) {
        let view = match &self.editing {
            Some((Line::Setting { setting, .. }, editor)) => {
                editor.view(&setting.name, &setting.help)
            }
            _ => self.list_view(),
        };
        let page = if self.editing.is_some() { self.editor } else { self.list };
        self.game.page_seen(page, view);
    }

    fn list_view(&self) -> PageView {
        // Seen for the first time, the cursor is on the first row.
        let on = self.game.screen().cursor.unwrap_or(0);
        let help = self.rows.get(on).map_or_else(String::new, Line::help);
        // Whoever draws it knows how long a line can be.
        let said = [help].into_iter().chain(self.note.clone());
        PageView {
            title: "Mods".to_owned(),
            rows: self.rows.iter().map(Line::row).collect(),
            footer: said.filter(|line| !line.is_empty()).collect(),
            ..PageView::default()
        }
    }
}

impl Line {
    fn row(&self) -> Row {
        let value = |label: String, value: &str| Row {
            label,
            value: value.to_owned(),
            kind: RowKind::Value,
            dim: false,
        };
        let on = |is_on| if is_on { "On" } else { "Off" };
        match self {
            Self::Mod { name, is_on, .. } => value(name.clone(), on(*is_on)),
            Self::Setting { setting, value: is, .. } => {
                let is =
                    if setting.kind == Kind::Switch { on(is == "1") } else { setting.in_words(is) };
                value(format!("  {}", setting.name), is)
            }
            Self::Play(loadable) => Row { dim: loadable.is_err(), ..Row::action("Play") },
        }
    }

    fn help(&self) -> String {
        match self {
            Self::Mod { help, .. } => help.clone(),
            Self::Setting { setting, .. } => setting.help.clone(),
            Self::Play(Ok(_)) => "Starts the game with the mod that is on.".to_owned(),
            Self::Play(Err(why)) => format!("Not yet: {why}."),
        }
    }
}
