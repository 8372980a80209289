//! What is made from the types of the contract is what the repository has.

use std::fs;
use std::path::Path;

/// `ABIDE_BLESS=1` writes the files.
#[test]
fn the_schemas_are_those_of_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema");
    for (name, schema) in abide_contract::schema::files() {
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        let path = folder.join(name);
        if std::env::var_os("ABIDE_BLESS").is_some() {
            fs::write(&path, &text).unwrap();
        }
        assert!(
            fs::read_to_string(&path).is_ok_and(|file| file == text),
            "schema/{name} is not up to date: run this test with ABIDE_BLESS=1"
        );
    }
}
