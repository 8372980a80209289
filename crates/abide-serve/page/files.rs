// Written by the build of page/.
[
    File { path: "/assets/dist-CrONH6l0.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-CrONH6l0.js"), brotli: include_bytes!("assets/dist-CrONH6l0.js.br") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg"), brotli: include_bytes!("assets/icon-CPu80POC.svg.br") },
    File { path: "/assets/index-6fpopdHN.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-6fpopdHN.css"), brotli: include_bytes!("assets/index-6fpopdHN.css.br") },
    File { path: "/assets/index-DYMEqgQ-.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-DYMEqgQ-.js"), brotli: include_bytes!("assets/index-DYMEqgQ-.js.br") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html"), brotli: include_bytes!("index.html.br") },
]
