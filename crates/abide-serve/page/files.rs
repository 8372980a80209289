// Written by the build of page/.
[
    File { path: "/assets/dist-BOI8fy0Y.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-BOI8fy0Y.js") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg") },
    File { path: "/assets/index-B7hOIpJW.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-B7hOIpJW.css") },
    File { path: "/assets/index-l4bsiN18.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-l4bsiN18.js") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html") },
]
