//! The menus: the title's and the pause menu with their own pages, the mod's pages among them, and the
//! question box over any of these. Reads the pad, and says what a press means; the game does it.

use super::PageId;
use super::repeat::Repeat;
use super::screen::{PageView, PromptView, Row, RowKind};
use crate::sim::{Button, Pad};

/// One of the two menus an item can be put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Menu {
    /// The title's.
    Main,
    /// The one Start opens in a level.
    Pause,
}

/// A page of the game's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OwnPage {
    Options,
    Video,
    /// The card's slots, to load one.
    Load,
    /// The card's slots, to save to one.
    Save,
}

/// What choosing an item of a menu does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    NewGame,
    Resume,
    Quit,
    Own(OwnPage),
    Mod(PageId),
}

/// What the menus' own pages set; the picture follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Names stand over heroes.
    pub names: bool,
    /// The floor shows a grid of one unit.
    pub grid: bool,
}

/// What a press in the menus means.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Press {
    /// The cursor moved.
    Moved,
    /// An item of a menu was chosen.
    Chosen(Choice),
    /// A row of one of the game's own pages was stepped or chosen.
    Toggled,
    /// Cross on a slot of one of the card's pages.
    Slot(OwnPage, usize),
    /// Triangle (in the pause menu Start too), where nothing of a mod shows.
    Back,
    /// Cross on a row of the mod's page.
    ModChosen(PageId, u32),
    /// Left (-1) or Right (1) on a value row of the mod's page, with the ticks it was held.
    ModStepped(PageId, u32, i32, u32),
    /// Triangle on the mod's page.
    ModBack(PageId),
    /// The question was answered.
    Answered(Asker, bool),
}

/// Who asked a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asker {
    Mod,
    Quit,
    /// The game itself, whether to write over a slot of the card.
    Overwrite(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    Own(OwnPage),
    Mod(PageId),
}

#[derive(Clone, Debug, PartialEq)]
struct Item {
    label: String,
    dim: bool,
    choice: Choice,
}

/// The menus of one game.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Menus {
    main: Vec<Item>,
    pause: Vec<Item>,
    shown: Option<Menu>,
    menu_cursor: usize,
    over: Option<Over>,
    /// Of the page over the menu; a wish until the page was seen.
    over_cursor: Option<usize>,
    /// The mod's page as it was drawn last.
    seen: Option<PageView>,
    prompt: Option<(Asker, PromptView)>,
    /// The card's slots as its pages list them; none without a card.
    slots: Vec<Row>,
    repeat: Repeat,
    pub(super) look: Look,
}

impl Menus {
    pub(super) fn new() -> Self {
        let item = |label: &str, choice| Item { label: label.to_owned(), dim: false, choice };
        let main = vec![
            item("New Game", Choice::NewGame),
            Item { dim: true, ..item("Load Game", Choice::Own(OwnPage::Load)) },
            item("Options", Choice::Own(OwnPage::Options)),
        ];
        let pause = vec![
            item("Resume", Choice::Resume),
            item("Options", Choice::Own(OwnPage::Options)),
            item("Video", Choice::Own(OwnPage::Video)),
            Item { dim: true, ..item("Save Game", Choice::Own(OwnPage::Save)) },
            item("Quit", Choice::Quit),
        ];
        Self {
            main,
            pause,
            shown: None,
            menu_cursor: 0,
            over: None,
            over_cursor: None,
            seen: None,
            prompt: None,
            slots: Vec::new(),
            repeat: Repeat::default(),
            look: Look { names: true, grid: true },
        }
    }

    /// Puts an item that opens a mod's page under the one with the label `after`; false: no such item.
    pub(super) fn add_item(&mut self, menu: Menu, after: &str, label: &str, page: PageId) -> bool {
        let items = self.items_mut(menu);
        let Some(index) = items.iter().position(|item| item.label == after) else { return false };
        let item = Item { label: label.to_owned(), dim: false, choice: Choice::Mod(page) };
        items.insert(index + 1, item);
        true
    }

    /// The menu that shows, itself or under a page.
    pub(super) const fn menu(&self) -> Option<Menu> {
        self.shown
    }

