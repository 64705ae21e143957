//! What the graphics card does, in its language. The world's light is the same, line by line, as the
//! software's (`picture/light.rs`).

/// Of the world: where a corner comes to, in the picture.
pub(super) const WORLD_VERTEX: &str = r"#version 100
attribute vec3 position;
attribute vec3 normal;
attribute vec3 colour;
attribute vec2 extra;
uniform mat4 view;
varying highp vec3 point;
varying highp vec3 facing;
varying highp vec3 paint;
varying highp vec2 kind;
void main() {
    point = position;
    facing = normal;
    paint = colour;
    kind = extra;
    gl_Position = view * vec4(position, 1.0);
}
";

/// Of the world: a pixel's colour. `extra` is the finish (0 plain, 1 ground, 2 side, 3 bright) and the
/// height of the face's foot.
pub(super) const WORLD_FRAGMENT: &str = r"#version 100
precision highp float;
varying highp vec3 point;
varying highp vec3 facing;
varying highp vec3 paint;
varying highp vec2 kind;
uniform mat4 sun;
uniform vec4 to_sun;
uniform vec4 sunlight;
uniform vec4 skylight;
uniform vec4 setting;
uniform highp sampler2D map;

float open(vec3 at, vec2 by) {
    vec2 place = at.xy + by;
    if (place.x < 0.0 || place.y < 0.0 || place.x > 1.0 || place.y > 1.0) {
        return 1.0;
    }
    return at.z < texture2D(map, place).r + setting.z ? 1.0 : 0.0;
}

float share() {
    vec3 at = (sun * vec4(point + facing * 0.06, 1.0)).xyz * 0.5 + 0.5;
    float step = setting.y;
    float lit = open(at, vec2(0.0)) + open(at, vec2(-step, -step)) + open(at, vec2(step, -step))
        + open(at, vec2(-step, step)) + open(at, vec2(step, step));
    return lit / 5.0;
}

float ground() {
    float tile = mod(floor(point.x / 2.0) + floor(point.y / 2.0), 2.0);
    float shade = tile < 1.0 ? 1.0 : 0.955;
    vec2 line = abs(fract(point.xy + 0.5) - 0.5);
    return setting.x > 0.5 && min(line.x, line.y) < 0.025 ? shade * 0.86 : shade;
}

void main() {
    if (kind.x > 2.5) {
        gl_FragColor = vec4(paint, 1.0);
        return;
    }
    float straight = max(dot(facing, to_sun.xyz), 0.0);
    float direct = straight > 0.0 ? straight * share() : 0.0;
    float sky = 0.75 + 0.25 * facing.z;
    vec3 lit = paint * (sunlight.rgb * direct + skylight.rgb * sky);
    if (kind.x > 1.5) {
        lit *= 0.8 + 0.2 * min((point.z - kind.y) / 1.2, 1.0);
    } else if (kind.x > 0.5) {
        lit *= ground();
    }
    gl_FragColor = vec4(lit, 1.0);
}
";

/// Of the sun's map: where a corner comes to.
pub(super) const MAP_VERTEX: &str = r"#version 100
attribute vec3 position;
attribute vec3 normal;
attribute vec3 colour;
attribute vec2 extra;
uniform mat4 view;
void main() {
    gl_Position = view * vec4(position, 1.0);
}
";

/// Of the sun's map: only how far away it is counts.
pub(super) const MAP_FRAGMENT: &str = r"#version 100
void main() {
    gl_FragColor = vec4(1.0);
}
";

/// Of what is written over the picture: pixels from the upper left, to the card's own square.
pub(super) const FLAT_VERTEX: &str = r"#version 100
attribute vec2 position;
attribute vec2 place;
attribute vec4 colour;
uniform vec4 size;
varying highp vec2 at;
varying lowp vec4 ink;
void main() {
    at = place;
    ink = colour;
    gl_Position = vec4(position.x * size.x - 1.0, 1.0 - position.y * size.y, 0.0, 1.0);
}
";

/// Of what is written over the picture: the letters' sheet covers, the colour is given.
pub(super) const FLAT_FRAGMENT: &str = r"#version 100
precision highp float;
varying highp vec2 at;
varying lowp vec4 ink;
uniform sampler2D sheet;
void main() {
    gl_FragColor = vec4(ink.rgb, ink.a * texture2D(sheet, at).a);
}
";
