// Written by the build of page/.
[
    File { path: "/assets/dist-DMW-xifz.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-DMW-xifz.js") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg") },
    File { path: "/assets/index-CxSZVW3w.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-CxSZVW3w.css") },
    File { path: "/assets/index-hy8MvQm2.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-hy8MvQm2.js") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html") },
]
