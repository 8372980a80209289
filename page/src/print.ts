/** What is printed: the whole table and file, of which the screen only draws what can be seen. */
import type { Editor } from './editor';
import { byId, count, visible } from './dom';
import type { Grid } from './grid';

/** So many lines of the file are printed. */
const MOST_LINES = 500;

export function printable(grid: () => Grid, draft: Editor): void {
  window.addEventListener('beforeprint', () => {
    const more = grid().print(true);
    byId('printed-more').textContent = more > 0 ? `… and ${count(more, 'more URL')}` : '';
    const lines = draft.file.text.split(/\r\n?|\n/);
    const shown = lines.slice(0, MOST_LINES).map((line) => visible(line, 2000));
    if (lines.length > shown.length) shown.push(`… and ${count(lines.length - shown.length, 'more line')}`);
    byId('printed-file').textContent = shown.join('\n');
  });
  window.addEventListener('afterprint', () => {
    grid().print(false);
    byId('printed-file').textContent = '';
    byId('printed-more').textContent = '';
  });
}
