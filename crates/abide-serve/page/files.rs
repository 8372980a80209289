// Written by the build of page/.
[
    File { path: "/assets/dist-BW76wgIi.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-BW76wgIi.js") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg") },
    File { path: "/assets/index-Bv8y0I1Z.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-Bv8y0I1Z.css") },
    File { path: "/assets/index-DfLRpVba.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-DfLRpVba.js") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html") },
]
