//! The mod's callbacks of its pages: asked what is on a page, told what was pressed.

use std::ffi::c_void;

use sdk_bindings::{
    OpenracPageDef, OpenracRow, OpenracStr, PROMPT_NO, PROMPT_YES, ROW_ACTION, ROW_TEXT, ROW_VALUE,
};

use super::args::Arg;
use super::door::Door;
use super::faults::FaultKind;
use crate::game::{ModCall, PageId, PageView, Row, RowKind};

/// How many rows, and how many lines at the head or the foot, a page shows at most.
const ROWS: u32 = 256;
const LINES: u32 = 32;

type Count = Option<unsafe extern "C" fn(*mut c_void) -> u32>;
type Line = Option<unsafe extern "C" fn(*mut c_void, u32) -> OpenracStr>;
type Call = Option<unsafe extern "C" fn(*mut c_void)>;

impl Door {
    /// Makes every call the game wants of the mod. Nothing of the game is borrowed meanwhile.
    pub(super) fn make_calls(&self) -> Result<(), FaultKind> {
        loop {
            let call = self.game()?.poll_call();
            let Some(call) = call else { return Ok(()) };
            self.make(call)?;
        }
    }

    fn make(&self, call: ModCall) -> Result<(), FaultKind> {
        match call {
            ModCall::Shown(page) => tell(&self.def(page)?, |def| def.shown),
            ModCall::Hidden(page) => tell(&self.def(page)?, |def| def.hidden),
            ModCall::Back(page) => tell(&self.def(page)?, |def| def.back),
            ModCall::Choose(page, row) => {
                let def = self.def(page)?;
                if let Some(choose) = def.choose {
                    // SAFETY: the mod gave callback and user together, and is loaded.
                    unsafe { choose(def.user, row) };
                }
            }
            ModCall::Step(page, row, direction, held) => {
                let def = self.def(page)?;
                if let Some(step) = def.step {
                    // SAFETY: as above.
                    unsafe { step(def.user, row, direction, held) };
                }
            }
            ModCall::OnTravel { level, by_ship } => self.ask_travel(level, by_ship)?,
            ModCall::OnSkip { what, scene } => self.ask_skip(what, scene)?,
            ModCall::PromptDone(yes) => {
                let (done, user) = self.prompt.replace((None, std::ptr::null_mut()));
                if let Some(done) = done {
                    // SAFETY: the mod gave callback and user together, for one call.
                    unsafe { done(user, if yes { PROMPT_YES } else { PROMPT_NO }) };
                }
            }
        }
        Ok(())
    }

    /// The page's own tick, if one shows.
    pub(super) fn tick_page(&self) -> Result<(), FaultKind> {
        let page = self.game()?.page_shown();
        if let Some(page) = page {
            tell(&self.def(page)?, |def| def.tick);
        }
        Ok(())
    }

    /// Asks the page that shows what is on it, for the game to draw.
    pub(super) fn draw_page(&self) -> Result<(), FaultKind> {
        let page = self.game()?.page_shown();
        let Some(page) = page else { return Ok(()) };
        let def = self.def(page)?;
        self.asking.set(true);
        let view = view_of(&def);
        self.asking.set(false);
        self.game()?.page_seen(page, view?);
        Ok(())
    }

    fn def(&self, page: PageId) -> Result<OpenracPageDef, FaultKind> {
        let index = usize::try_from(page.0).ok().and_then(|handle| handle.checked_sub(1));
        let pages = self.pages.borrow();
        index.and_then(|index| pages.get(index)).copied().ok_or(FaultKind::Busy)
    }
}

fn tell(def: &OpenracPageDef, which: fn(&OpenracPageDef) -> Call) {
    if let Some(call) = which(def) {
        // SAFETY: the mod gave callback and user together, and is loaded.
        unsafe { call(def.user) };
    }
}

fn view_of(def: &OpenracPageDef) -> Result<PageView, FaultKind> {
    let title = match def.title {
        Some(title) => {
            // SAFETY: the mod gave callback and user together.
            let title = unsafe { title(def.user) };
            // SAFETY: the mod was not called since.
            unsafe { copied(title) }?
        }
        None => String::new(),
    };
    Ok(PageView {
        title,
        lines: lines(def.user, def.line_count, def.line)?,
        rows: rows(def)?,
        footer: lines(def.user, def.footer_count, def.footer_line)?,
    })
}

fn lines(user: *mut c_void, count: Count, line: Line) -> Result<Vec<String>, FaultKind> {
    let (Some(line), count) = (line, counted(user, count, LINES)?) else { return Ok(Vec::new()) };
    let text_of = |index| {
        // SAFETY: the mod gave callback and user together.
        let text = unsafe { line(user, index) };
        // SAFETY: the mod was not called since.
        unsafe { copied(text) }
    };
    (0..count).map(text_of).collect()
}

fn rows(def: &OpenracPageDef) -> Result<Vec<Row>, FaultKind> {
    let Some(row) = def.row else { return Ok(Vec::new()) };
    let mut rows = Vec::new();
    for index in 0..counted(def.user, def.row_count, ROWS)? {
        let mut out = OpenracRow::ZERO;
        // SAFETY: the mod gave callback and user together, and `out` is a row.
        if unsafe { row(def.user, index, &raw mut out) } == 0 {
            break;
        }
        let kind = match out.kind {
            ROW_ACTION => RowKind::Action,
            ROW_VALUE => RowKind::Value,
            ROW_TEXT => RowKind::Text,
            other => return Err(FaultKind::Unknown(other)),
        };
        // SAFETY: the mod was not called since it filled the row.
        let label = unsafe { copied(out.label) }?;
        // SAFETY: as above.
        let value = unsafe { copied(out.value) }?;
        rows.push(Row { label, value, kind, dim: out.dim != 0 });
    }
    Ok(rows)
}

fn counted(user: *mut c_void, count: Count, most: u32) -> Result<u32, FaultKind> {
    // SAFETY: the mod gave callback and user together.
    let count = count.map_or(0, |count| unsafe { count(user) });
    if count <= most { Ok(count) } else { Err(FaultKind::TooMany(count)) }
}

/// # Safety
///
/// The string was given just now, and the mod was not called since.
unsafe fn copied(text: OpenracStr) -> Result<String, FaultKind> {
    // SAFETY: as the caller promises.
    unsafe { text.take() }.get()
}
