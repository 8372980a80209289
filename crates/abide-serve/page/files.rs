// Written by the build of page/.
[
    File { path: "/assets/dist-Cd2QznFc.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-Cd2QznFc.js") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg") },
    File { path: "/assets/index-2QwPS-X2.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-2QwPS-X2.js") },
    File { path: "/assets/index-CioMYvwF.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-CioMYvwF.css") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html") },
]
