//! Settings from file, environment and flags.

use abide_serve::Config;
use std::ffi::OsString;

fn environment(pairs: &[(&str, &str)]) -> Result<Config, abide_serve::ConfigError> {
    let pairs = pairs
        .iter()
        .map(|(name, value)| (OsString::from(name), OsString::from(value)));
    Config::from_environment(pairs)
}

#[test]
fn the_environment_counts_before_the_file_and_flags_before_both() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("abide-serve.toml");
    std::fs::write(
        &path,
        "listen = \"127.0.0.1:1\"\nmax-body = 5000\nmemory = 7\n",
    )
    .unwrap();
    let file = Config::from_file(&path).unwrap();
    let environment = environment(&[
        ("ABIDE_SERVE_LISTEN", "127.0.0.1:2"),
        ("ABIDE_SERVE_MEMORY", "8"),
        ("ABIDE_SERVE_OFFLINE", "true"),
        ("ABIDE_SERVE_CACHE_KEY", "1:a,2:b"),
        ("ABIDE_SERVE_USER_AGENT", "123"),
        ("PATH", "/bin"),
    ])
    .unwrap();
    let flags = Config {
        listen: Some("127.0.0.1:3".to_owned()),
        ..Config::default()
    };
    let config = flags.or(environment).or(file);
    assert_eq!(config.listen.as_deref(), Some("127.0.0.1:3"));
    assert_eq!((config.memory, config.max_body), (Some(8), Some(5_000)));
    assert_eq!(config.user_agent.as_deref(), Some("123"));
    assert_eq!(config.cache_key.as_ref().unwrap().len(), 2);
    // What is printed is a file with the same meaning.
    std::fs::write(&path, config.to_toml()).unwrap();
    assert_eq!(Config::from_file(&path).unwrap(), config);
}

#[test]
fn mistakes_say_what_and_where() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("abide-serve.toml");
    for (text, expected) in [
        (
            "listen = 8080\n",
            &["abide-serve.toml", "line 1", "invalid type"][..],
        ),
        (
            "max-bodi = 1\n",
            &["line 1", "unknown setting max-bodi; did you mean max-body?"],
        ),
        (
            "grace = 1\nfrobnicate = 1\n",
            &[
                "line 2",
                "frobnicate; abide serve --print-config prints all settings",
            ],
        ),
        (
            "grace = 1\nmax-body = \"4M\"\n",
            &["line 2", "string \"4M\", expected a whole number of bytes"],
        ),
        ("grace = 0.5", &["expected a whole number of seconds"]),
        ("memory = -1", &["expected a whole number of MiB"]),
        ("rate = true", &["expected a whole number"]),
        ("x", &["line 1"]),
        ("log-format = \"xml\"", &["unknown variant `xml`"]),
    ] {
        std::fs::write(&path, text).unwrap();
        let error = Config::from_file(&path).unwrap_err().to_string();
        for part in expected {
            assert!(error.contains(part), "{part} is not in {error}");
        }
    }
    let error = environment(&[("ABIDE_SERVE_MAX_BODY", "big")])
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("ABIDE_SERVE_MAX_BODY")
            && error.contains("expected a whole number of bytes"),
        "{error}"
    );
    let error = environment(&[("ABIDE_SERVE_MAX_BODIES", "1")])
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("ABIDE_SERVE_MAX_BODIES") && error.contains("did you mean max-body?"),
        "{error}"
    );
    let missing = Config::from_file(&folder.path().join("none.toml"))
        .unwrap_err()
        .to_string();
    assert!(missing.contains("none.toml") && missing.contains("--config takes a TOML file"));
}

#[test]
fn settings_are_checked_before_anything_listens() {
    let with = |change: fn(&mut Config)| {
        let mut config = Config::default();
        change(&mut config);
        config
            .checked()
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    assert_eq!(with(|_| {}), Ok(()));
    let listen = |address: &str| Config {
        listen: Some(address.to_owned()),
        ..Config::default()
    };
    assert!(
        listen("localhost")
            .checked()
            .unwrap_err()
            .to_string()
            .contains("127.0.0.1:8080")
    );
    // Everybody could let the service fetch.
    let open = listen("0.0.0.0:8080").checked().unwrap_err().to_string();
    for part in ["tokens", "offline", "allow-anonymous"] {
        assert!(open.contains(part), "{open}");
    }
    for safe in [
        Config {
            offline: Some(true),
            ..listen("[::]:8080")
        },
        Config {
            tokens: Some("t".into()),
            ..listen("0.0.0.0:8080")
        },
        Config {
            allow_anonymous: Some(true),
            ..listen("0.0.0.0:8080")
        },
        listen("[::1]:8080"),
    ] {
        assert!(safe.checked().is_ok());
    }
    for (change, part) in [
        (
            (|config| config.max_body = Some(0)) as fn(&mut Config),
            "max-body",
        ),
        (|config| config.max_head = Some(100), "max-head"),
        (|config| config.request_timeout = Some(0), "request-timeout"),
        (|config| config.max_requests = Some(0), "max-requests"),
        (|config| config.concurrency = Some(0), "concurrency"),
        (|config| config.log = Some("loud".to_owned()), "in log"),
        (|config| config.cache = Some(String::new()), "in cache"),
        (
            |config| config.cache_key = Some(vec!["k".to_owned()]),
            "cache-key",
        ),
        (
            |config| config.cache = Some("redis:/u:secret@h".to_owned()),
            "in cache",
        ),
    ] {
        let error = with(change).unwrap_err();
        assert!(error.contains(part) && !error.contains("secret"), "{error}");
    }
}

#[test]
fn defaults_are_settings_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("abide-serve.toml");
    let authz = Some(folder.path().to_owned());
    for given in [
        Config::default(),
        Config {
            authz,
            rate: Some(7),
            ..Config::default()
        },
    ] {
        let whole = given.with_defaults().unwrap();
        std::fs::write(&path, whole.to_toml()).unwrap();
        let read = Config::from_file(&path).unwrap();
        assert_eq!(read, whole);
        let (of_file, of_given) = (read.checked().unwrap(), given.checked().unwrap());
        assert_eq!(format!("{of_file:?}"), format!("{of_given:?}"));
    }
}

#[test]
fn passwords_are_not_printed() {
    let config = Config {
        cache: Some("rediss://abide:secret@cache.internal/0".to_owned()),
        ..Config::default()
    };
    let text = config.to_toml();
    assert!(
        text.contains("rediss://abide:***@cache.internal/0"),
        "{text}"
    );
}
