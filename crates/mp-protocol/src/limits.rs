//! Every limit of the wire and of those who speak it, with where protocol.md gives it.
//!
//! The rates and counts of "what the server keeps" are defaults of settings; the sizes of layouts
//! are not, for both ends must agree on them. Nothing here enforces anything.

use core::time::Duration;

// What a layout can hold.

/// The TCP port, and UDP's unless UDP names another (protocol.md 1).
pub const PORT: u16 = 7770;
/// Bytes of a frame's length prefix (protocol.md 1).
pub const FRAME_PREFIX: usize = 4;
/// Most bytes in a frame's body, packet id and payload (protocol.md 1).
pub const FRAME_MAX: usize = 65_536;
/// Most bytes DATA carries: a frame less the packet id and the target or sender (protocol.md 1).
pub const DATA_MAX: usize = FRAME_MAX - 5;
/// Most bytes in a datagram, headers included (protocol.md 2).
pub const DATAGRAM_MAX: usize = 1_200;
/// Bytes of a client's datagram before its kind: session and token (protocol.md 2).
pub const DATAGRAM_HEADER: usize = 12;
/// Most bytes of state in a client's datagram, after session, token, kind and target; larger state
/// goes as DATA (protocol.md 2).
pub const STATE_MAX: usize = DATAGRAM_MAX - DATAGRAM_HEADER - 5;
/// Most bytes in a `str`: its length is an i16.
pub const STR_MAX: usize = 32_767;
/// Most bytes in HELLO's version; at least 1 (protocol.md 1).
pub const VERSION_MAX: usize = 64;
/// Most characters (Unicode scalar values) in a name; at least 1 (protocol.md 1).
pub const NAME_CHARS_MAX: usize = 32;
/// Most bytes in a party's description (protocol.md 1).
pub const DESCRIPTION_MAX: usize = 256;
/// Most bytes in a party code as JOIN carries it; at least 1 (protocol.md 1).
pub const CODE_MAX: usize = 16;
/// Most bytes in a chat's text; at least 1 (protocol.md 1).
pub const CHAT_MAX: usize = 256;
/// Most rows in a LIST answer (protocol.md 1).
pub const LIST_ROWS_MAX: usize = 128;
/// Most members of a party, the host included (protocol.md 1).
pub const PARTY_SIZE: usize = 4;
/// Characters in a party code that a server makes (protocol.md 1).
pub const PARTY_CODE_CHARS: usize = 6;
/// What a server's party codes are made of (protocol.md 1).
pub const PARTY_CODE_ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
/// The code of a direct host's one party (protocol.md 1).
pub const DIRECT_CODE: &str = "DIRECT";

/// Most bytes of a save in one CHUNK; at least 1 (protocol.md 3).
pub const CHUNK_MAX: usize = 16_000;
/// Most bytes in PLAY's save; at least 1 (protocol.md 3).
pub const SAVE_MAX: u32 = 262_144;
/// Bytes of a POSE without its pieces, the kind included (protocol.md 3).
pub const POSE_BYTES: usize = 65;
/// Most pieces a POSE's hero wears or holds (protocol.md 3).
pub const POSE_PIECES_MAX: usize = 8;
/// In how many POSEs after a teleport it is said again (protocol.md 3): a third of a second's.
pub const TELEPORT_AGO_MAX: u8 = 7;
/// Bytes of a piece that is not loose (protocol.md 3).
pub const PIECE_BYTES: usize = 13;
/// Bytes of one moby in a WORLD (protocol.md 3).
pub const WORLD_MOBY_BYTES: usize = 25;
/// Most mobys in a WORLD (protocol.md 3).
pub const WORLD_MOBYS_MAX: usize = 46;
/// The highest moby key, and the highest net number of a moby the host's game made (protocol.md 3).
pub const MOBY_KEY_MAX: u16 = 32_766;
/// Most items in a PROGRESS (protocol.md 3).
pub const PROGRESS_ITEMS_MAX: usize = 64;
/// Most gold bolts in a PROGRESS: index level x 4 + number (protocol.md 3).
pub const PROGRESS_GOLD_BOLTS_MAX: usize = 128;
/// Most planets in a PROGRESS (protocol.md 3).
pub const PROGRESS_PLANETS_MAX: usize = 64;
/// The farthest a position may lie from the origin, in the game's units (protocol.md 3).
pub const POSITION_MAX: f32 = 100_000.0;
/// The farthest ahead of the server's clock a stamp may be, in milliseconds (protocol.md 3).
pub const STAMP_AHEAD_MAX_MS: i64 = 10_000;

// What the server and the direct host keep (protocol.md 1, 2).

