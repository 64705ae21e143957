//! The ground cut into cells, so that one who moves looks only at what is near him: the level's boxes by
//! the cells they reach into.

use super::Solid;
use crate::sim::vec3::Vec3;

/// How wide a cell is, in units.
const CELL: f32 = 4.0;
/// The most cells along one side: a larger level has larger cells.
const SIDE_MAX: f32 = 128.0;

/// The grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    low: Vec3,
    cell: f32,
    columns: usize,
    rows: usize,
    /// Where each cell's boxes begin in `boxes`; one more than there are cells.
    starts: Vec<u32>,
    boxes: Vec<u16>,
}

impl Grid {
    /// The grid of these boxes, of which there are 65,535 at most.
    #[must_use]
    pub(super) fn of(solids: &[Solid]) -> Self {
        let mut low = Vec3::ZERO;
        let mut high = Vec3::ZERO;
        for solid in solids {
            low = Vec3::new(low.x.min(solid.low.x), low.y.min(solid.low.y), 0.0);
            high = Vec3::new(high.x.max(solid.high.x), high.y.max(solid.high.y), 0.0);
        }
        let size = high - low;
        let cell = CELL.max(size.x / SIDE_MAX).max(size.y / SIDE_MAX);
        let (columns, rows) = (index(size.x / cell) + 1, index(size.y / cell) + 1);
        let mut grid = Self { low, cell, columns, rows, starts: Vec::new(), boxes: Vec::new() };
        let mut cells = vec![Vec::new(); columns * rows];
        for (number, solid) in (0_u16..).zip(solids) {
            for row in grid.rows_near(solid.low, solid.high) {
                cells[row].iter_mut().for_each(|cell: &mut Vec<u16>| cell.push(number));
            }
        }
        for cell in cells {
            grid.starts.push(grid.end());
            grid.boxes.extend(cell);
        }
        grid.starts.push(grid.end());
        grid
    }

    /// Calls `each` with the number of every box that may reach into the rectangle from `low` to `high`
    /// over the ground, in a fixed order; one that lies in several cells, each time.
    pub fn near(&self, low: Vec3, high: Vec3, mut each: impl FnMut(usize)) {
        for row in self.rows_near(low, high) {
            // The cells of a row lie side by side, and so do their boxes.
            let (from, to) = (self.starts[row.start], self.starts[row.end]);
            for &number in &self.boxes[from as usize..to as usize] {
                each(usize::from(number));
            }
        }
    }

    /// How many cells there are.
    #[must_use]
    pub const fn cells(&self) -> usize {
        self.columns * self.rows
    }

    /// The cell a point lies in; for one outside, the nearest at the edge.
    #[must_use]
    pub fn cell_of(&self, at: Vec3) -> usize {
        let (column, row) = self.place_of(at);
        row * self.columns + column
    }

    /// The cells of the rectangle from `low` to `high`, a range for each row of them.
    pub fn rows_near(
        &self,
        low: Vec3,
        high: Vec3,
    ) -> impl Iterator<Item = std::ops::Range<usize>> + use<> {
        let (first, last) = (self.place_of(low), self.place_of(high));
        let columns = self.columns;
        (first.1..=last.1).map(move |row| row * columns + first.0..row * columns + last.0 + 1)
    }

    fn place_of(&self, at: Vec3) -> (usize, usize) {
        let column = index((at.x - self.low.x) / self.cell).min(self.columns - 1);
        let row = index((at.y - self.low.y) / self.cell).min(self.rows - 1);
        (column, row)
    }

    fn end(&self) -> u32 {
        u32::try_from(self.boxes.len()).expect("a level is small")
    }
}

/// The whole number below; 0 for what is negative.
fn index(at: f32) -> usize {
    // `as` saturates: what lies outside counts to the cells at the edge.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let index = at as usize;
    index
}
