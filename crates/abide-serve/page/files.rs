// Written by the build of page/.
[
    File { path: "/assets/dist-DFyvjTEn.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-DFyvjTEn.js"), brotli: include_bytes!("assets/dist-DFyvjTEn.js.br") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg"), brotli: include_bytes!("assets/icon-CPu80POC.svg.br") },
    File { path: "/assets/index-6fpopdHN.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-6fpopdHN.css"), brotli: include_bytes!("assets/index-6fpopdHN.css.br") },
    File { path: "/assets/index-DDD12lH2.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-DDD12lH2.js"), brotli: include_bytes!("assets/index-DDD12lH2.js.br") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html"), brotli: include_bytes!("index.html.br") },
]
