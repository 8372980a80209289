// @ts-expect-error: types of Node would be seen in the page too.
import { createRequire } from 'node:module';
import { defineConfig, type Plugin } from 'vite';

const require = createRequire(import.meta.url);
const { readFileSync, writeFileSync } = require('node:fs');
// As a module it fetches its own code, which Node cannot do with a file.
const { compress } = require('brotli-wasm') as Awaited<typeof import('brotli-wasm').default>;

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8', js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml',
};

/** Writes the list of files that the crate serves, and compresses each. Node's own Brotli differs between its versions. */
function list(): Plugin {
  return {
    name: 'list',
    generateBundle(_, bundle) {
      const rows = Object.keys(bundle).sort().map((name) => {
        const type = TYPES[name.split('.').at(-1)!];
        if (!type) this.error(`no media type for ${name}`);
        const path = name === 'index.html' ? '/' : `/${name}`;
        return `    File { path: ${JSON.stringify(path)}, media_type: ${JSON.stringify(type)}, bytes: include_bytes!(${JSON.stringify(name)}), brotli: include_bytes!(${JSON.stringify(`${name}.br`)}) },\n`;
      });
      this.emitFile({ type: 'asset', fileName: 'files.rs', source: `// Written by the build of page/.\n[\n${rows.join('')}]\n` });
    },
    // Plug-ins that run later still change what is in a bundle.
    writeBundle({ dir }, bundle) {
      for (const name of Object.keys(bundle).filter((name) => name !== 'files.rs')) {
        writeFileSync(`${dir}/${name}.br`, compress(readFileSync(`${dir}/${name}`), { quality: 11 }));
      }
    },
  };
}

// The built files are part of the crate, so that `cargo install` needs no Node.
export default defineConfig({
  // The page can lie below any path.
  base: './',
  // For work on the page, beside `abide serve`.
  server: { proxy: { '/v1': 'http://127.0.0.1:8080' } },
  plugins: [{ ...list(), enforce: 'post' }],
  build: {
    outDir: '../crates/abide-serve/page',
    emptyOutDir: true,
    target: 'es2022',
    // The first browsers with light-dark().
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
