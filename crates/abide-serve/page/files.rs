// Written by the build of page/.
[
    File { path: "/assets/dist-DZzuBDVQ.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-DZzuBDVQ.js") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg") },
    File { path: "/assets/index-C3dBUogq.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-C3dBUogq.js") },
    File { path: "/assets/index-HtziVyK_.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-HtziVyK_.css") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html") },
]
