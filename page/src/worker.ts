/** Runs the WebAssembly module beside the page: what it is asked, it answers in turn. */
import { AbideError } from '../../bindings/javascript/package/error';
import { ask, bounded, start } from '../../bindings/javascript/package/module';
import { fromBase64, through } from './bytes';
import type { ToPage, ToWorker } from './messages';

/** What the compiler knows of the scope of a worker. */
const scope = self as unknown as { onmessage: (event: MessageEvent<ToWorker>) => void; postMessage(message: ToPage): void };

scope.onmessage = async ({ data }) => {
  try {
    if ('module' in data) {
      start(await WebAssembly.compile(await through(fromBase64(data.module), new DecompressionStream('gzip')) as BufferSource));
      // A module that cannot be instantiated is no module.
      bounded();
      scope.postMessage({ answer: '' });
    } else {
      scope.postMessage({ answer: ask(data.tool, data.request).text });
    }
  } catch (error) {
    const { code, message, pointer, remedy } = error instanceof AbideError ? error : { code: '', message: String(error), pointer: '', remedy: '' };
    scope.postMessage({ fault: { code, detail: message, member: pointer, remedy } });
  }
};