    /// The mod's page that shows.
    pub(super) const fn mod_page(&self) -> Option<PageId> {
        match self.over {
            Some(Over::Mod(page)) => Some(page),
            _ => None,
        }
    }

    /// Whether a page, of the game's own or a mod's, is over the menu.
    pub(super) const fn page_is_open(&self) -> bool {
        self.over.is_some()
    }

    /// Shows a menu, its cursor on the first item.
    pub(super) fn show(&mut self, menu: Menu) {
        self.shown = Some(menu);
        self.menu_cursor = 0;
    }

    /// Shows a page of the game's own over the menu.
    pub(super) fn open_own(&mut self, page: OwnPage) {
        self.over = Some(Over::Own(page));
        self.over_cursor = Some(0);
    }

    /// Shows a mod's page over the menu.
    pub(super) fn open_mod(&mut self, page: PageId) {
        self.over = Some(Over::Mod(page));
        self.over_cursor = None;
        self.seen = None;
    }

    /// Takes away the page over the menu.
    pub(super) fn close_page(&mut self) {
        self.over = None;
    }

    /// Takes away all of it.
    pub(super) fn hide(&mut self) {
        self.shown = None;
        self.over = None;
    }

    /// Wishes the cursor of the page that shows on this row.
    pub(super) fn set_cursor(&mut self, row: usize) {
        self.over_cursor = match &self.seen {
            Some(view) => view.nearest(row),
            None => Some(row),
        };
    }

    /// The mod's page as it is drawn in this tick.
    pub(super) fn seen(&mut self, view: PageView) {
        self.over_cursor = view.nearest(self.over_cursor.unwrap_or(0));
        self.seen = Some(view);
    }

    /// Asks a question; false: one is asked already, or there is nothing to ask it over.
    pub(super) fn ask(&mut self, asker: Asker, text: &str, yes: &str, no: &str) -> bool {
        let may = self.shown.is_some() && self.prompt.is_none();
        if may {
            let (text, yes, no) = (text.to_owned(), yes.to_owned(), no.to_owned());
            self.prompt = Some((asker, PromptView { text, yes, no, on_yes: false }));
        }
        may
    }

    /// Takes the question away unanswered: whose it was.
    pub(super) fn drop_prompt(&mut self) -> Option<Asker> {
        self.prompt.take().map(|(asker, _)| asker)
    }

    /// The card's slots as its pages list them.
    pub(super) fn set_slots(&mut self, slots: Vec<Row>) {
        self.slots = slots;
        let card = [Choice::Own(OwnPage::Load), Choice::Own(OwnPage::Save)];
        for item in self.main.iter_mut().chain(&mut self.pause) {
            item.dim = card.contains(&item.choice) && self.slots.is_empty();
        }
    }

    /// The page to draw, with its cursor and question.
    pub(super) fn view(&self) -> (Option<PageView>, Option<usize>, Option<PromptView>) {
        let prompt = self.prompt.as_ref().map(|(_, view)| view.clone());
        let (page, cursor) = match (self.shown, self.over) {
            (None, _) => (None, None),
            (Some(menu), None) => (Some(self.menu_view(menu)), Some(self.menu_cursor)),
            (Some(_), Some(Over::Own(page))) => (Some(self.own_view(page)), self.over_cursor),
            (Some(_), Some(Over::Mod(_))) => (self.seen.clone(), self.over_cursor),
        };
        (page, cursor, prompt)
    }

    /// Reads the pad of a tick. The cursor moves at once; anything else is for the game to do.
    pub(super) fn read(&mut self, pad: Pad, before: Pad) -> Option<Press> {
        let direction = self.repeat.step(pad, before);
        let cross = pad.presses(Button::Cross, before);
        let triangle = pad.presses(Button::Triangle, before);
        if self.prompt.is_some() {
            return self.read_prompt(direction, cross, triangle);
        }
        let (page, cursor, _) = self.view();
        let page = page?;
        if let Some((button, held)) = direction {
            return self.read_direction(&page, cursor?, button, held);
        }
        if cross {
            return match self.over {
                None => Some(Press::Chosen(self.items(self.shown?).get(cursor?)?.choice)),
                Some(Over::Own(page)) => Some(self.choose_own(page, cursor?)),
                Some(Over::Mod(id)) => Some(Press::ModChosen(id, row_number(cursor?))),
            };
        }
        let start = pad.presses(Button::Start, before) && self.shown == Some(Menu::Pause);
        match self.over {
            Some(Over::Mod(id)) if triangle => Some(Press::ModBack(id)),
            Some(Over::Mod(_)) => None,
            _ if triangle || (start && self.over.is_none()) => Some(Press::Back),
            _ => None,
        }
    }

