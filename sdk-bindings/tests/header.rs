//! The header and the Rust types are the same interface: the same structs, fields, types, sizes,
//! offsets and constants, as a C compiler and a C++ compiler see them.

mod common;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;

use common::{Language, compile, folder, include_dir};
use sdk_bindings::{CONSTANTS, ENTRY_SYMBOL, FieldKind, LAYOUTS};

/// A type written in Rust, written in C around a declared name.
fn declare(rust: &str, name: &str) -> String {
    let rust = rust.trim();
    if let Some(array) = rust.strip_prefix('[').and_then(|r| r.strip_suffix(']')) {
        let (element, count) = array.split_once(';').expect("an array has a count");
        let count = count.trim();
        let count = if count.chars().all(|c| c.is_ascii_digit()) {
            count.to_owned()
        } else {
            format!("OPENRAC_{count}")
        };
        return declare(element, &format!("({name})[{count}]"));
    }
    if let Some(pointee) = rust.strip_prefix("*const ") {
        return format!("const {}", declare(pointee, &format!("*{name}")));
    }
    if let Some(pointee) = rust.strip_prefix("*mut ") {
        return declare(pointee, &format!("*{name}"));
    }
    let c = match rust {
        "u8" => "uint8_t",
        "u16" => "uint16_t",
        "u32" => "uint32_t",
        "u64" => "uint64_t",
        "i16" => "int16_t",
        "i32" => "int32_t",
        "f32" => "float",
        "usize" => "size_t",
        "c_char" => "char",
        "c_void" | "" => "void",
        own if own.starts_with("Openrac") => own,
        other => panic!("no C type is known for {other}"),
    };
    format!("{c} {name}")
}

/// A C declaration of a pointer to a field of that kind.
fn declare_pointer(kind: FieldKind) -> String {
    match kind {
        FieldKind::Data(rust) => declare(rust, "*field"),
        FieldKind::Call { args, answer } => {
            let mut list = vec!["void *".to_owned()];
            list.extend(args.iter().map(|arg| declare(arg, "")));
            declare(answer, &format!("(**field)({})", list.join(", ")))
        }
    }
}

/// A program that compiles only if every field has the type it has in Rust, and prints what the
/// compiler makes of the rest.
fn probe() -> String {
    let mut c =
        String::from("#include <stdio.h>\n#include \"openrac_mod.h\"\n\nint main(void) {\n");
    let print = |c: &mut String, key: &str, value: &str| {
        writeln!(c, "    printf(\"{key} %lld\\n\", (long long)({value}));")
            .expect("a String grows");
    };
    for layout in LAYOUTS {
        let name = layout.name;
        print(&mut c, &format!("{name} size"), &format!("sizeof({name})"));
        let align = format!("offsetof(struct {{ char c; {name} value; }}, value)");
        if !cfg!(target_env = "msvc") {
            let cpp = format!("alignof({name})");
            writeln!(c, "#ifdef __cplusplus").expect("a String grows");
            print(&mut c, &format!("{name} align"), &cpp);
            writeln!(c, "#else").expect("a String grows");
            print(&mut c, &format!("{name} align"), &align);
            writeln!(c, "#endif").expect("a String grows");
        }
        for field in layout.fields {
            let path = format!("{name}.{}", field.name);
            let at = format!("offsetof({name}, {})", field.name);
            print(&mut c, &format!("{path} offset"), &at);
            print(
                &mut c,
                &format!("{path} size"),
                &format!("sizeof((({name} *)0)->{})", field.name),
            );
            writeln!(
                c,
                "    {{ static {name} value; {} = &value.{}; (void)field; }}",
                declare_pointer(field.kind),
                field.name
            )
            .expect("a String grows");
        }
    }
    for (name, _) in CONSTANTS {
        print(&mut c, name, name);
    }
    c.push_str(
        "    { void (*done)(void *, uint8_t) = (OpenracPromptDone)0; (void)done; }\n    \
         { int32_t (*entry)(const OpenracHost *, OpenracMod *) = (OpenracModEntry)0; (void)entry; }\n    \
         puts(OPENRAC_ENTRY_SYMBOL);\n    return 0;\n}\n",
    );
    c
}

