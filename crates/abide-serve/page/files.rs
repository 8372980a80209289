// Written by the build of page/.
[
    File { path: "/assets/dist-CofmZJHS.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-CofmZJHS.js") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg") },
    File { path: "/assets/index-CLCq6ktI.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-CLCq6ktI.css") },
    File { path: "/assets/index-TGZsNeHh.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-TGZsNeHh.js") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html") },
]
