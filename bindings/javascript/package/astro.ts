/** The integration for Astro. */

import { type BuildOptions, type Shown, checkSite } from './build.js';

export { type BuildOptions, BuildError } from './build.js';

/** What the integration is to Astro. */
export interface AstroIntegration {
  name: string;
  hooks: {
    'astro:config:done'(done: { config: { base: string } }): void;
    'astro:build:done'(built: { dir: URL; logger: Shown }): void;
  };
}

/** Checks the robots.txt of the site at the end of `astro build`, which fails on mistakes. */
export default function robots(options?: BuildOptions): AstroIntegration {
  let base = '/';
  return {
    name: 'abide-robots',
    hooks: {
      'astro:config:done': ({ config }) => void ({ base } = config),
      'astro:build:done': ({ dir, logger }) => checkSite(dir, base, options, logger),
    },
  };
}
