// Written by the build of page/.
[
    File { path: "/assets/dist-B9eoNRKN.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-B9eoNRKN.js") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg") },
    File { path: "/assets/index-BAYKGZM2.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-BAYKGZM2.js") },
    File { path: "/assets/index-DXGI5f2T.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-DXGI5f2T.css") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html") },
]
