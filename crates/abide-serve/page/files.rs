// Written by the build of page/.
[
    File { path: "/assets/dist-Bxw0V5MX.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-Bxw0V5MX.js") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg") },
    File { path: "/assets/index-DEZYMHVT.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-DEZYMHVT.css") },
    File { path: "/assets/index-v-DrhWg8.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-v-DrhWg8.js") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html") },
]
