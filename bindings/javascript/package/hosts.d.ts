/** What is used of the platforms. */

declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}

declare module 'node:fs' {
  /** 0 is stdin. */
  export function readFileSync(path: URL | string | 0): Uint8Array<ArrayBuffer>;
  export function writeFileSync(path: string, body: Uint8Array): void;
  export function renameSync(from: string, to: string): void;
}

declare module 'node:path' {
  export function join(...parts: string[]): string;
}

declare module 'node:url' {
  export function fileURLToPath(url: string): string;
}

declare module 'node:process' {
  const process: {
    readonly argv: string[];
    exitCode: number;
    readonly stdout: { write(text: string | Uint8Array): void };
    readonly stderr: { write(text: string | Uint8Array): void };
  };
  export default process;
}

declare module 'node:util' {
  export interface Flag {
    type: 'string' | 'boolean';
    short?: string;
  }
  export function parseArgs(of: {
    args: string[];
    options: Record<string, Flag>;
    allowPositionals: true;
  }): { values: Record<string, string | boolean | undefined>; positionals: string[] };
}
