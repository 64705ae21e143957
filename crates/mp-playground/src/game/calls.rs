//! The calls of the mod interface, safe and typed: what the C side of the playground and mp-lab call. A
//! call the mod may not make so is a [`Refusal`].

use super::menus::Asker;
use super::{Leaving, Menu, PageId, Phase, Refusal, SceneKind, Shot, Sound, StandIn};
use crate::sim::{HeroPose, Level, MobyId, Piece};

/// The flag of a hero in a scene (interface.md: `OPENRAC_POSE_IN_SCENE`).
const IN_SCENE: u8 = 4;
/// How many pages a mod may add.
const PAGES: u32 = 64;

impl StandIn {
    /// Ticks since the start.
    #[must_use]
    pub const fn frame(&self) -> u64 {
        self.frame
    }

    /// Ticks a second.
    #[must_use]
    pub const fn tick_rate(&self) -> u8 {
        self.rate.per_second()
    }

    /// Adds a page; `None`: no room.
    pub fn page_add(&mut self) -> Option<PageId> {
        let room = self.pages < PAGES;
        self.pages += u32::from(room);
        room.then_some(PageId(self.pages))
    }

    /// Puts an item that opens a page under another of a menu.
    ///
    /// # Errors
    /// [`Refusal::NoPage`].
    pub fn menu_item(
        &mut self,
        menu: Menu,
        after: &str,
        label: &str,
        page: PageId,
    ) -> Result<bool, Refusal> {
        self.check_page(page)?;
        Ok(self.menus.add_item(menu, after, label, page))
    }

    /// Shows a page in place of what shows; where no menu does, nothing happens.
    ///
    /// # Errors
    /// [`Refusal::NoPage`].
    pub fn page_open(&mut self, page: PageId) -> Result<(), Refusal> {
        self.check_page(page)?;
        if self.menus.menu().is_some() {
            self.open(page);
        }
        Ok(())
    }

    /// Closes the mod's page that shows.
    pub fn page_close(&mut self) {
        if self.page_shown().is_some() {
            self.end_page();
        }
    }

    /// Moves the cursor of the mod's page that shows.
    pub fn page_cursor(&mut self, row: u32) {
        if self.page_shown().is_some() {
            self.menus.set_cursor(usize::try_from(row).unwrap_or(usize::MAX));
        }
    }

    /// Asks a question over the page that shows; false: it cannot be asked now.
    pub fn prompt(&mut self, text: &str, yes: &str, no: &str) -> bool {
        self.menus.ask(Asker::Mod, text, yes, no)
    }

    /// Makes a sound of the menus.
    pub fn menu_sound(&mut self, which: Sound) {
        self.sound(which);
    }

    /// What the game is doing.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The level the game is in, or `None`.
    #[must_use]
    pub fn level(&self) -> Option<i32> {
        self.world.as_ref().map(|world| world.level().number)
    }

    /// Whether the player has control of the hero.
    #[must_use]
    pub fn in_control(&self) -> bool {
        self.phase == Phase::Playing && self.held.is_none()
    }

    /// The hero, while there is one.
    #[must_use]
    pub fn hero_pose(&self) -> Option<HeroPose> {
        let mut pose = self.world.as_ref()?.hero().pose(&self.campaign.progress);
        // In a shot of a moby the world goes on, and so does he.
        let in_scene = self.scene().is_some_and(|scene| scene.kind != SceneKind::Camera);
        pose.flags |= if in_scene { IN_SCENE } else { 0 };
        Some(pose)
    }

    /// Makes a figure; `None`: there is no level for it to be in.
    pub fn figure_make(&mut self, name: &str) -> Option<u32> {
        self.world.is_some().then(|| self.figures.make(name))
    }

    /// A figure's moby; `None` when it is gone with its level.
    ///
    /// # Errors
    /// [`Refusal::StaleFigure`].
    pub fn figure_moby(&mut self, figure: u32) -> Result<Option<MobyId>, Refusal> {
        Ok(self.figures.get(figure)?.map(|figure| figure.moby))
    }

    /// Poses a figure.
    ///
    /// # Errors
    /// [`Refusal::StaleFigure`], [`Refusal::NotFinite`].
    pub fn figure_pose(&mut self, figure: u32, pose: HeroPose) -> Result<(), Refusal> {
        self.figures.pose(figure, pose)
    }

    /// Shows or hides a figure.
    ///
    /// # Errors
    /// [`Refusal::StaleFigure`].
    pub fn figure_show(&mut self, figure: u32, show: bool) -> Result<(), Refusal> {
        if let Some(figure) = self.figures.get(figure)? {
            figure.shown = show;
        }
        Ok(())
    }

    /// Dresses a figure, and answers how many of the pieces it could be given.
    ///
    /// # Errors
    /// [`Refusal::StaleFigure`], [`Refusal::NotFinite`].
    pub fn figure_wear(&mut self, figure: u32, pieces: &[Piece]) -> Result<u32, Refusal> {
        self.figures.wear(figure, pieces)
    }

    /// Fires a shot from a figure, to be seen only.
    ///
    /// # Errors
    /// [`Refusal::StaleFigure`], [`Refusal::NotFinite`].
    pub fn figure_fire(&mut self, figure: u32, shot: Shot) -> Result<(), Refusal> {
        self.figures.fire(figure, shot)
    }

    /// Removes a figure; its handle is stale from then on.
    ///
    /// # Errors
    /// [`Refusal::StaleFigure`].
    pub fn figure_remove(&mut self, figure: u32) -> Result<(), Refusal> {
        self.figures.remove(figure)
    }

    /// Leaves the level, from any phase, for the title and there opens that page.
    ///
    /// # Errors
    /// [`Refusal::NoPage`].
    pub fn title_return(&mut self, page: Option<PageId>) -> Result<(), Refusal> {
        if let Some(page) = page {
            self.check_page(page)?;
        }
        self.leaving = Some(Leaving::Title(page));
        Ok(())
    }

    /// Leaves for that level, from any phase of a level; elsewhere, or where there is no such level,
    /// nothing happens.
    pub fn travel(&mut self, level: i32) {
        let in_level = self.world.is_some() || self.arriving.is_some();
        if in_level && Level::find(level).is_some() {
            self.leaving = Some(Leaving::Fly(level));
        }
    }

    /// Takes control from the player, and shows why; or gives it back.
    pub fn control_hold(&mut self, text: Option<&str>) {
        self.held = text.map(str::to_owned);
    }

    /// Whether the world stands still under the menus.
    pub fn menus_pause(&mut self, pause: bool) {
        self.menus_pause = pause;
    }

    /// Shows a line over the game for so many seconds.
    ///
    /// # Errors
    /// [`Refusal::NotFinite`].
    pub fn message(&mut self, text: &str, seconds: f32) -> Result<(), Refusal> {
        if !seconds.is_finite() {
            return Err(Refusal::NotFinite);
        }
        // `as` saturates, which is long enough.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let ticks = (seconds.max(0.0) * f32::from(self.tick_rate())) as u32;
        self.message = (ticks > 0).then(|| (text.to_owned(), ticks));
        Ok(())
    }

    fn check_page(&self, page: PageId) -> Result<(), Refusal> {
        if (1..=self.pages).contains(&page.0) { Ok(()) } else { Err(Refusal::NoPage(page.0)) }
    }
}
