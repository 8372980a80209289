// Written by the build of page/.
[
    File { path: "/assets/dist-BOQBZzm6.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-BOQBZzm6.js") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg") },
    File { path: "/assets/index-BMoEfiF_.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-BMoEfiF_.css") },
    File { path: "/assets/index-NT7gBgBi.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-NT7gBgBi.js") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html") },
]
