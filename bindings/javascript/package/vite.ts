/** The plug-in for Vite. */

import { BuildError, type BuildOptions, type Shown, checkSite } from './build.js';

export { type BuildOptions, BuildError } from './build.js';

/** Frameworks that write files after Vite has ended: what their plug-ins are called, and what to use in them. */
const FRAMEWORKS: readonly [string, string, string][] = [
  ['astro:', 'Astro', "use the integration of 'abide-robots/astro'"],
  ['nuxt:', 'Nuxt', 'run `nuxt build && abide-robots lint .output/public/robots.txt`'],
];

/** What the plug-in reads of a configuration. */
interface Config {
  root: string;
  base: string;
  build: { outDir: string; ssr: unknown; watch: unknown };
}

/** What the plug-in is to Vite. */
export interface VitePlugin {
  name: string;
  apply: 'build';
  configResolved(config: Config & { plugins: readonly { name: string }[] }): void;
  closeBundle: {
    order: 'post';
    sequential: true;
    /** Vite 6 and newer have an environment for each half of a site, each with a folder. */
    handler(this: Shown & { environment?: { config: Config & { consumer?: string } } }, error?: unknown): void;
  };
}

/** Checks the robots.txt of the site at the end of `vite build`, which fails on mistakes. */
export default function robots(options?: BuildOptions): VitePlugin {
  let whole: Config | undefined;
  return {
    name: 'abide-robots',
    apply: 'build',
    configResolved(config) {
      const framework = FRAMEWORKS.find(([prefix]) => config.plugins.some(({ name }) => name.startsWith(prefix)));
      if (framework) {
        throw new Error(`${framework[1]} writes files after Vite has ended, so this plug-in cannot check the site: ${framework[2]}`);
      }
      whole = config;
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler(error) {
        const config = this.environment?.config ?? whole;
        const isServer = this.environment?.config.consumer === 'server';
        // The server's half of a site has no robots.txt.
        if (config === undefined || error !== undefined || isServer || config.build.ssr) return;
        const { outDir, watch } = config.build;
        try {
          checkSite(isAbsolute(outDir) ? outDir : `${config.root}/${outDir}`, config.base, options, this);
        } catch (mistake) {
          // Rolldown ends a watch without a word, and the author may be about to correct the file.
          if (!watch || !(mistake instanceof BuildError)) throw mistake;
          this.warn(mistake.message);
        }
      },
    },
  };
}

function isAbsolute(path: string): boolean {
  return /^(\/|[A-Za-z]:|\\\\)/.test(path);
}