    fn read_direction(
        &mut self,
        page: &PageView,
        cursor: usize,
        button: Button,
        held: u32,
    ) -> Option<Press> {
        if matches!(button, Button::Up | Button::Down) {
            let next = page.next(cursor, button == Button::Down, held == 0)?;
            match self.over {
                Some(_) => self.over_cursor = Some(next),
                None => self.menu_cursor = next,
            }
            return Some(Press::Moved);
        }
        page.rows.get(cursor).filter(|row| row.kind == RowKind::Value)?;
        let step = if button == Button::Left { -1 } else { 1 };
        match self.over? {
            Over::Mod(id) => Some(Press::ModStepped(id, row_number(cursor), step, held)),
            Over::Own(page) => (held == 0).then(|| self.choose_own(page, cursor)),
        }
    }

    fn read_prompt(
        &mut self,
        direction: Option<(Button, u32)>,
        cross: bool,
        triangle: bool,
    ) -> Option<Press> {
        let (asker, view) = self.prompt.as_mut()?;
        if direction.is_some_and(|(_, held)| held == 0) {
            view.on_yes = !view.on_yes;
            return Some(Press::Moved);
        }
        if !cross && !triangle {
            return None;
        }
        let press = Press::Answered(*asker, cross && view.on_yes);
        self.prompt = None;
        Some(press)
    }

    fn choose_own(&mut self, page: OwnPage, row: usize) -> Press {
        let setting = match page {
            OwnPage::Options => &mut self.look.names,
            OwnPage::Video => &mut self.look.grid,
            OwnPage::Load | OwnPage::Save => return Press::Slot(page, row),
        };
        *setting = !*setting;
        Press::Toggled
    }

    fn items(&self, menu: Menu) -> &[Item] {
        match menu {
            Menu::Main => &self.main,
            Menu::Pause => &self.pause,
        }
    }

    fn items_mut(&mut self, menu: Menu) -> &mut Vec<Item> {
        match menu {
            Menu::Main => &mut self.main,
            Menu::Pause => &mut self.pause,
        }
    }

    fn menu_view(&self, menu: Menu) -> PageView {
        let title = if menu == Menu::Main { "Stand-in" } else { "Paused" };
        let row = |item: &Item| Row { dim: item.dim, ..Row::action(&item.label) };
        PageView {
            title: title.to_owned(),
            rows: self.items(menu).iter().map(row).collect(),
            ..PageView::default()
        }
    }

    fn own_view(&self, page: OwnPage) -> PageView {
        let (title, label, on) = match page {
            OwnPage::Options => ("Options", "Names over heroes", self.look.names),
            OwnPage::Video => ("Video", "Grid", self.look.grid),
            OwnPage::Load => return self.card_view("Load Game", true),
            OwnPage::Save => return self.card_view("Save Game", false),
        };
        let value = if on { "On" } else { "Off" }.to_owned();
        let row = Row { value, kind: RowKind::Value, ..Row::action(label) };
        PageView { title: title.to_owned(), rows: vec![row], ..PageView::default() }
    }

    /// The card's slots. What cannot be loaded is dim where one is loaded only.
    fn card_view(&self, title: &str, loads: bool) -> PageView {
        let row = |row: &Row| Row { dim: row.dim && loads, ..row.clone() };
        let rows = self.slots.iter().map(row).collect();
        PageView { title: title.to_owned(), rows, ..PageView::default() }
    }
}

fn row_number(row: usize) -> u32 {
    u32::try_from(row).expect("a page's rows are counted by a u32")
}
