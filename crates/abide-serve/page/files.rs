// Written by the build of page/.
[
    File { path: "/assets/dist-BNyE_zEX.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/dist-BNyE_zEX.js"), brotli: include_bytes!("assets/dist-BNyE_zEX.js.br") },
    File { path: "/assets/icon-CPu80POC.svg", media_type: "image/svg+xml", bytes: include_bytes!("assets/icon-CPu80POC.svg"), brotli: include_bytes!("assets/icon-CPu80POC.svg.br") },
    File { path: "/assets/index-9R3nbafH.js", media_type: "text/javascript; charset=utf-8", bytes: include_bytes!("assets/index-9R3nbafH.js"), brotli: include_bytes!("assets/index-9R3nbafH.js.br") },
    File { path: "/assets/index-ChgcmEDL.css", media_type: "text/css; charset=utf-8", bytes: include_bytes!("assets/index-ChgcmEDL.css"), brotli: include_bytes!("assets/index-ChgcmEDL.css.br") },
    File { path: "/", media_type: "text/html; charset=utf-8", bytes: include_bytes!("index.html"), brotli: include_bytes!("index.html.br") },
]
