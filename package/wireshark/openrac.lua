-- OpenRAC multiplayer: frames, datagrams and game messages, for Wireshark and tshark 4.0 and newer.
--
-- The protocol stands below once, as tables of fields: a name, a type and the limits that protocol.md
-- sets. The rest of the file walks these tables, to register the display filters
-- (`openrac.<message>.<field>`) and to dissect. What the protocol does not allow is marked by the expert
-- item `openrac.malformed`; what only a party could tell (who the host is, whose clock is ahead) is not
-- judged. Tokens are never shown.

local openrac = Proto("openrac", "OpenRAC multiplayer")

local DEFAULT_PORT = 7770
local LENGTH_BYTES = 4
local MAX_FRAME_BYTES = 65536
local MAX_DATAGRAM_BYTES = 1200
local FARTHEST_UNITS = 100000 -- from the origin

openrac.prefs.port =
  Pref.uint("Server's port", DEFAULT_PORT, "TCP and UDP; another UDP port is learned from the UDP packet")

-- The protocol -------------------------------------------------------------------------------------
-- A field: { name, type, limits }. Types: the integers; f32; str; token; `vector`, `position` (a vector
-- that must be near the origin) and `aim` of f32; `rotation` of i16; `moby`, a u16 key or net; `rest`,
-- bytes to the end; `game`, a game message to the end; `bytes`, a u8 count and as many; `dead`, a u16
-- count and as many bits; `rows`, a count and as many times the fields of `row`.
-- Limits: min and max of a number, of a string's or rest's bytes, of a count; `plain`, no control
-- characters; `since`, the message may end here; `loose`, only in a loose piece.

local NO_YES = { [0] = "no", [1] = "yes" }
local REASONS = {
  [0] = "no such party", [1] = "full", [2] = "already in one", [3] = "not in one", [4] = "bad name",
  [5] = "too many connections", [6] = "too fast",
}
local MODES = { [0] = "new game", [1] = "save" }
local SKIPPED = { [0] = "a scene of the game's own", [1] = "the host's scene", [2] = "a movie" }
local SCENE_STATES = { [0] = "still to play", [1] = "playing", [2] = "out" }

local MEMBER = { { "id", "i32" }, { "name", "str", plain = true } }
local LISTED = {
  { "code", "str" }, { "host", "str", plain = true }, { "members", "u8" }, { "size", "u8" },
  { "description", "str", max = 256, plain = true },
}
local CHAT_TEXT = { "text", "str", min = 1, max = 256, plain = true }

-- Packets: `up` from the client, `down` from the server. PARTY's have an opcode.
local PARTY = 1
local PACKETS = {
  [0] = {
    name = "HELLO",
    up = { { "version", "str", min = 1, max = 64 }, { "name", "str" } },
    down = { { "session", "i32", min = 1 } },
  },
  [2] = { name = "CHAT", up = { CHAT_TEXT }, down = { { "sender", "i32" }, CHAT_TEXT } },
  [3] = {
    name = "DATA",
    up = { { "target", "i32" }, { "bytes", "game" } },
    down = { { "sender", "i32" }, { "bytes", "game" } },
  },
  [4] = { name = "ERROR", down = { { "reason", "u8", max = 6, values = REASONS } } },
  [5] = { name = "TIME", up = { { "clock", "i64" } }, down = { { "echo", "i64" }, { "server", "i64" } } },
  [6] = { name = "UDP", down = { { "token", "token" }, { "port", "u16" } } },
}
local OPCODES = {
  [0] = { name = "PARTY CREATE", up = { { "description", "str", max = 256, plain = true } } },
  [1] = { name = "PARTY JOIN", up = { { "code", "str", min = 1, max = 16 } } },
  [2] = { name = "PARTY LEAVE", up = {} },
  [3] = {
    name = "PARTY INFO",
    down = {
      { "code", "str" }, { "host", "i32" }, { "members", "rows", count = "u8", max = 4, row = MEMBER },
      { "description", "str", max = 256, plain = true },
    },
  },
  [4] = { name = "PARTY JOINED", down = MEMBER },
  [5] = { name = "PARTY LEFT", down = { { "id", "i32" } } },
  [6] = { name = "PARTY END", down = {} },
  [7] = { name = "PARTY FIND", up = {} },
  [8] = { name = "PARTY LIST", up = {}, down = { { "rows", "rows", count = "u16", max = 128, row = LISTED } } },
}

