// Written by the build of page/.
[
    File { path: "/assets/dist-D8ob7_qz.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-D8ob7_qz.js") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg") },
    File { path: "/assets/index-Bbdiwayb.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-Bbdiwayb.js") },
    File { path: "/assets/index-CRxQCmqr.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-CRxQCmqr.css") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html") },
]
