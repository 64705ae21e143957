//! Links the library so that it stays mapped after it is unloaded: a thread-local destructor, or a name
//! look-up that the system has not answered, may still run its code.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo::rustc-link-arg-cdylib=-Wl,-z,nodelete");
    }
}
