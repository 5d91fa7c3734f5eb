//! Sets the linker flags of a Node add-on.

fn main() {
    napi_build::setup();
}
