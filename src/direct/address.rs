//! The address to join, stepped row by row with a pad (B2.6). Whatever a row is stepped to is an address
//! that can be tried: there is nothing to refuse.

use core::net::{IpAddr, Ipv4Addr, SocketAddr};

use mp_protocol::limits::PORT;

/// How long a row is held before each step is ten (B2.6, "after a moment"): a second of a 60 Hz game.
const FAST_AFTER_TICKS: u32 = 60;
/// How much a step is then.
const FAST_STEP: i32 = 10;
/// The last port.
const PORT_MAX: i32 = 65_535;

/// The rows of the address page, top to bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressRow {
    /// One of the four parts of the address, 0 to 255.
    Part(usize),
    /// The port, 1 to 65,535.
    Port,
    /// The same, a hundred at a time.
    PortByHundred,
}

impl AddressRow {
    /// All rows in the order they are shown.
    pub const ALL: [Self; 6] = [
        Self::Part(0),
        Self::Part(1),
        Self::Part(2),
        Self::Part(3),
        Self::Port,
        Self::PortByHundred,
    ];

    /// The row's words.
    pub fn label(self) -> String {
        match self {
            Self::Part(part) => format!("Address part {}", part + 1),
            Self::Port => "Port".to_owned(),
            Self::PortByHundred => "Port by 100".to_owned(),
        }
    }
}

/// The address as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressRows {
    parts: [u8; 4],
    port: u16,
}

impl Default for AddressRows {
    /// `192.168.1.1:7770`, where the rows start.
    fn default() -> Self {
        Self { parts: [192, 168, 1, 1], port: PORT }
    }
}

impl AddressRows {
    /// The address to join.
    pub fn address(self) -> SocketAddr {
        SocketAddr::new(IpAddr::V4(Ipv4Addr::from(self.parts)), self.port)
    }

    /// What stands in a row.
    pub fn value(self, row: AddressRow) -> String {
        match row {
            AddressRow::Part(part) => self.parts[part].to_string(),
            AddressRow::Port | AddressRow::PortByHundred => self.port.to_string(),
        }
    }

    /// Steps a row once; held for long, ten at a time. Ends wrap.
    pub fn step(&mut self, row: AddressRow, right: bool, held_ticks: u32) {
        let size = if held_ticks >= FAST_AFTER_TICKS { FAST_STEP } else { 1 };
        let step = if right { size } else { -size };
        match row {
            AddressRow::Part(part) => {
                let stepped = (i32::from(self.parts[part]) + step).rem_euclid(256);
                self.parts[part] = u8::try_from(stepped).expect("rem_euclid keeps it under 256");
            }
            AddressRow::Port => self.step_port(step),
            AddressRow::PortByHundred => self.step_port(step * 100),
        }
    }

    /// Ports wrap within 1 to 65,535: nobody listens on 0.
    fn step_port(&mut self, step: i32) {
        let stepped = (i32::from(self.port) - 1 + step).rem_euclid(PORT_MAX) + 1;
        self.port = u16::try_from(stepped).expect("rem_euclid keeps it in 1 to 65,535");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stepped(row: AddressRow, right: bool, held_ticks: u32) -> String {
        let mut rows = AddressRows::default();
        rows.step(row, right, held_ticks);
        rows.address().to_string()
    }

    /// B2.6
    #[test]
    fn it_stands_at_a_home_router_and_the_usual_port_first() {
        assert_eq!(AddressRows::default().address().to_string(), "192.168.1.1:7770");
    }

    /// B2.6
    #[test]
    fn a_step_is_one_and_port_by_100_a_hundred() {
        assert_eq!(stepped(AddressRow::Part(3), true, 0), "192.168.1.2:7770");
        assert_eq!(stepped(AddressRow::Part(0), false, 0), "191.168.1.1:7770");
        assert_eq!(stepped(AddressRow::Port, true, 0), "192.168.1.1:7771");
        assert_eq!(stepped(AddressRow::PortByHundred, false, 0), "192.168.1.1:7670");
    }

    /// B2.6
    #[test]
    fn held_for_long_it_steps_ten_at_a_time() {
        assert_eq!(stepped(AddressRow::Part(3), true, FAST_AFTER_TICKS - 1), "192.168.1.2:7770");
        assert_eq!(stepped(AddressRow::Part(3), true, FAST_AFTER_TICKS), "192.168.1.11:7770");
    }

    /// B2.6
    #[test]
    fn ends_wrap_and_port_0_is_left_out() {
        let mut rows = AddressRows { parts: [0, 255, 0, 0], port: 1 };
        rows.step(AddressRow::Part(0), false, 0);
        rows.step(AddressRow::Part(1), true, 0);
        rows.step(AddressRow::Port, false, 0);
        assert_eq!(rows.address().to_string(), "255.0.0.0:65535");
        rows.step(AddressRow::Port, true, 0);
        assert_eq!(rows.address().port(), 1);
    }
}