-- Datagrams: a client's begin with the session and the token.
local SENDER = { { "session", "i32" }, { "token", "token" } }
local DATAGRAMS = {
  [0] = {
    name = "BIND",
    up = { { "heard", "u8", max = 1, values = NO_YES, since = "0.7" }, { "padding", "rest" } },
    down = { { "padding", "rest" } },
  },
  [1] = {
    name = "STATE",
    up = { { "target", "i32" }, { "bytes", "game" } },
    down = { { "sender", "i32" }, { "bytes", "game" } },
  },
}

local FLAGS_POSE = { { 1, "blending" }, { 2, "teleport" }, { 4, "scene" } }
local FLAGS_PIECE = { { 1, "hidden" }, { 2, "blending" }, { 4, "loose" } }
local FLAGS_MOBY = { { 1, "hidden" }, { 2, "loose" } }
local LOOSE = 4
local PIECE = {
  { "slot", "u8" }, { "part", "u8" }, { "item", "u8" }, { "class", "i16" }, { "joint", "u8" },
  { "flags", "u8", bits = FLAGS_PIECE }, { "seq", "u8" }, { "frame", "u8" }, { "next", "u8" },
  { "anim_time", "u8" }, { "anim_speed", "i16" },
  { "position", "position", loose = true }, { "rotation", "vector", loose = true },
}
local MOBY = {
  { "id", "moby" }, { "position", "position" }, { "rotation", "rotation" }, { "seq", "u8" },
  { "frame", "u8" }, { "anim_time", "u8" }, { "anim_speed", "u8" }, { "flags", "u8", bits = FLAGS_MOBY },
}
local BLOW = {
  { "id", "moby" }, { "mask", "u32" }, { "damage", "f32" }, { "position", "position" }, { "velocity", "vector" },
}

