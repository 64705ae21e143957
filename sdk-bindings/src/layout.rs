//! How a struct of the interface is declared once and its layout listed with it. Declarations only:
//! nothing here runs but in the test that compares the list with the header.

/// A struct of the interface as the compiler laid it out.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Its name, the same in C.
    pub name: &'static str,
    /// In bytes.
    pub size: usize,
    /// In bytes.
    pub align: usize,
    /// In order.
    pub fields: &'static [Field],
}

/// A field of such a struct.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name, the same in C.
    pub name: &'static str,
    /// From the struct's start, in bytes.
    pub offset: usize,
    /// In bytes.
    pub size: usize,
    /// Its type.
    pub kind: FieldKind,
}

/// The type of a field, as it is written in Rust.
#[derive(Clone, Copy, Debug)]
pub enum FieldKind {
    /// A value.
    Data(&'static str),
    /// A function whose first argument is the owner's `user`.
    Call {
        /// The types of the other arguments, in order.
        args: &'static [&'static str],
        /// Empty for none.
        answer: &'static str,
    },
}

/// Whether every byte of the struct belongs to a field. A byte that does not is left as it was by a
/// struct assignment, so what crosses the boundary has none.
pub(crate) const fn has_no_padding(layout: &Layout) -> bool {
    let mut end = 0;
    let mut i = 0;
    while i < layout.fields.len() {
        if layout.fields[i].offset != end {
            return false;
        }
        end += layout.fields[i].size;
        i += 1;
    }
    end == layout.size
}

/// Declares a `#[repr(C)]` struct of the interface with its `LAYOUT` and its all-zero value `ZERO`.
///
/// A call `fn name(args) -> answer;` is a field of the type `Option<unsafe extern "C" fn ...>` whose
/// first argument is the owner's `user`. The other fields may only be integers, floats, raw pointers,
/// optional functions, and arrays and structs of these: `ZERO` relies on it.
macro_rules! interface_struct {
    (
        $(#[$meta:meta])*
        $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty;)* }
        $(calls { $(
            $(#[$call_meta:meta])*
            fn $call:ident($($arg:ident: $arg_type:ty),* $(,)?) $(-> $answer:ty)?;
        )* })?
    ) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
            $($(
                $(#[$call_meta])*
                pub $call: Option<
                    unsafe extern "C" fn(
                        user: *mut core::ffi::c_void,
                        $($arg: $arg_type),*
                    ) $(-> $answer)?,
                >,
            )*)?
        }

        impl $name {
            /// All zero: no call, no string, no handle.
            // SAFETY: zero is a value of each field: integers, floats, null raw pointers, `None` for an
            // optional function, and arrays and structs of these (see the macro).
            pub const ZERO: Self = unsafe { core::mem::zeroed() };

            /// What the test compares with the header.
            pub const LAYOUT: $crate::Layout = $crate::Layout {
                name: stringify!($name),
                size: core::mem::size_of::<Self>(),
                align: core::mem::align_of::<Self>(),
                fields: &[
                    $($crate::Field {
                        name: stringify!($field),
                        offset: core::mem::offset_of!(Self, $field),
                        size: core::mem::size_of::<$type>(),
                        kind: $crate::FieldKind::Data(stringify!($type)),
                    },)*
                    $($($crate::Field {
                        name: stringify!($call),
                        offset: core::mem::offset_of!(Self, $call),
                        size: core::mem::size_of::<Option<unsafe extern "C" fn()>>(),
                        kind: $crate::FieldKind::Call {
                            args: &[$(stringify!($arg_type)),*],
                            answer: concat!($(stringify!($answer))?),
                        },
                    },)*)?
                ],
            };
        }

        const _: () = assert!(
            $crate::layout::has_no_padding(&$name::LAYOUT),
            concat!(stringify!($name), " has padding: name it"),
        );
    };
}

/// Declares constants of the interface, and `CONSTANTS` with them by the names they have in C.
macro_rules! interface_constants {
    ($($(#[$meta:meta])* $name:ident: $type:ty = $value:expr;)*) => {
        $($(#[$meta])* pub const $name: $type = $value;)*

        /// Every numeric constant of the interface by its name in C, for the test that compares them
        /// with the header.
        #[allow(clippy::cast_possible_wrap, reason = "they are all small")]
        pub const CONSTANTS: &[(&str, i64)] =
            &[$((concat!("OPENRAC_", stringify!($name)), $name as i64),)*];
    };
}
