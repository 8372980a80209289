// Written by the build of page/.
[
    File { path: "/assets/dist-DWz8ydMl.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-DWz8ydMl.js") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg") },
    File { path: "/assets/index-8Urr0113.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-8Urr0113.js") },
    File { path: "/assets/index-ChgcmEDL.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-ChgcmEDL.css") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html") },
]
