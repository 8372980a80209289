/** Made by vite.config.ts for the page without a service. */
declare module 'virtual:module' {
  /** Where the script with the module is, from the page. */
  export const moduleUrl: string;
}