fn expected() -> Vec<String> {
    let mut lines = Vec::new();
    for layout in LAYOUTS {
        lines.push(format!("{} size {}", layout.name, layout.size));
        if !cfg!(target_env = "msvc") {
            lines.push(format!("{} align {}", layout.name, layout.align));
        }
        for field in layout.fields {
            let path = format!("{}.{}", layout.name, field.name);
            lines.push(format!("{path} offset {}", field.offset));
            lines.push(format!("{path} size {}", field.size));
        }
    }
    lines.extend(CONSTANTS.iter().map(|(name, value)| format!("{name} {value}")));
    lines.push(ENTRY_SYMBOL.to_owned());
    lines
}

fn check(language: Language, name: &str) {
    let Some(program) = compile(language, &folder(name), "probe", &probe(), false) else {
        eprintln!("no such compiler here: not checked");
        return;
    };
    let output = Command::new(program).output().expect("the compiled program runs");
    let printed = String::from_utf8(output.stdout).expect("the program prints ASCII");
    let printed: Vec<&str> = printed.lines().collect();
    let expected = expected();
    for (in_rust, in_c) in expected.iter().zip(&printed) {
        assert_eq!(in_rust, in_c, "the Rust type (left) and the header (right) differ");
    }
    assert_eq!(expected.len(), printed.len());
}

#[test]
fn a_c_compiler_sees_the_layout_that_rust_has() {
    check(Language::C, "header-c");
}

#[test]
fn a_cpp_compiler_sees_the_layout_that_rust_has() {
    check(Language::Cpp, "header-cpp");
}

/// The header without its comments.
fn header() -> String {
    let text = std::fs::read_to_string(include_dir().join("openrac_mod.h")).expect("it is there");
    let mut bare = String::new();
    let mut rest = text.as_str();
    while let Some((before, comment)) = rest.split_once("/*") {
        bare.push_str(before);
        rest = comment.split_once("*/").expect("each comment ends").1;
    }
    bare + rest
}

/// The name a field's declaration declares.
fn declared_name(declaration: &str) -> String {
    let named = match declaration.split_once("(*") {
        Some((_, call)) => call.split(')').next().expect("split gives one"),
        None => declaration.split('[').next().expect("split gives one"),
    };
    let word = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    named.trim().rsplit(word).next().expect("rsplit gives one").to_owned()
}

#[test]
fn the_header_has_no_struct_and_no_field_that_rust_lacks() {
    let header = header();
    let mut in_c = BTreeMap::new();
    let mut rest = header.as_str();
    while let Some((_, after)) = rest.split_once("typedef struct ") {
        let (name, after) = after.split_once('{').expect("a struct has a body");
        let (body, after) = after.split_once('}').expect("a body ends");
        let mut fields: Vec<String> = body.split(';').map(declared_name).collect();
        assert_eq!(fields.pop().as_deref(), Some(""), "a body ends with a semicolon");
        in_c.insert(name.trim().to_owned(), fields);
        rest = after;
    }
    let in_rust: BTreeMap<String, Vec<String>> = LAYOUTS
        .iter()
        .map(|l| (l.name.to_owned(), l.fields.iter().map(|f| f.name.to_owned()).collect()))
        .collect();
    assert_eq!(in_rust, in_c);
}

#[test]
fn the_header_has_no_constant_that_rust_lacks() {
    let header = header();
    let mut in_c: Vec<&str> = header
        .lines()
        .filter_map(|line| line.strip_prefix("#define "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| !matches!(*name, "OPENRAC_MOD_H" | "OPENRAC_ENTRY_SYMBOL"))
        .collect();
    let mut in_rust: Vec<&str> = CONSTANTS.iter().map(|(name, _)| *name).collect();
    in_c.sort_unstable();
    in_rust.sort_unstable();
    assert_eq!(in_rust, in_c);
}