/// HELLO is complete this long after connecting, or the connection is closed; any later frame, this
/// long after its first byte.
pub const FRAME_TIMEOUT: Duration = Duration::from_secs(10);
/// A connection with no complete frame for this long is closed.
pub const SILENCE_TIMEOUT: Duration = Duration::from_secs(15);
/// Connections an address (IPv6 by its first 64 bits), those not yet greeted among them.
pub const CONNECTIONS_PER_ADDRESS: usize = 8;
/// Clients a direct host holds.
pub const DIRECT_CLIENTS_MAX: usize = 8;
/// How many seconds of its rate a token bucket holds; it starts full.
pub const BUCKET_SECONDS: u32 = 2;
/// Frames a second, a connection.
pub const FRAMES_PER_SECOND: u32 = 200;
/// Bytes of frames a second, a connection.
pub const FRAME_BYTES_PER_SECOND: u32 = 1_048_576;
/// How many times the frame rates a party's host has, from CREATE until the party ends.
pub const HOST_FRAME_RATE_FACTOR: u32 = 4;
/// Datagrams a second, a connection.
pub const DATAGRAMS_PER_SECOND: u32 = 300;
/// Datagrams a second, a party's host.
pub const HOST_DATAGRAMS_PER_SECOND: u32 = 1_200;
/// CHAT a second.
pub const CHATS_PER_SECOND: u32 = 4;
/// LIST, JOIN, FIND and CREATE a second, together.
pub const LOBBY_REQUESTS_PER_SECOND: u32 = 4;
/// Strikes within [`STRIKE_WINDOW`] that close the connection.
pub const STRIKES_MAX: u32 = 10;
/// How long a strike counts; ERROR 6 is sent at the first in it.
pub const STRIKE_WINDOW: Duration = Duration::from_secs(10);
/// Bytes in a client's outgoing queue at which it is closed rather than waited for.
pub const QUEUE_MAX: usize = 1_048_576;
/// Bytes in the host's outgoing queue past which a member's DATA, CHAT or STATE is dropped, a strike
/// of the member's; but for one that has less than an eighth of this in it itself (DECISIONS.md).
pub const HOST_QUEUE_FROM_MEMBERS_MAX: usize = 524_288;
/// A client gets STATE as datagrams while its newest BIND is younger than this and says heard.
pub const BIND_TIMEOUT: Duration = Duration::from_secs(15);

// What a client keeps (protocol.md 1, 2).

/// DATA a second a member sends.
pub const MEMBER_DATA_PER_SECOND: u32 = 120;
/// DATA a second a host sends.
pub const HOST_DATA_PER_SECOND: u32 = 500;
/// Bytes of DATA a second to one receiver.
pub const DATA_BYTES_PER_SECOND: u32 = 524_288;
/// LIST, JOIN and CHAT a second a client sends.
pub const CLIENT_REQUESTS_PER_SECOND: u32 = 2;
/// How often TIME is sent, after the one that follows HELLO.
pub const TIME_INTERVAL: Duration = Duration::from_secs(1);
/// The weight of a sample in the smoothed round trip and clock offset; the first counts whole.
pub const TIME_SMOOTHING: f64 = 0.05;
/// How often BIND is sent.
pub const BIND_INTERVAL: Duration = Duration::from_secs(3);
/// Datagrams have come back within this long, or state goes both ways; also BIND's heard.
pub const HEARD_TIMEOUT: Duration = Duration::from_secs(15);

// How often the mods speak (protocol.md 3).

/// POSE a second, in every phase with a hero.
pub const POSES_PER_SECOND: u32 = 20;
/// WORLD a second, to each member in the host's level.
pub const WORLDS_PER_SECOND: u32 = 15;
/// How often LEVEL, a playing SCENE and SCENE_STATE are repeated, and POSE is sent without a hero.
pub const REPEAT_INTERVAL: Duration = Duration::from_secs(1);
/// How often LINK and LINKS are sent.
pub const LINK_INTERVAL: Duration = Duration::from_secs(2);
/// How often PROGRESS is repeated.
pub const PROGRESS_INTERVAL: Duration = Duration::from_secs(5);
/// Malformed messages from one member within [`MALFORMED_WINDOW`] after which the host ignores it.
pub const MALFORMED_MAX: u32 = 20;
/// How long a malformed message counts.
pub const MALFORMED_WINDOW: Duration = Duration::from_secs(10);

// What is sent 15 and 20 times a second always fits a datagram.
const _: () = assert!(11 + WORLD_MOBYS_MAX * WORLD_MOBY_BYTES <= STATE_MAX);
const _: () = assert!(POSE_BYTES + 1 + POSE_PIECES_MAX * (PIECE_BYTES + 24) <= STATE_MAX);
