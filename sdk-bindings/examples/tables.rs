//! Prints the interface as it lies in memory: every struct, and each of its values and calls with the
//! offset where C and Rust both find it.
//!
//! ```sh
//! cargo run -p sdk-bindings --example tables              # all of them
//! cargo run -p sdk-bindings --example tables -- hooks     # those with that in their name
//! ```

use std::process::ExitCode;

use sdk_bindings::{ENTRY_SYMBOL, FieldKind, LAYOUTS, Layout, VERSION_MAJOR, VERSION_MINOR};

fn main() -> ExitCode {
    let wanted = std::env::args().nth(1).unwrap_or_default().to_lowercase();
    let named: Vec<&Layout> =
        LAYOUTS.iter().filter(|layout| layout.name.to_lowercase().contains(&wanted)).collect();
    if named.is_empty() {
        let names: Vec<&str> = LAYOUTS.iter().map(|layout| layout.name).collect();
        eprintln!("no struct has {wanted:?} in its name; there are {}", names.join(", "));
        return ExitCode::from(2);
    }
    println!("interface {VERSION_MAJOR}.{VERSION_MINOR}; a mod exports {ENTRY_SYMBOL}");
    named.into_iter().for_each(print);
    ExitCode::SUCCESS
}

fn print(layout: &Layout) {
    println!("\n{}: {} bytes, aligned to {}", layout.name, layout.size, layout.align);
    for field in layout.fields {
        let (offset, name) = (field.offset, field.name);
        match field.kind {
            FieldKind::Data(kind) => println!("{offset:5}  {name}: {kind}"),
            FieldKind::Call { args, answer } => {
                let answer = if answer.is_empty() { "nothing" } else { answer };
                println!("{offset:5}  {name}({}) answers {answer}", args.join(", "));
            }
        }
    }
}
