//! Draws the lists of a picture with the graphics card: the sun's map first, then the world in its light,
//! then what is written over it.

use miniquad::{
    BlendFactor, BlendState, BlendValue, BufferId, BufferLayout, BufferSource, BufferType,
    BufferUsage, Comparison, Equation, FilterMode, PassAction, Pipeline, PipelineParams,
    RenderPass, RenderingBackend, ShaderError, ShaderMeta, ShaderSource, TextureFormat, TextureId,
    TextureParams, UniformBlockLayout, UniformDesc, UniformType, UniformsSource, VertexAttribute,
    VertexFormat,
};

use super::flat::{self, Corner, SHEET};
use super::shaders;
use crate::picture::camera::Camera;
use crate::picture::drawing::{Drawing, MAP, SUN};
use crate::picture::light::BIAS;
use crate::picture::marks::Area;
use crate::picture::scene::{Face, Finish};

/// How many rectangles are drawn at once: their corners' numbers fit 16 bits.
const AT_ONCE: usize = 8_192;
/// How far before and behind what it looks at a camera sees, in units.
const REACH: f32 = 200.0;

/// A corner of a face.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
struct Vertex {
    position: [f32; 3],
    normal: [f32; 3],
    colour: [f32; 3],
    extra: [f32; 2],
}

/// What the world's shader is told.
#[repr(C)]
struct Light {
    view: [f32; 16],
    sun: [f32; 16],
    to_sun: [f32; 4],
    sunlight: [f32; 4],
    skylight: [f32; 4],
    /// The grid, a pixel of the map, the bias.
    setting: [f32; 4],
}

/// Where a drawing goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    /// `None`: the window.
    pub pass: Option<RenderPass>,
    /// How high that is, in pixels.
    pub height: usize,
    /// How many pixels one of the drawing's is.
    pub zoom: usize,
    /// The rectangle, in the drawing's pixels.
    pub area: Area,
}

/// All that the card keeps.
pub(super) struct Painter {
    world: Pipeline,
    map: Pipeline,
    flat: Pipeline,
    map_pass: RenderPass,
    /// How far away what the sun sees is.
    depths: TextureId,
    sheet: TextureId,
    /// Two triangles a rectangle.
    triangles: BufferId,
    faces: BufferId,
    corners: BufferId,
    vertices: Vec<Vertex>,
    rectangles: Vec<Corner>,
}

impl Painter {
    /// # Errors
    /// The card does not take a shader.
    pub(super) fn new(card: &mut dyn RenderingBackend) -> Result<Self, ShaderError> {
        let wide = side(MAP);
        let colour = card.new_render_texture(texture(wide, wide, TextureFormat::RGBA8));
        let depths = card.new_render_texture(texture(wide, wide, TextureFormat::Depth32));
        let map_pass = card.new_render_pass(colour, Some(depths));
        let (width, height) = (u32::from(SHEET.0), u32::from(SHEET.1));
        let sheet = card.new_texture_from_data_and_format(
            &flat::sheet(),
            texture(width, height, TextureFormat::RGBA8),
        );
        let corners = (0..u16::MAX).step_by(4).take(AT_ONCE);
        let triangles: Vec<u16> =
            corners.flat_map(|a| [a, a + 1, a + 2, a, a + 2, a + 3]).collect();
        Ok(Self {
            world: world_pipeline(card)?,
            map: map_pipeline(card)?,
            flat: flat_pipeline(card)?,
            map_pass,
            depths,
            sheet,
            triangles: card.new_buffer(
                BufferType::IndexBuffer,
                BufferUsage::Immutable,
                BufferSource::slice(&triangles),
            ),
            faces: stream::<Vertex>(card),
            corners: stream::<Corner>(card),
            vertices: Vec::new(),
            rectangles: Vec::new(),
        })
    }

