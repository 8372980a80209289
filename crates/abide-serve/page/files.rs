// Written by the build of page/.
[
    File { path: "/assets/dist-BZILHitj.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-BZILHitj.js") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg") },
    File { path: "/assets/index-B831gudv.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-B831gudv.js") },
    File { path: "/assets/index-CxSZVW3w.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-CxSZVW3w.css") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html") },
]