-- Game messages, by kind.
local MESSAGES = {
  [1] = { "READY", { { "flag", "u8", values = NO_YES } } },
  [2] = { "STATE", { { "rows", "rows", count = "u8", row = { { "id", "i32" }, { "flag", "u8", values = NO_YES } } } } },
  [3] = { "START", {} },
  [4] = { "PLAY", {
    { "play", "i32" }, { "mode", "u8", max = 1, values = MODES }, { "level", "i32" },
    { "size", "i32", min = 0, max = 262144 }, { "build", "str" },
  } },
  [5] = { "CHUNK", { { "play", "i32" }, { "offset", "i32", min = 0 }, { "bytes", "rest", min = 1, max = 16000 } } },
  [6] = { "LEVEL", {
    { "play", "i32" }, { "level", "i32" }, { "scene", "u8", values = NO_YES },
    { "travel", "u16", since = "0.5" }, { "dest", "i32" }, { "arriving", "u8", values = NO_YES },
  } },
  [7] = { "POSE", {
    { "owner", "i32" }, { "sequence", "u16" }, { "stamp", "i64" }, { "level", "i8" },
    { "flags", "u8", bits = FLAGS_POSE }, { "position", "position" }, { "rotation", "vector" },
    { "velocity", "vector" }, { "state", "i16" }, { "health", "i16" }, { "item", "i16" }, { "seq", "u8" },
    { "frame", "u8" }, { "next", "u8" }, { "anim_time", "u8" }, { "anim_speed", "i16" },
    { "pieces", "rows", count = "u8", max = 8, row = PIECE, since = "0.6" },
  } },
  [8] = { "WANT", { { "play", "i32" } } },
  [9] = { "WORLD", { { "level", "i8" }, { "stamp", "i64" }, { "mobys", "rows", count = "u8", max = 46, row = MOBY } } },
  [10] = { "KILLED", { { "level", "i8" }, { "keys", "rows", count = "u16", row = { { "key", "u16" } } } } },
  [11] = { "SPAWN", {
    { "level", "i8" }, { "net", "u16", max = 32766 }, { "class", "i16" }, { "position", "position" }, { "yaw", "f32" },
  } },
  [12] = { "DESPAWN", { { "level", "i8" }, { "nets", "rows", count = "u16", row = { { "net", "u16" } } } } },
  [13] = { "HIT", BLOW },
  [14] = { "DAMAGE", BLOW },
  [15] = { "BOLTS", { { "count", "i32" } } },
  [16] = { "DEAD", { { "level", "i8" }, { "records", "dead" } } },
  [17] = { "BROKE", { { "level", "i8" }, { "key", "u16" } } },
  [18] = { "SKIP", {
    { "origin", "i32" }, { "sequence", "u16", since = "0.5" }, { "play", "i32" },
    { "what", "u8", max = 2, values = SKIPPED }, { "scene", "u16" },
  } },
  [19] = { "SHOT", {
    { "owner", "i32" }, { "level", "i8" }, { "item", "i16" }, { "position", "position" },
    { "velocity", "vector" }, { "aim", "aim" },
  } },
  [20] = { "SCENE", {
    { "play", "i32" }, { "level", "i32" }, { "scene", "i32" }, { "sequence", "u16" }, { "elapsed", "i32" },
  } },
  [21] = { "SCENE_STATE", {
    { "play", "i32" }, { "sequence", "u16" }, { "state", "u8", max = 2, values = SCENE_STATES },
  } },
  [22] = { "CLAIM", { { "level", "i8" }, { "id", "moby" } } },
  [23] = { "PROGRESS", {
    { "items", "bytes", max = 64 }, { "gold_bolts", "bytes", max = 128 }, { "planets", "bytes", max = 64 },
  } },
  [64] = { "LINK", {
    { "ping", "i32" }, { "udp", "u8", values = NO_YES }, { "travel", "u16", since = "0.7" },
    { "arrived", "u8", values = NO_YES },
  } },
  [65] = { "LINKS", { { "rows", "rows", count = "u8", row = {
    { "id", "i32" }, { "ping", "i32" }, { "udp", "u8", values = NO_YES },
  } } } },
}

-- Display filters ----------------------------------------------------------------------------------

local MAKERS = {
  u8 = ProtoField.uint8, u16 = ProtoField.uint16, u32 = ProtoField.uint32, i8 = ProtoField.int8,
  i16 = ProtoField.int16, i32 = ProtoField.int32, i64 = ProtoField.int64, f32 = ProtoField.float,
}
local BYTES = { u8 = 1, u16 = 2, u32 = 4, i8 = 1, i16 = 2, i32 = 4, i64 = 8, f32 = 4 }
-- Types of several numbers: their axes and the type of each.
local AXES = {
  vector = { "xyz", "f32" }, position = { "xyz", "f32" }, aim = { "xyzw", "f32" }, rotation = { "xyz", "i16" },
}

local fields = {
  length = ProtoField.uint32("openrac.length", "Length"),
  id = ProtoField.uint8("openrac.id", "Packet id"),
  opcode = ProtoField.uint8("openrac.opcode", "Opcode"),
  packet = ProtoField.string("openrac.packet", "Packet"),
  datagram = ProtoField.string("openrac.datagram", "Datagram"),
  kind = ProtoField.uint8("openrac.kind", "Kind"),
  message = ProtoField.string("openrac.message", "Message"),
  newer = ProtoField.bytes("openrac.newer", "Bytes of a newer version"),
}
local malformed = ProtoExpert.new("openrac.malformed", "Malformed", expert.group.MALFORMED, expert.severity.ERROR)
openrac.experts = { malformed }

