// Written by the build of page/.
[
    File { path: "/assets/dist-CRAkslkC.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-CRAkslkC.js") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg") },
    File { path: "/assets/index-Bj969Woo.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-Bj969Woo.css") },
    File { path: "/assets/index-D9KWGBw0.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-D9KWGBw0.js") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html") },
]
