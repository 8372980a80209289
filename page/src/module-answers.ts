/**
 * Answers of the WebAssembly module, in a worker. Nothing leaves the page. Neither a module that hangs nor one
 * that fails is asked again: the next question gets a new worker.
 */
import { AnswerError, SLOW, tell, wrongInput, type Answers, type SiteTool, type Tool } from './answers';
import type { ToPage, ToWorker } from './messages';
import { moduleUrl } from 'virtual:module';

/** How long an answer may take that nobody waits for any more, while others wait, in milliseconds. */
const UNWANTED = 1_000;
/** What decisions depend on, beside what is asked. The module has no clock. */
const DATED: readonly (Tool | SiteTool)[] = ['lint', 'decide', 'explain', 'table'];

interface Loaded { worker: string; module: string }

declare global {
  interface Window {
    /** What the file with the module sets: the worker as a script, and the module as the worker takes it. */
    abideModule?: Loaded;
    trustedTypes?: { createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string } };
  }
}

interface Question {
  tool: Tool | SiteTool;
  request: object;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** A worker that has begun, or has not. */
interface Running { worker: Worker; ready: boolean; question: Question | null; end: number }

export class ModuleAnswers implements Answers {
  /** Only the file of the module and the worker may run. */
  private readonly trusted = window.trustedTypes?.createPolicy('abide', {
    createScriptURL: (url) => {
      if (url === moduleUrl || url.startsWith('blob:')) return url;
      throw new TypeError(`${url} is no script of this page`);
    },
  }) ?? { createScriptURL: (url: string) => url };
  private readonly questions: Question[] = [];
  private running: Running | null = null;
  private loading = false;

  ask<T>(tool: Tool | SiteTool, request: object, signal?: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const question = { tool, request, resolve: resolve as (answer: unknown) => void, reject };
      signal?.addEventListener('abort', () => this.drop(question, signal.reason), { once: true });
      this.questions.push(question);
      void this.next();
    });
  }

  /** Forgets a question that nobody asks any more. */
  private drop(question: Question, reason: unknown): void {
    question.reject(reason);
    const at = this.questions.indexOf(question);
    if (at >= 0) this.questions.splice(at, 1);
    if (this.running?.question === question) this.until(UNWANTED, () => this.replace());
  }

  /** Asks the next question, if the worker has time. */
  private async next(): Promise<void> {
    if (this.loading || this.running?.question || this.questions.length === 0) return;
    if (!this.running?.ready) {
      await this.begin();
      return;
    }
    const question = this.questions.shift()!;
    this.running.question = question;
    this.until(SLOW, () => {
      question.reject(new AnswerError('This takes too long', `There is no answer after ${SLOW / 1000} seconds.`, 'Try again, or ask about fewer URLs.', 'slow'));
      this.replace();
    });
    const { tool, request } = question;
    const dated = DATED.includes(tool) ? { now: new Date().toISOString(), ...request } : request;
    this.post({ tool, request: JSON.stringify(dated) });
  }

  private post(message: ToWorker): void {
    this.running!.worker.postMessage(message);
  }

  /** Ends what the worker does after so many milliseconds. */
  private until(wait: number, end: () => void): void {
    clearTimeout(this.running!.end);
    this.running!.end = window.setTimeout(end, wait);
  }

  /** Ends the worker; the next question gets a new one. */
  private replace(): void {
    if (this.running) {
      clearTimeout(this.running.end);
      this.running.worker.terminate();
    }
    this.running = null;
    void this.next();
  }

  /** Loads the module and gives it to a worker. */
  private async begin(): Promise<void> {
    this.loading = true;
    try {
      const { worker: text, module } = window.abideModule ?? await load(this.trusted.createScriptURL(moduleUrl));
      const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
      const worker = new Worker(this.trusted.createScriptURL(address), { name: 'abide' });
      this.running = { worker, ready: false, question: null, end: 0 };
      this.until(SLOW, () => this.cannotRun('it does not start'));
      worker.onmessage = ({ data }: MessageEvent<ToPage>) => {
        if (this.running?.worker === worker) this.told(data);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        this.cannotRun(event.message || 'it does not start');
      };
      this.post({ module });
    } catch (error) {
      this.loading = false;
      this.cannotRun(String(error instanceof Error ? error.message : error));
    }
  }

  private told(message: ToPage): void {
    const running = this.running!;
    clearTimeout(running.end);
    if (!running.ready) {
      if ('fault' in message) {
        this.cannotRun(message.fault.detail ?? '');
        return;
      }
      running.ready = true;
      this.loading = false;
      tell(null);
    } else {
      const { resolve, reject, request } = running.question!;
      running.question = null;
      if ('answer' in message) resolve(JSON.parse(message.answer));
      else reject(message.fault.code === 'module-failed' ? broken(message.fault.detail) : wrongInput(message.fault, request));
    }
    void this.next();
  }

  /** Says why there is no module to all who wait. */
  private cannotRun(why: string): void {
    const questions = [...(this.running?.question ? [this.running.question] : []), ...this.questions.splice(0)];
    this.loading = false;
    this.replace();
    tell('The module that answers cannot run here. Your text stays on this page.');
    for (const { reject } of questions) {
      reject(new AnswerError('The module that answers cannot run here', why,
        "Try again, or another browser. If you run the host of this page, serve all its files, and admit scripts of 'self', 'wasm-unsafe-eval' and workers of blob: in its content security policy.", 'offline'));
    }
  }
}

function broken(detail = ''): AnswerError {
  return new AnswerError('The module failed', detail, 'Please report what you asked. Everything else can still be asked.', 'refused');
}

/** Loads the file with the module: a script, because browsers let pages from `file:` load nothing else. */
function load(url: string): Promise<Loaded> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = url;
    script.onload = () => (window.abideModule ? resolve(window.abideModule) : reject(new Error(`${moduleUrl} has no module`)));
    script.onerror = () => {
      script.remove();
      reject(new Error(`${moduleUrl} could not be loaded`));
    };
    document.head.append(script);
  });
}