-- One that two messages share (CHAT's text up and down) is registered once.
local function register(filter, label, make, ...)
  if not fields[filter] then fields[filter] = make("openrac." .. filter, label, ...) end
end

local function register_all(prefix, specs)
  for _, field in ipairs(specs) do
    local name, kind = field[1], field[2]
    local filter, label = prefix .. "." .. name, name:gsub("_", " "):gsub("^%l", string.upper)
    if AXES[kind] then
      local axes, number = AXES[kind][1], AXES[kind][2]
      for axis in axes:gmatch(".") do register(filter .. "." .. axis, label .. " " .. axis, MAKERS[number]) end
    elseif kind == "rows" then
      register(filter, label, MAKERS[field.count])
      register_all(filter, field.row)
    elseif kind == "dead" then
      register(filter, label, ProtoField.uint16)
      register(prefix .. ".dead", "Dead", ProtoField.uint16)
    elseif kind == "str" or kind == "token" then
      register(filter, label, ProtoField.string)
    elseif kind == "rest" or kind == "game" or kind == "bytes" then
      register(filter, label, ProtoField.bytes)
      if kind == "bytes" then register(filter .. ".count", label .. " count", ProtoField.uint8) end
    elseif kind == "moby" then
      register(filter, label, ProtoField.uint16, base.DEC)
    elseif field.bits then
      register(filter, label, MAKERS[kind], base.HEX)
      for _, bit in ipairs(field.bits) do
        register(filter .. "." .. bit[2], bit[2], ProtoField.bool, 8, nil, bit[1])
      end
    else
      register(filter, label, MAKERS[kind], kind ~= "i64" and kind ~= "f32" and base.DEC or nil, field.values)
    end
  end
end

-- The middle of a packet's filters: "party info" is openrac.info.
local function prefix_of(name) return name:gsub("^PARTY ", ""):lower() end

for _, packets in ipairs({ PACKETS, OPCODES }) do
  for _, packet in pairs(packets) do
    register_all(prefix_of(packet.name), packet.up or {})
    register_all(prefix_of(packet.name), packet.down or {})
  end
end
register_all("datagram", SENDER)
for _, datagram in pairs(DATAGRAMS) do
  register_all("datagram", datagram.up)
  register_all("datagram", datagram.down)
end
for _, message in pairs(MESSAGES) do register_all(prefix_of(message[1]), message[2]) end
openrac.fields = fields

-- Reading ------------------------------------------------------------------------------------------
-- A reader is { tvb, at, tree, info }: what is left from `at` on, the tree it goes to, and the names
-- for the packet list. What cannot be read on is thrown as a table and caught where the message began.

local function mark(item, why) item:add_proto_expert_info(malformed, why) end

local function left(reader) return reader.tvb:len() - reader.at end

local function take(reader, count, what)
  if count > left(reader) then
    error({ malformed = string.format("%s: %d bytes wanted, %d left", what, count, left(reader)) })
  end
  local range = reader.tvb(reader.at, count)
  reader.at = reader.at + count
  return range
end

local function rest(reader)
  local count = left(reader)
  return count > 0 and take(reader, count, "rest") or nil, count
end

local function check_bounds(item, value, field, what)
  if field.min and value < field.min or field.max and value > field.max then
    mark(item, string.format("%s %s: %s to %s allowed", what, tostring(value), field.min or 0, field.max or "any"))
  end
end

local function is_utf8(bytes)
  local at = 1
  while at <= #bytes do
    local first, size = bytes:byte(at), nil
    if first < 0x80 then size = 1
    elseif first >= 0xC2 and first < 0xE0 then size = 2
    elseif first >= 0xE0 and first < 0xF0 then size = 3
    elseif first >= 0xF0 and first < 0xF5 then size = 4
    else return false end
    local tail = bytes:sub(at + 1, at + size - 1)
    if #tail ~= size - 1 or tail:find("[^\128-\191]") then return false end
    local second = tail:byte(1)
    -- Overlong forms, surrogates, and past the last character.
    if first == 0xE0 and second < 0xA0 or first == 0xED and second > 0x9F then return false end
    if first == 0xF0 and second < 0x90 or first == 0xF4 and second > 0x8F then return false end
    at = at + size
  end
  return true
end

local function read_text(reader, pf, field)
  local length = take(reader, 2, field[1]):int()
  if length < -1 then error({ malformed = field[1] .. ": a string of " .. length .. " bytes" }) end
  local start, count = reader.at - 2, math.max(length, 0)
  local bytes = count > 0 and take(reader, count, field[1]):bytes():raw() or ""
  local item = reader.tree:add(pf, reader.tvb(start, count + 2), bytes)
  check_bounds(item, count, field, field[1] .. "'s bytes:")
  if not is_utf8(bytes) then mark(item, field[1] .. " is not UTF-8") end
  if field.plain and (bytes:find("[\0-\31\127]") or bytes:find("\194[\128-\159]")) then
    mark(item, field[1] .. " has a control character")
  end
end

local function read_float(reader, pf, what, near)
  local range = take(reader, 4, what)
  local item, value = reader.tree:add(pf, range), range:float()
  if value ~= value or value == math.huge or value == -math.huge then
    mark(item, what .. " is not finite")
  end
  return near and value * value or 0, item
end

local function read_axes(reader, filter, field)
  local axes, number = AXES[field[2]][1], AXES[field[2]][2]
  local square, last = 0, nil
  for axis in axes:gmatch(".") do
    local pf = fields[filter .. "." .. axis]
    if number == "f32" then
      local more
      more, last = read_float(reader, pf, field[1], field[2] == "position")
      square = square + more
    else
      local range = take(reader, 2, field[1])
      reader.tree:add(pf, range):append_text(string.format(" (%.4f rad)", range:int() / 10000))
    end
  end
  if square > FARTHEST_UNITS * FARTHEST_UNITS then
    mark(last, string.format("%s over %d units from the origin", field[1], FARTHEST_UNITS))
  end
end

local function read_number(reader, filter, field)
  local kind = field[2]
  local range = take(reader, BYTES[kind], field[1])
  local item = reader.tree:add(fields[filter], range)
  for _, bit in ipairs(field.bits or {}) do item:add(fields[filter .. "." .. bit[2]], range) end
  if kind == "i64" then return nil end
  local value = kind:sub(1, 1) == "u" and range:uint() or range:int()
  check_bounds(item, value, field, field[1])
  return value
end

local function read_moby(reader, filter, field)
  local range = take(reader, 2, field[1])
  local id = range:uint()
  local name = id == 0xFFFF and "none" or id >= 0x8000 and "net " .. id - 0x8000 or "key " .. id
  reader.tree:add(fields[filter], range):append_text(" (" .. name .. ")")
end

local function read_bytes(reader, filter, field)
  local range = take(reader, 1, field[1])
  local count = range:uint()
  check_bounds(reader.tree:add(fields[filter .. ".count"], range), count, field, field[1])
  if count > 0 then reader.tree:add(fields[filter], take(reader, count, field[1])) end
end

local function read_dead(reader, filter, prefix)
  local range = take(reader, 2, "records")
  local records = range:uint()
  reader.tree:add(fields[filter], range)
  for index = 0, math.ceil(records / 8) - 1 do
    local byte = take(reader, 1, "records")
    for bit = 0, 7 do
      -- bitfield counts from the most significant bit, DEAD from the least.
      local record = index * 8 + bit
      if record < records and byte:bitfield(7 - bit, 1) == 1 then
        reader.tree:add(fields[prefix .. ".dead"], byte, record)
      end
    end
  end
end

local read_game, walk -- Each needs the other's kind of field.

local function read_rows(reader, filter, field)
  local range = take(reader, BYTES[field.count], field[1])
  local count, outer = range:uint(), reader.tree
  local item = outer:add(fields[filter], range)
  check_bounds(item, count, field, field[1])
  for number = 1, count do
    local start = reader.at
    reader.tree = outer:add(openrac, reader.tvb(start), field[1] .. " " .. number)
    walk(reader, filter, field.row)
    reader.tree:set_len(reader.at - start)
  end
  reader.tree = outer
end

local function read_rest(reader, filter, field)
  local range, count = rest(reader)
  local item = range and reader.tree:add(fields[filter], range) or reader.tree
  check_bounds(item, count, field, field[1] .. "'s bytes:")
end

local function read_token(reader, filter, field)
  reader.tree:add(fields[filter], take(reader, 8, field[1]), "(hidden)")
end

local READERS = {
  vector = read_axes, position = read_axes, aim = read_axes, rotation = read_axes, moby = read_moby,
  bytes = read_bytes, rows = read_rows, rest = read_rest, token = read_token,
  str = function(reader, filter, field) read_text(reader, fields[filter], field) end,
  f32 = function(reader, filter, field) read_float(reader, fields[filter], field[1]) end,
  dead = function(reader, filter, _, prefix) read_dead(reader, filter, prefix) end,
  game = function(reader, filter) read_game(reader, filter) end,
}

-- Takes a message's fields off the reader, each into the tree.
function walk(reader, prefix, specs)
  local flags
  for _, field in ipairs(specs) do
    if field.since and left(reader) == 0 then return end
    if not field.loose or flags % (2 * LOOSE) >= LOOSE then
      local value = (READERS[field[2]] or read_number)(reader, prefix .. "." .. field[1], field, prefix)
      if field[1] == "flags" then flags = value end
    end
  end
end

-- Runs `body`; what it throws as malformed is marked on the reader's tree.
local function guarded(reader, body)
  local ok, why = pcall(body)
  if ok then return end
  if type(why) ~= "table" then error(why, 0) end
  mark(reader.tree, why.malformed)
end

local function show_newer(reader)
  local range = rest(reader)
  if range then reader.tree:add(fields.newer, range) end
end

-- A game message: in DATA or STATE, to the end.
function read_game(reader, filter)
  local start = reader.at
  if left(reader) > 0 then reader.tree:add(fields[filter], reader.tvb(start)) end
  local kind_range = take(reader, 1, "kind")
  local kind = kind_range:uint()
  local message = MESSAGES[kind]
  local name = message and message[1] or "kind " .. kind
  local outer = reader.tree
  reader.tree = outer:add(openrac, reader.tvb(start), name)
  reader.tree:add(fields.kind, kind_range)
  reader.tree:add(fields.message, kind_range, name):set_generated()
  reader.info[#reader.info + 1] = name
  if message then
    guarded(reader, function() walk(reader, prefix_of(name), message[2]) end)
  else
    reader.tree:append_text(" (a newer version's)")
  end
  show_newer(reader)
  reader.tree = outer
end

-- Frames -------------------------------------------------------------------------------------------

-- UDP ports that UDP packets named; more than the preference's.
local learned = {}

local function is_up(pinfo) return pinfo.dst_port == openrac.prefs.port or learned[pinfo.dst_port] == true end

local function show_info(pinfo, reader) pinfo.cols.info:append(table.concat(reader.info, " ") .. "  ") end

local function named_packet(reader)
  local id_range = take(reader, 1, "packet id")
  local id, packet = id_range:uint(), nil
  reader.tree:add(fields.id, id_range)
  if id == PARTY then
    local opcode = take(reader, 1, "opcode")
    reader.tree:add(fields.opcode, opcode)
    packet = OPCODES[opcode:uint()]
    if not packet then error({ malformed = "unknown opcode " .. opcode:uint() }) end
  else
    packet = PACKETS[id]
    if not packet then error({ malformed = "unknown packet " .. id }) end
  end
  reader.tree:add(fields.packet, id_range, packet.name):set_generated()
  reader.tree:append_text(", " .. packet.name)
  reader.info[#reader.info + 1] = packet.name
  return packet
end

local function learn_port(tvb, packet)
  if packet.name ~= "UDP" then return end
  local port = tvb(tvb:len() - 2):uint()
  if port == 0 or learned[port] then return end
  learned[port] = true
  DissectorTable.get("udp.port"):add(port, openrac)
end

local function dissect_frame(tvb, pinfo, root)
  local tree = root:add(openrac, tvb(), "OpenRAC frame")
  local reader = { tvb = tvb, at = 0, tree = tree, info = {} }
  guarded(reader, function()
    local length_range = take(reader, LENGTH_BYTES, "length")
    local length, item = length_range:uint(), tree:add(fields.length, length_range)
    check_bounds(item, length, { min = 1, max = MAX_FRAME_BYTES }, "frame's length")
    if length < 1 or length > MAX_FRAME_BYTES then return end
    local packet, up = named_packet(reader), is_up(pinfo)
    local specs = up and packet.up or not up and packet.down
    if not specs then error({ malformed = packet.name .. " is not sent in this direction" }) end
    walk(reader, prefix_of(packet.name), specs)
    if not up then learn_port(tvb(0, reader.at):tvb(), packet) end
    show_newer(reader)
  end)
  show_info(pinfo, reader)
  return tvb:len()
end

-- Bytes of a frame; after a length out of range nothing can be told, so it takes all there is.
local function frame_bytes(tvb, _, offset)
  local length = tvb(offset, LENGTH_BYTES):uint()
  if length < 1 or length > MAX_FRAME_BYTES then return tvb:len() - offset end
  return LENGTH_BYTES + length
end

local function dissect_datagram(tvb, pinfo, root)
  local tree = root:add(openrac, tvb(), "OpenRAC datagram")
  local reader, up = { tvb = tvb, at = 0, tree = tree, info = {} }, is_up(pinfo)
  if tvb:len() > MAX_DATAGRAM_BYTES then mark(tree, "over " .. MAX_DATAGRAM_BYTES .. " bytes") end
  guarded(reader, function()
    if up then walk(reader, "datagram", SENDER) end
    local kind = take(reader, 1, "kind")
    local datagram = DATAGRAMS[kind:uint()]
    if not datagram then error({ malformed = "unknown kind " .. kind:uint() }) end
    local name = not up and datagram.name == "BIND" and "BIND answer" or datagram.name
    tree:add(fields.datagram, kind, name)
    tree:append_text(", " .. name)
    reader.info[1] = name
    walk(reader, "datagram", up and datagram.up or datagram.down)
  end)
  show_info(pinfo, reader)
  return tvb:len()
end

function openrac.dissector(tvb, pinfo, root)
  pinfo.cols.protocol = "OpenRAC"
  pinfo.cols.info:clear()
  if pinfo.port_type == 3 then -- UDP; 2 is TCP
    return dissect_datagram(tvb, pinfo, root)
  end
  dissect_tcp_pdus(tvb, root, LENGTH_BYTES, frame_bytes, dissect_frame)
  return tvb:len()
end

local registered
local function register_port()
  for _, name in ipairs({ "tcp.port", "udp.port" }) do
    local ports = DissectorTable.get(name)
    if registered then ports:remove(registered, openrac) end
    ports:add(openrac.prefs.port, openrac)
  end
  registered = openrac.prefs.port
end

function openrac.prefs_changed()
  if registered ~= openrac.prefs.port then register_port() end
end

register_port()
