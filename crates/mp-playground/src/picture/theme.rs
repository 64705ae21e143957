//! The colours of the levels: each has its own ground, its own sky and its own light.

use super::colour::Colour;
use crate::sim::BoxKind;

/// The colours of a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Theme {
    floor: Colour,
    wall: Colour,
    house: Colour,
    platform: Colour,
    step: Colour,
    rock: Colour,
    /// The sky at the top and at the bottom of the picture.
    pub sky: [Colour; 2],
    /// How much of each colour the sun and the sky give.
    pub sunlight: [f32; 3],
    pub skylight: [f32; 3],
}

const fn rgb([red, green, blue]: [u8; 3]) -> Colour {
    Colour::rgb(red, green, blue)
}

/// The ground, walls, houses, platforms, steps and rocks, then the sky; by a day's light.
const fn day(solids: [[u8; 3]; 6], sky: [[u8; 3]; 2]) -> Theme {
    Theme {
        floor: rgb(solids[0]),
        wall: rgb(solids[1]),
        house: rgb(solids[2]),
        platform: rgb(solids[3]),
        step: rgb(solids[4]),
        rock: rgb(solids[5]),
        sky: [rgb(sky[0]), rgb(sky[1])],
        sunlight: [0.84, 0.74, 0.56],
        skylight: [0.46, 0.48, 0.60],
    }
}

const VELDIN: Theme = day(
    [
        [206, 160, 104],
        [176, 104, 72],
        [104, 146, 156],
        [158, 150, 164],
        [186, 154, 124],
        [150, 108, 86],
    ],
    [[38, 30, 62], [214, 122, 84]],
);
const NOVALIS: Theme = Theme {
    sunlight: [0.78, 0.76, 0.60],
    skylight: [0.48, 0.54, 0.58],
    ..day(
        [
            [132, 170, 98],
            [120, 112, 96],
            [164, 138, 104],
            [150, 152, 140],
            [168, 158, 132],
            [118, 122, 112],
        ],
        [[30, 66, 96], [150, 196, 170]],
    )
};
const ARIDIA: Theme = Theme {
    sunlight: [0.60, 0.50, 0.66],
    skylight: [0.46, 0.42, 0.62],
    ..day(
        [
            [150, 128, 164],
            [118, 92, 132],
            [128, 116, 150],
            [146, 136, 160],
            [160, 144, 168],
            [110, 90, 120],
        ],
        [[20, 14, 44], [122, 70, 132]],
    )
};
const KERWAN: Theme = Theme {
    sunlight: [0.80, 0.76, 0.66],
    skylight: [0.48, 0.54, 0.66],
    ..day(
        [
            [152, 164, 180],
            [108, 128, 158],
            [116, 142, 182],
            [186, 190, 198],
            [170, 178, 190],
            [132, 140, 150],
        ],
        [[28, 62, 124], [170, 204, 232]],
    )
};
const POKITARU: Theme = Theme {
    sunlight: [0.90, 0.82, 0.60],
    skylight: [0.48, 0.54, 0.60],
    ..day(
        [
            [230, 210, 150],
            [186, 164, 120],
            [206, 150, 100],
            [196, 176, 140],
            [214, 190, 144],
            [146, 140, 124],
        ],
        [[24, 104, 168], [150, 226, 232]],
    )
};
const OLTANIS: Theme = Theme {
    sunlight: [0.52, 0.54, 0.62],
    skylight: [0.48, 0.52, 0.62],
    ..day(
        [
            [120, 132, 126],
            [96, 106, 116],
            [112, 118, 138],
            [134, 142, 146],
            [140, 146, 146],
            [92, 98, 102],
        ],
        [[22, 26, 40], [96, 108, 124]],
    )
};
/// Between the levels.
const SPACE: Theme = Theme { sky: [rgb([6, 6, 18]), rgb([28, 22, 54])], ..VELDIN };

impl Theme {
    /// The colours of the level of that number.
    pub(super) const fn of(level: Option<i32>) -> Self {
        match level {
            None => SPACE,
            Some(1) => NOVALIS,
            Some(2) => ARIDIA,
            Some(3) => KERWAN,
            Some(11) => POKITARU,
            Some(14) => OLTANIS,
            Some(_) => VELDIN,
        }
    }

    pub(super) const fn solid(&self, kind: BoxKind) -> Colour {
        match kind {
            BoxKind::Floor => self.floor,
            BoxKind::Wall => self.wall,
            BoxKind::House => self.house,
            BoxKind::Platform => self.platform,
            BoxKind::Step => self.step,
            BoxKind::Rock => self.rock,
        }
    }

    /// The sky, from the top (0) to the bottom (1) of the picture.
    pub(crate) fn sky_at(&self, height: f32) -> Colour {
        self.sky[0].towards(self.sky[1], height.powf(1.4))
    }
}
