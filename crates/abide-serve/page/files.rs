// Written by the build of page/.
[
    File { path: "/assets/dist-CjHjR4eN.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-CjHjR4eN.js") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg") },
    File { path: "/assets/index-0F3La_3B.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-0F3La_3B.js") },
    File { path: "/assets/index-DzrFFAtS.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-DzrFFAtS.css") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html") },
]