    /// Draws one game's picture into its rectangle.
    pub(super) fn draw(&mut self, card: &mut dyn RenderingBackend, drawing: &Drawing, to: Target) {
        self.vertices.clear();
        self.vertices.extend(drawing.faces.iter().flat_map(vertices));
        self.shine(card, &drawing.sun);
        card.begin_pass(to.pass, PassAction::Nothing);
        let area = to.area;
        let zoomed = |pixels: usize| i32::try_from(pixels * to.zoom).unwrap_or(i32::MAX);
        let whole = i32::try_from(to.height).unwrap_or(i32::MAX);
        let bottom = whole - zoomed(area.y + area.height);
        let (width, height) = (zoomed(area.width), zoomed(area.height));
        card.apply_viewport(zoomed(area.x), bottom, width, height);
        card.apply_scissor_rect(zoomed(area.x), bottom, width, height);
        let size = (area.width * to.zoom, area.height * to.zoom);
        self.rectangles.clear();
        flat::sky(&drawing.theme, size, &mut self.rectangles);
        self.write(card, size);
        self.light(card, drawing);
        self.rectangles.clear();
        let zoom = f32::from(u16::try_from(to.zoom).unwrap_or(1));
        flat::corners(&drawing.marks, zoom, &mut self.rectangles);
        self.write(card, size);
        card.end_render_pass();
    }

    /// Draws what the sun sees.
    fn shine(&self, card: &mut dyn RenderingBackend, sun: &Camera) {
        card.begin_pass(Some(self.map_pass), PassAction::clear_color(1.0, 1.0, 1.0, 1.0));
        card.apply_pipeline(&self.map);
        for part in self.vertices.chunks(4 * AT_ONCE) {
            card.buffer_update(self.faces, BufferSource::slice(part));
            card.apply_bindings_from_slice(&[self.faces], self.triangles, &[]);
            card.apply_uniforms(UniformsSource::table(&sun.matrix(REACH)));
            card.draw(0, indices(part.len()), 1);
        }
        card.end_render_pass();
    }

    /// Draws the world.
    fn light(&self, card: &mut dyn RenderingBackend, drawing: &Drawing) {
        let [x, y, z]: [f32; 3] = (-SUN.unit()).into();
        let theme = &drawing.theme;
        let with_none = |[red, green, blue]: [f32; 3]| [red, green, blue, 0.0];
        let texel = 1.0 / f32::from(u16::try_from(MAP).unwrap_or(u16::MAX));
        let light = Light {
            view: drawing.camera.matrix(REACH),
            sun: drawing.sun.matrix(REACH),
            to_sun: [x, y, z, 0.0],
            sunlight: with_none(theme.sunlight),
            skylight: with_none(theme.skylight),
            setting: [f32::from(u8::from(drawing.grid)), texel, BIAS / (2.0 * REACH), 0.0],
        };
        card.apply_pipeline(&self.world);
        for part in self.vertices.chunks(4 * AT_ONCE) {
            card.buffer_update(self.faces, BufferSource::slice(part));
            card.apply_bindings_from_slice(&[self.faces], self.triangles, &[self.depths]);
            card.apply_uniforms(UniformsSource::table(&light));
            card.draw(0, indices(part.len()), 1);
        }
    }

    /// Draws the rectangles, in a picture of that size in pixels.
    fn write(&self, card: &mut dyn RenderingBackend, (width, height): (usize, usize)) {
        let half =
            |pixels: usize| 2.0 / f32::from(u16::try_from(pixels.max(1)).unwrap_or(u16::MAX));
        let size = [half(width), half(height), 0.0, 0.0];
        card.apply_pipeline(&self.flat);
        for part in self.rectangles.chunks(4 * AT_ONCE) {
            card.buffer_update(self.corners, BufferSource::slice(part));
            card.apply_bindings_from_slice(&[self.corners], self.triangles, &[self.sheet]);
            card.apply_uniforms(UniformsSource::table(&size));
            card.draw(0, indices(part.len()), 1);
        }
    }
}

/// How many corners of triangles so many corners of rectangles make.
fn indices(corners: usize) -> i32 {
    i32::try_from(corners / 4 * 6).unwrap_or(i32::MAX)
}

fn side(pixels: usize) -> u32 {
    u32::try_from(pixels).unwrap_or(u32::MAX)
}

