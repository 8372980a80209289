//! Settings from file, environment and flags.

use abide_serve::{Config, Ports, Setting, SettingKind, settings};
use abide_testkit::generated::assert_part_up_to_date;
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
        ("ABIDE_SERVE_PORTS", "80, 8080"),
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
    assert_eq!(config.ports, Some(Ports::Only(vec![80, 8_080])));
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
            &[
                "abide-serve.toml",
                "line 1, column 10, listen: expected a string, but found an integer",
            ][..],
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
            &[
                "line 2",
                "max-body: expected a whole number of bytes, but found a string",
            ],
        ),
        ("grace = 0.5", &["expected a whole number of seconds"]),
        ("memory = -1", &["expected a whole number of MiB"]),
        ("rate = true", &["expected a whole number"]),
        ("x", &["line 1"]),
        (
            "log-format = \"xml\"",
            &["log-format: expected `text` or `json`"],
        ),
        (
            "ports = [80, 70000]",
            &["ports: expected ports from 1 to 65535"],
        ),
        ("ports = []\nports = 80", &["line 2"]),
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
        (
            |config| config.min_delay = Some(2),
            "min-delay has no effect without turns",
        ),
        (
            |config| {
                (config.turns, config.turn_member) = (Some(true), Some("0/2".to_owned()));
            },
            "turn-member has no effect",
        ),
        (
            |config| {
                (config.turns, config.turn_member) = (Some(true), Some("2/2".to_owned()));
            },
            "in turn-member: expected a number and how many there are",
        ),
    ] {
        let error = with(change).unwrap_err();
        assert!(error.contains(part) && !error.contains("secret"), "{error}");
    }
}

#[test]
fn ports_are_a_list_or_any() {
    let ports =
        |value: &str| environment(&[("ABIDE_SERVE_PORTS", value)]).map(|config| config.ports);
    assert_eq!(ports("any").unwrap(), Some(Ports::Any));
    assert_eq!(ports("443").unwrap(), Some(Ports::Only(vec![443])));
    for wrong in ["", "0", "65536", "80;443", "all", "80,any"] {
        let error = ports(wrong).unwrap_err().to_string();
        assert!(
            error.contains("expected ports from 1 to 65535"),
            "{wrong}: {error}"
        );
    }
    let checked = |ports, allow_private| {
        let config = Config {
            ports,
            allow_private,
            ..Config::default()
        };
        config.checked().map(|settings| settings.ports)
    };
    assert_eq!(checked(None, None).unwrap(), Ports::Only(vec![80, 443]));
    assert_eq!(checked(None, Some(true)).unwrap(), Ports::Any);
    let mail = || Some(Ports::Only(vec![80, 25]));
    let error = checked(mail(), None).unwrap_err().to_string();
    assert!(error.contains("in ports: port 25"), "{error}");
    assert!(
        checked(mail(), Some(true)).is_ok() && checked(Some(Ports::Only(vec![])), None).is_err()
    );
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

/// G-53: a line of the settings or of the tokens can have a password, wherever it is. Whatever is
/// wrong with the line, the message has its place and its key alone.
#[test]
fn g_53_no_error_shows_what_a_line_has() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("abide-serve.toml");
    let secret = "redis://u:sEkret@h";
    let mut texts: Vec<String> = [
        "cache = [\"SECRET\"]",
        "cache = \"SECRET",
        "cache = 'SECRET",
        "cache = SECRET",
        "cache = \"SECRET\" \"SECRET\"",
        "cache = \"SECRET\"\ncache = \"SECRET\"",
        "cache = { a = \"SECRET\" }",
        "cache \"SECRET\"",
        "\"SECRET\" = 1",
        "\"SECRET\"",
        "SECRET = 1",
        "SECRET",
        "[SECRET]",
        "[\"SECRET\"]",
        "cache.\"SECRET\" = 1",
        "cache = \"\\q SECRET\"",
        "grace = 1\ncache = \"\"\"SECRET",
        "cache = \"\\u{7}SECRET\u{1}\"",
    ]
    .into_iter()
    .map(|text| text.replace("SECRET", secret))
    .collect();
    // Any setting can get the value of another one.
    let all = Config::default().with_defaults().unwrap().to_toml();
    for line in all.lines() {
        let (key, _) = line.split_once(" = ").unwrap();
        for value in ["\"SECRET\"", "[\"SECRET\"]", "SECRET", "\"SECRET"] {
            texts.push(format!("{key} = {}", value.replace("SECRET", secret)));
        }
        let name = format!("ABIDE_SERVE_{}", key.to_ascii_uppercase().replace('-', "_"));
        let read = environment(&[(&name, secret)]);
        let error = read.map(|config| config.checked());
        let shown = match error {
            Err(error) => error.to_string(),
            Ok(Err(error)) => error.to_string(),
            Ok(Ok(_)) => String::new(),
        };
        assert!(!shown.contains("sEkret"), "{name}: {shown}");
    }
    for text in &texts {
        std::fs::write(&path, text).unwrap();
        let shown = match Config::from_file(&path) {
            Err(error) => format!("{error}"),
            Ok(config) => config
                .checked()
                .map_or_else(|error| error.to_string(), |_| String::new()),
        };
        assert!(!shown.contains("sEkret"), "{text}: {shown}");
        let tokens = Config {
            tokens: Some(path.clone()),
            ..Config::default()
        };
        let settings = tokens.checked().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let service = runtime
            .unwrap()
            .block_on(abide_serve::Service::new(settings));
        let shown = service.unwrap_err().to_string();
        assert!(!shown.contains("sEkret"), "{text}: {shown}");
    }
}

