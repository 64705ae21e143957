//! One pad as a tick reads it: the buttons held and where the left stick is. Knows nothing of the past:
//! what was pressed anew is told by comparing it with the pad of the tick before.

/// A button of the pad, by its bit in the console's own order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u16)]
#[allow(missing_docs)] // the words on the pad
pub enum Button {
    Select = 1 << 0,
    L3 = 1 << 1,
    R3 = 1 << 2,
    Start = 1 << 3,
    Up = 1 << 4,
    Right = 1 << 5,
    Down = 1 << 6,
    Left = 1 << 7,
    L2 = 1 << 8,
    R2 = 1 << 9,
    L1 = 1 << 10,
    R1 = 1 << 11,
    Triangle = 1 << 12,
    Circle = 1 << 13,
    Cross = 1 << 14,
    Square = 1 << 15,
}

/// What the pad says in one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pad {
    buttons: u16,
    stick_x: i8,
    stick_y: i8,
}

impl Pad {
    /// Nothing held, the stick in the middle.
    pub const NEUTRAL: Self = Self { buttons: 0, stick_x: 0, stick_y: 0 };

    /// The pad with this button held as well.
    #[must_use]
    pub const fn with(mut self, button: Button) -> Self {
        self.buttons |= button as u16;
        self
    }

    /// The pad with its stick pushed this far east and north, each from -1 to 1 (more is cut off; what
    /// is not a number counts as the middle).
    #[must_use]
    pub fn with_stick(mut self, east: f32, north: f32) -> Self {
        // `as` saturates and takes NaN as 0: just what is wanted of a stick.
        #[allow(clippy::cast_possible_truncation)]
        let axis = |share: f32| ((share * 127.0) as i8).max(-127);
        (self.stick_x, self.stick_y) = (axis(east), axis(north));
        self
    }

    /// The buttons held, a bit each, and how far the stick is pushed east and north, of 127: all there
    /// is of a pad, for a recording.
    #[must_use]
    pub const fn parts(self) -> (u16, i8, i8) {
        (self.buttons, self.stick_x, self.stick_y)
    }

    /// The pad of these parts.
    #[must_use]
    pub const fn of_parts((buttons, stick_x, stick_y): (u16, i8, i8)) -> Self {
        Self { buttons, stick_x, stick_y }
    }

    /// The pad without the buttons the other holds; the stick stays.
    #[must_use]
    pub const fn without_buttons_of(mut self, other: Self) -> Self {
        self.buttons &= !other.buttons;
        self
    }

    /// The buttons both hold, the stick in the middle.
    #[must_use]
    pub const fn common_buttons(self, other: Self) -> Self {
        Self { buttons: self.buttons & other.buttons, ..Self::NEUTRAL }
    }

    /// What either of two pads holds; the stick of the one that pushes it, this one's if both do.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        let pushed = self.stick_x != 0 || self.stick_y != 0;
        let stick = if pushed { self } else { other };
        Self { buttons: self.buttons | other.buttons, ..stick }
    }

    /// Whether the button is held.
    #[must_use]
    pub const fn holds(self, button: Button) -> bool {
        self.buttons & button as u16 != 0
    }

    /// Whether the button is held now and was not in the pad before.
    #[must_use]
    pub const fn presses(self, button: Button, before: Self) -> bool {
        self.holds(button) && !before.holds(button)
    }

    /// The stick as (east, north), within the circle of radius 1.
    #[must_use]
    pub fn stick(self) -> (f32, f32) {
        let (x, y) = (f32::from(self.stick_x) / 127.0, f32::from(self.stick_y) / 127.0);
        let length = x.hypot(y).max(1.0);
        (x / length, y / length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stick_stays_in_its_circle_whatever_it_is_given() {
        for (east, north) in [(1.0, 1.0), (-9.0, 3.0), (f32::NAN, f32::INFINITY), (0.2, -0.1)] {
            let (x, y) = Pad::NEUTRAL.with_stick(east, north).stick();
            assert!(x.hypot(y) <= 1.0001, "{east} {north}");
        }
        assert_eq!(Pad::NEUTRAL.with_stick(f32::NAN, 0.0).stick(), (0.0, 0.0));
    }

    #[test]
    fn a_press_is_a_hold_that_was_not_there_before() {
        let held = Pad::NEUTRAL.with(Button::Cross);
        assert!(held.presses(Button::Cross, Pad::NEUTRAL));
        assert!(!held.presses(Button::Cross, held));
        assert!(!held.presses(Button::Start, Pad::NEUTRAL));
    }
}
