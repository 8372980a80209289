// Written by the build of page/.
[
    File { path: "/assets/dist-9Qqk-u21.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-9Qqk-u21.js") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg") },
    File { path: "/assets/index-DFMX64bV.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-DFMX64bV.css") },
    File { path: "/assets/index-DdaJTvIV.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-DdaJTvIV.js") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html") },
]
