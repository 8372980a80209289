/** What a panel shows while it has no result: nothing yet, waiting, or a problem. */
import { AnswerError } from './answers';
import { append, element, replace, sentence } from './dom';
import { useToken } from './service-answers';

export function emptyState(title: string, ...hints: string[]): HTMLElement {
  return element('div', { class: 'empty' }, element('strong', {}, title), ...hints.map((hint) => element('p', {}, hint)));
}

/** A problem with its remedy and a way to try again. */
export function problem(error: unknown, again: () => void): HTMLElement {
  if (!(error instanceof AnswerError)) throw error;
  const box = element('div', { class: 'problem', role: 'group', 'aria-label': error.title },
    element('strong', {}, sentence(error.title)),
    error.detail && element('p', {}, sentence(error.detail)),
    error.remedy && element('p', {}, sentence(error.remedy)));
  if (error.kind === 'token') append(box, tokenForm(again));
  else if (error.kind !== 'input') append(box, element('button', { type: 'button', onclick: () => again() }, 'Try again'));
  return box;
}

function tokenForm(again: () => void): HTMLElement {
  const field = element('input', { type: 'text', name: 'token', autocomplete: 'off', spellcheck: 'false', 'aria-label': 'Token' });
  return element('form', {
    onsubmit: (event) => {
      event.preventDefault();
      useToken(field.value);
      document.dispatchEvent(new Event('token'));
      again();
    },
  }, field, element('button', { type: 'submit', class: 'main-action' }, 'Use this token'));
}

/** Runs a question for a place of the page: busy while it lasts, and a problem if it fails. */
export async function during<T>(place: HTMLElement, question: () => Promise<T>, again: () => void): Promise<T | null> {
  const timer = setTimeout(() => {
    place.setAttribute('aria-busy', 'true');
    if (!place.hasChildNodes()) append(place, element('p', { class: 'empty' }, 'Waiting for the answer…'));
  }, 150);
  try {
    return await question();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    replace(place, problem(error, again));
    return null;
  } finally {
    clearTimeout(timer);
    place.removeAttribute('aria-busy');
  }
}
