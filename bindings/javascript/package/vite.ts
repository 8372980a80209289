/** The plug-in for Vite. */

import { type BuildOptions, checkBuild } from './build.js';

export { type BuildOptions, BuildError } from './build.js';

/** What the plug-in is to Vite. */
export interface VitePlugin {
  name: string;
  apply: 'build';
  configResolved(config: { root: string; build: { outDir: string; ssr: unknown } }): void;
  closeBundle: { order: 'post'; sequential: true; handler(error?: unknown): void };
}

/** Checks the robots.txt of the site at the end of `vite build`, which fails on mistakes. */
export default function robots(options?: BuildOptions): VitePlugin {
  let folder: string | undefined;
  return {
    name: 'abide-robots',
    apply: 'build',
    configResolved({ root, build }) {
      // The server's half of a site has no robots.txt.
      if (!build.ssr) folder = isAbsolute(build.outDir) ? build.outDir : `${root}/${build.outDir}`;
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler(error) {
        if (folder !== undefined && error === undefined) checkBuild(folder, options);
      },
    },
  };
}

function isAbsolute(path: string): boolean {
  return /^(\/|[A-Za-z]:|\\\\)/.test(path);
}
