//! The first gamepad among the kernel's event devices (`/dev/input/event*`), looked for again and again
//! while there is none, so that one can be plugged in and out. Devices that may not be read are passed
//! over.

use std::io;
use std::time::{Duration, Instant};

use evdev::{AbsoluteAxisCode, Device, EventSummary, KeyCode};

use crate::sim::{Button, Pad};
use crate::window::keys::over_ground;

/// Between two looks for one.
const LOOK: Duration = Duration::from_secs(2);

/// The buttons by the kernel's words for their places: south is Cross.
const BUTTONS: [(KeyCode, Button); 16] = [
    (KeyCode::BTN_SOUTH, Button::Cross),
    (KeyCode::BTN_EAST, Button::Circle),
    (KeyCode::BTN_WEST, Button::Square),
    (KeyCode::BTN_NORTH, Button::Triangle),
    (KeyCode::BTN_TL, Button::L1),
    (KeyCode::BTN_TR, Button::R1),
    (KeyCode::BTN_TL2, Button::L2),
    (KeyCode::BTN_TR2, Button::R2),
    (KeyCode::BTN_SELECT, Button::Select),
    (KeyCode::BTN_START, Button::Start),
    (KeyCode::BTN_THUMBL, Button::L3),
    (KeyCode::BTN_THUMBR, Button::R3),
    (KeyCode::BTN_DPAD_UP, Button::Up),
    (KeyCode::BTN_DPAD_DOWN, Button::Down),
    (KeyCode::BTN_DPAD_LEFT, Button::Left),
    (KeyCode::BTN_DPAD_RIGHT, Button::Right),
];

/// A gamepad, or the wait for one.
#[derive(Debug, Default)]
pub(in crate::window) struct Gamepad {
    device: Option<Device>,
    looked: Option<Instant>,
    hands: Hands,
}

/// What is held, from the events so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Hands {
    buttons: Pad,
    /// The stick, and the cross that some pads have as axes: to the right and down, from -1 to 1.
    stick: (f32, f32),
    cross: (i32, i32),
}

impl Gamepad {
    /// What is to be said of it before the first frame.
    pub(in crate::window) const NOTE: Option<&'static str> = None;

    /// What is held now.
    pub(in crate::window) fn read(&mut self) -> Pad {
        let Some(device) = &mut self.device else {
            if self.looked.is_none_or(|at| at.elapsed() > LOOK) {
                self.looked = Some(Instant::now());
                self.device = find();
            }
            return Pad::NEUTRAL;
        };
        let half = half_range(device);
        let hands = &mut self.hands;
        let heard = device.fetch_events().map(|events| {
            events.for_each(|event| hands.take(event.destructure(), half));
        });
        if heard.is_err_and(|error| error.kind() != io::ErrorKind::WouldBlock) {
            // It was pulled out: whatever was held is let go.
            (self.device, self.hands) = (None, Hands::default());
        }
        self.hands.pad()
    }
}

/// The first device that has the pad's lower button and a stick.
fn find() -> Option<Device> {
    let is_pad = |device: &Device| {
        device.supported_keys().is_some_and(|keys| keys.contains(KeyCode::BTN_SOUTH))
            && device
                .supported_absolute_axes()
                .is_some_and(|axes| axes.contains(AbsoluteAxisCode::ABS_X))
    };
    let (_, device) = evdev::enumerate().find(|(_, device)| is_pad(device))?;
    device.set_nonblocking(true).ok()?;
    Some(device)
}

/// The stick's middle and how far it goes from there.
fn half_range(device: &Device) -> (f32, f32) {
    let state = device.get_abs_state().ok();
    let axis = state.and_then(|axes| axes.get(usize::from(AbsoluteAxisCode::ABS_X.0)).copied());
    // Sticks' numbers are far from where a float rounds them.
    #[allow(clippy::cast_precision_loss)]
    axis.filter(|axis| axis.maximum > axis.minimum).map_or((0.0, 32_767.0), |axis| {
        let (low, high) = (axis.minimum as f32, axis.maximum as f32);
        (f32::midpoint(low, high), (high - low) / 2.0)
    })
}

impl Hands {
    fn take(&mut self, event: EventSummary, (middle, half): (f32, f32)) {
        #[allow(clippy::cast_precision_loss)] // as above
        let share = |value: i32| ((value as f32 - middle) / half).clamp(-1.0, 1.0);
        match event {
            EventSummary::Key(_, key, value) => {
                let found = BUTTONS.iter().find(|(code, _)| *code == key);
                if let Some(&(_, button)) = found {
                    let one = Pad::NEUTRAL.with(button);
                    let without = self.buttons.without_buttons_of(one);
                    self.buttons = if value == 0 { without } else { self.buttons.with(button) };
                }
            }
            EventSummary::AbsoluteAxis(_, AbsoluteAxisCode::ABS_X, value) => {
                self.stick.0 = share(value);
            }
            EventSummary::AbsoluteAxis(_, AbsoluteAxisCode::ABS_Y, value) => {
                self.stick.1 = share(value);
            }
            EventSummary::AbsoluteAxis(_, AbsoluteAxisCode::ABS_HAT0X, value) => {
                self.cross.0 = value
            }
            EventSummary::AbsoluteAxis(_, AbsoluteAxisCode::ABS_HAT0Y, value) => {
                self.cross.1 = value
            }
            _ => {}
        }
    }

    fn pad(self) -> Pad {
        let (east, north) = over_ground(self.stick.0, -self.stick.1);
        let mut pad = self.buttons.with_stick(east, north);
        for (held, button) in [
            (self.cross.0 < 0, Button::Left),
            (self.cross.0 > 0, Button::Right),
            (self.cross.1 < 0, Button::Up),
            (self.cross.1 > 0, Button::Down),
        ] {
            if held {
                pad = pad.with(button);
            }
        }
        pad
    }
}

#[cfg(test)]
mod tests {
    use evdev::{EventType, InputEvent};

    use super::*;

    #[test]
    fn events_hold_and_let_go() {
        let mut hands = Hands::default();
        let mut say = |kind: EventType, code: u16, value: i32| {
            let event = InputEvent::new(kind.0, code, value);
            hands.take(event.destructure(), (0.0, 100.0));
            hands.pad()
        };
        let south = KeyCode::BTN_SOUTH.0;
        assert!(say(EventType::KEY, south, 1).holds(Button::Cross));
        assert!(!say(EventType::KEY, south, 0).holds(Button::Cross));
        let hat = AbsoluteAxisCode::ABS_HAT0Y.0;
        assert!(say(EventType::ABSOLUTE, hat, -1).holds(Button::Up));
        assert!(!say(EventType::ABSOLUTE, hat, 0).holds(Button::Up));
        let up = say(EventType::ABSOLUTE, AbsoluteAxisCode::ABS_Y.0, -100).stick();
        let (east, north) = over_ground(0.0, 1.0);
        assert!((up.0 - east).abs() < 0.02 && (up.1 - north).abs() < 0.02, "{up:?}");
    }
}
