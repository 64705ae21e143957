//! Draws the package's icon, `package/icon.png`, from `package/icon.svg`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Why there is no icon.
#[derive(Debug, thiserror::Error)]
pub enum NotDrawn {
    /// A file cannot be read or written.
    #[error("{}: {error}", file.display())]
    File {
        /// Which.
        file: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The drawing is not what can be drawn.
    #[error("package/icon.svg: {0}")]
    Drawing(String),
}

/// Draws it in the size that the drawing gives. The same drawing makes the same bytes.
///
/// # Errors
/// The drawing cannot be read or drawn, or the picture not written.
pub fn draw(root: &Path) -> Result<(), NotDrawn> {
    let (svg, png) = (root.join("package/icon.svg"), root.join("package/icon.png"));
    let text = fs::read(&svg).map_err(|error| NotDrawn::File { file: svg, error })?;
    let tree = Tree::from_data(&text, &Options::default())
        .map_err(|error| NotDrawn::Drawing(error.to_string()))?;
    let size = tree.size().to_int_size();
    let pixels = Pixmap::new(size.width(), size.height());
    let mut pixels = pixels.ok_or_else(|| NotDrawn::Drawing("it has no size".to_owned()))?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    let bytes = pixels.encode_png().map_err(|error| NotDrawn::Drawing(error.to_string()))?;
    fs::write(&png, bytes).map_err(|error| NotDrawn::File { file: png, error })
}