#[test]
fn passwords_are_not_printed() {
    for cache in [
        "redis://:sEkret@h",
        "redis://u:sEk/ret@h",
        "redis://u:sEkret@h:99999",
        "redis://u:sEkret@[h",
        "unix:///run/valkey.sock?user=u&pass=sEkret",
    ] {
        let config = Config {
            cache: Some(cache.to_owned()),
            ..Config::default()
        };
        let text = config.to_toml();
        assert!(!text.contains("ret"), "{text}");
    }
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

/// A help text in Markdown: flags are settings, and pages are links.
fn markdown(help: &str) -> String {
    let words = help.split(' ').map(|word| {
        let (name, after) =
            match word.find(|c: char| !(c.is_ascii_alphanumeric() || "-/.".contains(c))) {
                Some(end) => word.split_at(end),
                None => (word, ""),
            };
        if let Some(flag) = name.strip_prefix("--") {
            format!("`{flag}`{after}")
        } else if let Some(page) = name.strip_prefix("docs/") {
            format!("[{page}]({page}){after}")
        } else {
            word.to_owned()
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// What a setting takes, for the table.
fn takes(setting: &Setting) -> String {
    let range = setting.range.clone().map(|range| match setting.unit() {
        Some(_) => format!("{} to {}", range.start(), range.end()),
        None => format!("from {}", range.start()),
    });
    match setting.kind {
        SettingKind::Switch => "`true` or `false`".to_owned(),
        SettingKind::OneOf(values) => {
            let names = values.iter().map(|(name, _)| format!("`{name}`"));
            names.collect::<Vec<_>>().join(", ")
        }
        SettingKind::Number => {
            let unit = setting.unit().map(str::to_owned);
            let parts = [unit, range].into_iter().flatten();
            let parts = parts.collect::<Vec<_>>().join(", ");
            if parts.is_empty() {
                "a number".to_owned()
            } else {
                parts
            }
        }
        _ => format!("`{}`", setting.value.replace('|', "\\|")),
    }
}

fn row(setting: &Setting) -> String {
    let default = match (setting.kind, setting.default, setting.default_in_words) {
        (SettingKind::Switch, ..) => "`false`".to_owned(),
        (_, "", "") => "none".to_owned(),
        (_, "", words) => markdown(words),
        (_, value, _) => format!("`{value}`"),
    };
    let meanings = match setting.kind {
        SettingKind::OneOf(values) => {
            let values = values.iter().map(|(name, meaning)| {
                let (first, rest) = meaning.split_at(1);
                format!("`{name}`: {}{rest}", first.to_ascii_lowercase())
            });
            values.collect::<Vec<_>>().join("; ")
        }
        _ => String::new(),
    };
    let sentences = [markdown(setting.help), meanings, setting.note.to_owned()];
    let sentences: Vec<_> = sentences
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect();
    let (name, takes) = (&setting.name, takes(setting));
    format!(
        "| `{name}` | {takes} | {default} | {} |\n",
        sentences.join(". ")
    )
}

/// `ABIDE_BLESS=1` writes the table.
#[test]
fn the_documentation_has_every_setting() {
    let rows: String = settings().iter().map(row).collect();
    let table = format!("| setting | takes | default | meaning |\n|---|---|---|---|\n{rows}");
    assert_part_up_to_date("docs/serve.md", "settings", &table);
}

/// What is printed has every setting that is not off, with the default that the list has.
#[test]
fn what_is_printed_has_every_default() {
    let folder = tempfile::tempdir().unwrap();
    let config = Config {
        cache: Some(folder.path().to_str().unwrap().to_owned()),
        authz: Some(folder.path().to_owned()),
        turns: Some(true),
        ..Config::default()
    };
    let text = config.with_defaults().unwrap().to_toml();
    let printed: toml::Table = text.parse().unwrap();
    for setting in settings() {
        let value = printed.get(&setting.name);
        if setting.kind == SettingKind::Switch {
            assert_eq!(
                value,
                Some(&toml::Value::Boolean(setting.name == "turns")),
                "{}",
                setting.name
            );
        } else if !setting.default.is_empty() {
            let value = value.unwrap_or_else(|| panic!("{} is not in {text}", setting.name));
            let value = value.as_str().map_or(value.to_string(), str::to_owned);
            assert_eq!(value, setting.default, "{}", setting.name);
        }
    }
    assert!(settings().len() > 30 && printed.len() > 30);
}

/// The texts that name the levels of the log agree.
#[test]
fn every_level_of_the_log_is_in_the_help_and_in_the_error() {
    let wrong = Config {
        log: Some("loud".to_owned()),
        ..Config::default()
    };
    let error = wrong.checked().unwrap_err().to_string();
    let log = settings().iter().find(|setting| setting.name == "log");
    let (_, levels) = log.unwrap().help.split_once(": ").unwrap();
    assert!(error.contains(levels), "{error}: {levels}");
    for level in levels
        .split([',', ' '])
        .filter(|word| !["", "or"].contains(word))
    {
        let log = Some(level.to_owned());
        assert!(
            Config {
                log,
                ..Config::default()
            }
            .checked()
            .is_ok(),
            "{level}"
        );
    }
}