fn vertices(face: &Face) -> [Vertex; 4] {
    let finish = match face.finish {
        Finish::Plain => 0.0,
        Finish::Ground => 1.0,
        Finish::Side => 2.0,
        Finish::Bright => 3.0,
    };
    let (normal, colour) = (face.normal.into(), face.colour.shares());
    let extra = [finish, face.foot()];
    face.corners.map(|corner| Vertex { position: corner.into(), normal, colour, extra })
}

fn stream<T>(card: &mut dyn RenderingBackend) -> BufferId {
    let room = BufferSource::empty::<T>(4 * AT_ONCE);
    card.new_buffer(BufferType::VertexBuffer, BufferUsage::Stream, room)
}

/// A texture whose pixels are not mixed.
pub(super) fn texture(width: u32, height: u32, format: TextureFormat) -> TextureParams {
    let (min_filter, mag_filter) = (FilterMode::Nearest, FilterMode::Nearest);
    TextureParams { width, height, format, min_filter, mag_filter, ..TextureParams::default() }
}

fn shader(
    card: &mut dyn RenderingBackend,
    vertex: &str,
    fragment: &str,
    images: &[&str],
    uniforms: &[(&str, UniformType)],
) -> Result<miniquad::ShaderId, ShaderError> {
    let uniforms = uniforms.iter().map(|(name, kind)| UniformDesc::new(name, *kind)).collect();
    let meta = ShaderMeta {
        images: images.iter().map(|&image| image.to_owned()).collect(),
        uniforms: UniformBlockLayout { uniforms },
    };
    card.new_shader(ShaderSource::Glsl { vertex, fragment }, meta)
}

const FACE: [VertexAttribute; 4] = [
    VertexAttribute::new("position", VertexFormat::Float3),
    VertexAttribute::new("normal", VertexFormat::Float3),
    VertexAttribute::new("colour", VertexFormat::Float3),
    VertexAttribute::new("extra", VertexFormat::Float2),
];

fn solid() -> PipelineParams {
    let depth_test = Comparison::LessOrEqual;
    PipelineParams { depth_test, depth_write: true, ..PipelineParams::default() }
}

fn world_pipeline(card: &mut dyn RenderingBackend) -> Result<Pipeline, ShaderError> {
    let uniforms = [
        ("view", UniformType::Mat4),
        ("sun", UniformType::Mat4),
        ("to_sun", UniformType::Float4),
        ("sunlight", UniformType::Float4),
        ("skylight", UniformType::Float4),
        ("setting", UniformType::Float4),
    ];
    let (vertex, fragment) = (shaders::WORLD_VERTEX, shaders::WORLD_FRAGMENT);
    let shader = shader(card, vertex, fragment, &["map"], &uniforms)?;
    Ok(card.new_pipeline(&[BufferLayout::default()], &FACE, shader, solid()))
}

fn map_pipeline(card: &mut dyn RenderingBackend) -> Result<Pipeline, ShaderError> {
    let (vertex, fragment) = (shaders::MAP_VERTEX, shaders::MAP_FRAGMENT);
    let shader = shader(card, vertex, fragment, &[], &[("view", UniformType::Mat4)])?;
    Ok(card.new_pipeline(&[BufferLayout::default()], &FACE, shader, solid()))
}

fn flat_pipeline(card: &mut dyn RenderingBackend) -> Result<Pipeline, ShaderError> {
    let (vertex, fragment) = (shaders::FLAT_VERTEX, shaders::FLAT_FRAGMENT);
    let shader = shader(card, vertex, fragment, &["sheet"], &[("size", UniformType::Float4)])?;
    let attributes = [
        VertexAttribute::new("position", VertexFormat::Float2),
        VertexAttribute::new("place", VertexFormat::Float2),
        VertexAttribute::new("colour", VertexFormat::Float4),
    ];
    let over = BlendState::new(
        Equation::Add,
        BlendFactor::Value(BlendValue::SourceAlpha),
        BlendFactor::OneMinusValue(BlendValue::SourceAlpha),
    );
    let params = PipelineParams { color_blend: Some(over), ..PipelineParams::default() };
    Ok(card.new_pipeline(&[BufferLayout::default()], &attributes, shader, params))
}
