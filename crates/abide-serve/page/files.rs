// Written by the build of page/.
[
    File { path: "/assets/dist-0p5fC5Eu.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-0p5fC5Eu.js") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg") },
    File { path: "/assets/index-oM__F4vD.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-oM__F4vD.css") },
    File { path: "/assets/index-ybfqSSOy.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-ybfqSSOy.js") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html") },
]
