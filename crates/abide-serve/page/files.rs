// Written by the build of page/.
[
    File { path: "/assets/dist-B5cmLunK.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-B5cmLunK.js") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg") },
    File { path: "/assets/index-BMoEfiF_.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-BMoEfiF_.css") },
    File { path: "/assets/index-C2eoPxe2.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-C2eoPxe2.js") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html") },
]
