//! Colours, mixed in linear shares of their eight-bit values.

/// A colour: red, green and blue from 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Colour {
    red: f32,
    green: f32,
    blue: f32,
}

impl Colour {
    pub(crate) const BLACK: Self = Self::rgb(0, 0, 0);
    pub(crate) const WHITE: Self = Self::rgb(255, 255, 255);

    pub(crate) const fn rgb(red: u8, green: u8, blue: u8) -> Self {
        // `f32::from` is not const; a u8 fits exactly.
        Self { red: red as f32, green: green as f32, blue: blue as f32 }
    }

    /// Brighter or darker.
    pub(super) fn times(self, by: f32) -> Self {
        Self { red: self.red * by, green: self.green * by, blue: self.blue * by }
    }

    /// Each of the three brighter or darker by its own.
    pub(super) fn lit(self, [red, green, blue]: [f32; 3]) -> Self {
        Self { red: self.red * red, green: self.green * green, blue: self.blue * blue }
    }

    /// A share of the way (0 this, 1 the other) to another.
    pub(super) fn towards(self, other: Self, share: f32) -> Self {
        let mix = |a: f32, b: f32| a + (b - a) * share;
        Self {
            red: mix(self.red, other.red),
            green: mix(self.green, other.green),
            blue: mix(self.blue, other.blue),
        }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            red: self.red + other.red,
            green: self.green + other.green,
            blue: self.blue + other.blue,
        }
    }

    /// Red, green and blue from 0 to 1.
    pub(crate) fn shares(self) -> [f32; 3] {
        [self.red, self.green, self.blue].map(|share| share / 255.0)
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates, which is wanted
    pub(crate) fn bytes(self) -> [u8; 3] {
        [self.red, self.green, self.blue].map(|share| (share + 0.5) as u8)
    }
}

/// The heroes' colours, far from each other and from the ground.
const HEROES: [Colour; 6] = [
    Colour::rgb(255, 176, 32),
    Colour::rgb(64, 132, 255),
    Colour::rgb(86, 216, 104),
    Colour::rgb(236, 84, 196),
    Colour::rgb(120, 228, 236),
    Colour::rgb(190, 130, 255),
];

/// The colour of the hero in that place of the list of names.
pub(super) const fn of_hero(index: usize) -> Colour {
    HEROES[index % HEROES.len()]
}
