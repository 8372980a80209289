// @ts-expect-error: types of Node would be seen in the page too.
import { createRequire } from 'node:module';
import { build, defineConfig, type Plugin, type Rolldown } from 'vite';

const require = createRequire(import.meta.url);
const { readFileSync, writeFileSync } = require('node:fs');
const { createHash } = require('node:crypto');
const { gzipSync } = require('node:zlib');
const { env } = require('node:process');
// As a module it fetches its own code, which Node cannot do with a file.
const { compress } = require('brotli-wasm') as Awaited<typeof import('brotli-wasm').default>;

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8', js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml',
};

/** The licences of what is bundled, for who passes the page on. */
const LICENCES = 'licences.md';

const isServed = (name: string): boolean => name !== 'files.rs' && name !== LICENCES;

/** Writes the list of files that the crate serves, and compresses each. Node's own Brotli differs between its versions. */
function list(): Plugin {
  return {
    name: 'list',
    enforce: 'post',
    generateBundle(_, bundle) {
      const rows = Object.keys(bundle).filter(isServed).sort().map((name) => {
        const type = TYPES[name.split('.').at(-1)!];
        if (!type) this.error(`no media type for ${name}`);
        const path = name === 'index.html' ? '/' : `/${name}`;
        return `    File { path: ${JSON.stringify(path)}, media_type: ${JSON.stringify(type)}, bytes: include_bytes!(${JSON.stringify(name)}), brotli: include_bytes!(${JSON.stringify(`${name}.br`)}) },\n`;
      });
      this.emitFile({ type: 'asset', fileName: 'files.rs', source: `// Written by the build of page/.\n[\n${rows.join('')}]\n` });
    },
    // Plug-ins that run later still change what is in a bundle.
    writeBundle({ dir }, bundle) {
      for (const name of Object.keys(bundle).filter(isServed)) {
        writeFileSync(`${dir}/${name}.br`, compress(readFileSync(`${dir}/${name}`), { quality: 11 }));
      }
    },
  };
}

/** What the page without a service may do. It connects to nothing, and `file:` pages load only classic scripts. */
const POLICY = [
  "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "img-src 'self'", 'worker-src blob:', "base-uri 'none'",
  "form-action 'none'", "require-trusted-types-for 'script'", 'trusted-types abide',
].join('; ');

/** A script with the worker and the module, of which the page knows the address. */
function module(isStatic: boolean): Plugin {
  const id = '\0virtual:module';
  return {
    name: 'module',
    resolveId: (name) => (name === 'virtual:module' ? id : undefined),
    async load(name) {
      if (name !== id) return undefined;
      if (!isStatic) return "export const moduleUrl = '';";
      const { ABIDE_MODULE: file } = env;
      if (!file) this.error('ABIDE_MODULE names no file: .ci/javascript page builds the module, and then this');
      const module = gzipSync(readFileSync(file), { level: 9 }).toString('base64');
      const source = `abideModule=${JSON.stringify({ worker: await workerText(), module })}\n`;
      const fileName = `assets/module-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`;
      this.emitFile({ type: 'asset', fileName, source });
      return `export const moduleUrl = ${JSON.stringify(`./${fileName}`)};`;
    },
    // Rolldown's own form for classic scripts makes Vite put styles into them. They have no `import.meta`, which
    // only the code that loads parts uses, and there is one part.
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (isStatic && chunk.type === 'chunk') chunk.code = `(() => {\n${chunk.code.replaceAll('import.meta', '({})')}})();\n`;
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) => (isStatic ? html
        .replace('<html ', '<html data-static ')
        .replace('<meta charset="utf-8">', `$&\n  <meta http-equiv="content-security-policy" content="${POLICY}">`)
        .replace('<script type="module" crossorigin', '<script defer')
        .replace('<link rel="stylesheet" crossorigin', '<link rel="stylesheet"') : html),
    },
  };
}

async function workerText(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, target: 'es2022', rolldownOptions: { input: 'src/worker.ts', output: { format: 'iife' } } },
  }) as Rolldown.RolldownOutput;
  return built.output[0].code;
}

// Two pages of one source. That of the service is part of the crate, so that `cargo install` needs no Node. The
// static one works from any host and from `file:`.
export default defineConfig(({ mode }) => ({
  // The page can lie below any path.
  base: './',
  // For work on the page, beside `abide serve`.
  server: { proxy: { '/v1': 'http://127.0.0.1:8080' } },
  plugins: [module(mode === 'static'), ...(mode === 'static' ? [] : [list()])],
  build: {
    outDir: mode === 'static' ? '../target/static-page' : '../crates/abide-serve/page',
    emptyOutDir: true,
    license: { fileName: LICENCES },
    target: 'es2022',
    // The first browsers with light-dark().
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    ...(mode === 'static' ? { rolldownOptions: { output: { codeSplitting: false } } } : {}),
  },
}));
