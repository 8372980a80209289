import { defineConfig } from 'vite';

// The built files are part of the crate, so that `cargo install` needs no Node.
export default defineConfig({
  base: './',
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
