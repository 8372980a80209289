// Written by the build of page/.
[
    File { path: "/assets/dist-BmeJ2I2q.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-BmeJ2I2q.js") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg") },
    File { path: "/assets/index-BMineD-E.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-BMineD-E.js") },
    File { path: "/assets/index-HtziVyK_.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-HtziVyK_.css") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html") },
]
