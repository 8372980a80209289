/** The editors: CodeMirror in a shadow root, whose styles a strict content security policy admits. */
import { defaultKeymap, history, historyKeymap, undo } from '@codemirror/commands';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorState, Prec, RangeSetBuilder, StateEffect, StateField, type Extension, type Text, type TransactionSpec } from '@codemirror/state';
import {
  Decoration, EditorView, GutterMarker, ViewPlugin, drawSelection, gutterLineClass, highlightActiveLine, highlightSpecialChars,
  hoverTooltip, keymap, lineNumbers, placeholder, showPanel, type DecorationSet, type Panel, type ViewUpdate,
} from '@codemirror/view';
import { NO_FILE, STAND_IN, foreignLines, isSame, type RobotsFile } from './bytes';
import { append, element, settled, visible } from './dom';
import { fromBytes } from './offsets';
import type { Edit, FileFinding } from './service';
import { FIELDS } from './words';

/** What each line is to the selected robot and URL, or beside another file. */
export interface Marks {
  applies?: number[];
  decides?: number[];
  matches?: number[];
  void?: number[];
  removed?: number[];
  added?: number[];
}

const setMarks = StateEffect.define<Marks | null>();
const LINE = {
  applies: Decoration.line({ class: 'cm-applies' }),
  void: Decoration.line({ class: 'cm-void' }),
  matches: Decoration.line({ class: 'cm-matches' }),
  removed: Decoration.line({ class: 'cm-removed' }),
  added: Decoration.line({ class: 'cm-added' }),
  decides: Decoration.line({ class: 'cm-decides', attributes: { 'data-decides': '' } }),
};

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    let next = value.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setMarks)) continue;
      const given = effect.value;
      if (!given) {
        next = Decoration.none;
        continue;
      }
      const lines = transaction.state.doc.lines;
      const byLine = new Map<number, Decoration>();
      for (const kind of ['applies', 'void', 'matches', 'decides', 'removed', 'added'] as const) {
        for (const line of given[kind] ?? []) if (line >= 1 && line <= lines) byLine.set(line, LINE[kind]);
      }
      const builder = new RangeSetBuilder<Decoration>();
      for (const line of [...byLine.keys()].sort((a, b) => a - b)) {
        const from = transaction.state.doc.line(line).from;
        builder.add(from, from, byLine.get(line)!);
      }
      next = builder.finish();
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

class DecidesMarker extends GutterMarker {
  override elementClass = 'cm-decides-number';
}
const decidesMarker = new DecidesMarker();
const decidesNumbers = gutterLineClass.compute([marks], (state) => {
  const builder = new RangeSetBuilder<GutterMarker>();
  const cursor = state.field(marks).iter();
  for (; cursor.value; cursor.next()) {
    if (cursor.value === LINE.decides) builder.add(cursor.from, cursor.from, decidesMarker);
  }
  return builder.finish();
});

const KEY = Decoration.mark({ class: 'cm-key' });
const AGENT = Decoration.mark({ class: 'cm-agent' });
const COMMENT = Decoration.mark({ class: 'cm-comment' });

/** Colours keys, names and comments of the lines that can be seen. */
const colours = ViewPlugin.fromClass(class {
  decorations: DecorationSet;

  constructor(view: EditorView) {
    this.decorations = this.of(view);
  }

  update(update: ViewUpdate) {
    if (update.docChanged || update.viewportChanged) this.decorations = this.of(update.view);
  }

  of(view: EditorView): DecorationSet {
    const builder = new RangeSetBuilder<Decoration>();
    for (const { from, to } of view.visibleRanges) {
      for (let at = from; at <= to;) {
        const line = view.state.doc.lineAt(at);
        // A line can be as long as the file: its first part has the key.
        const text = view.state.doc.sliceString(line.from, Math.min(line.to, line.from + 2000));
        const hash = text.indexOf('#');
        const end = hash < 0 ? text.length : hash;
        const colon = text.indexOf(':');
        if (colon > 0 && colon < end) {
          const start = text.length - text.trimStart().length;
          const agent = /^\s*(user-agent|acap-crawler)/i.test(text);
          if (start < colon) builder.add(line.from + start, line.from + colon, agent ? AGENT : KEY);
        }
        if (hash >= 0) builder.add(line.from + hash, line.to, COMMENT);
        at = line.to + 1;
      }
    }
    return builder.finish();
  }
}, { decorations: (plugin) => plugin.decorations });

const meanings = hoverTooltip((view, position) => {
  const line = view.state.doc.lineAt(position);
  const text = view.state.doc.sliceString(line.from, Math.min(line.to, line.from + 200));
  const found = /^\s*([A-Za-z-]+)\s*:/.exec(text);
  const meaning = found && FIELDS[found[1]!.toLowerCase()];
  if (!found || !meaning || position > line.from + found[0].length) return null;
  return {
    pos: line.from,
    end: line.from + found[0].length,
    above: true,
    create: () => ({ dom: element('div', { class: 'cm-meaning' }, meaning) }),
  };
});

/** Draws what cannot be seen, and bytes that are not UTF-8, as escapes. */
const escapes = highlightSpecialChars({
  addSpecialChars: /[\udc80-\udcff]/u,
  render(code) {
    const sign = String.fromCharCode(code);
    const title = STAND_IN.test(sign) ? 'A byte that is not UTF-8' : 'A character that cannot be seen';
    return element('span', { class: 'cm-specialChar', title, 'aria-label': `${title}: ${visible(sign)}` }, visible(sign));
  },
});

/** So many lines are named in the notice about bytes that are not UTF-8. */
const NAMED_LINES = 5;

const setNotice = StateEffect.define<((view: EditorView) => Panel) | null>();
/** A line below the text about how the file is written. */
const notice = StateField.define<((view: EditorView) => Panel) | null>({
  create: () => null,
  update: (value, transaction) => transaction.effects.reduce((last, effect) => (effect.is(setNotice) ? effect.value : last), value),
  provide: (field) => showPanel.from(field),
});

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--field)', fontSize: 'var(--code-size)' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--text)', padding: '0.5rem 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)', borderLeftWidth: '2px' },
  '.cm-gutters': { backgroundColor: 'var(--field)', color: 'var(--muted)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 0.5rem 0 0.75rem', minWidth: '2.25rem' },
  '.cm-activeLine': { backgroundColor: 'var(--active)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': { backgroundColor: 'var(--selection)' },
  '.cm-line': { padding: '0 0.75rem 0 0.5rem', borderLeft: '3px solid transparent' },
  '.cm-key': { color: 'var(--key)' },
  '.cm-agent': { color: 'var(--agent)', fontWeight: '600' },
  '.cm-comment': { color: 'var(--muted)', fontStyle: 'italic' },
  '.cm-applies': { borderLeftColor: 'var(--applies)' },
  '.cm-void': { borderLeftColor: 'var(--applies)', textDecoration: 'line-through', textDecorationColor: 'var(--muted)' },
  '.cm-matches': { borderLeftColor: 'var(--matches)', backgroundColor: 'var(--matches-ground)' },
  '.cm-decides': { borderLeftColor: 'var(--decides)', backgroundColor: 'var(--decides-ground)' },
  '.cm-removed': { borderLeftColor: 'var(--bad)', backgroundColor: 'var(--bad-ground)' },
  '.cm-added': { borderLeftColor: 'var(--good)', backgroundColor: 'var(--good-ground)' },
  '.cm-decides-number': { color: 'var(--text)', fontWeight: '700', backgroundColor: 'var(--decides-ground)' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--border)', borderRadius: '6px', maxWidth: '32rem' },
  '.cm-meaning': { padding: '0.5rem 0.75rem', fontFamily: 'var(--sans)', lineHeight: '1.45' },
  '.cm-diagnostic': { padding: '0.5rem 0.75rem', fontFamily: 'var(--sans)', lineHeight: '1.45', whiteSpace: 'normal' },
  '.cm-diagnosticAction': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)', padding: '0.2rem 0.6rem', borderRadius: '4px', font: 'inherit', marginLeft: '0.5rem' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad) 1.5px', textUnderlineOffset: '3px' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--warn) 1.5px', textUnderlineOffset: '3px' },
  '.cm-lintRange-info': { backgroundImage: 'none', textDecoration: 'underline dotted var(--muted) 1.5px', textUnderlineOffset: '3px' },
  '.cm-lint-marker': { content: 'none', width: '0.6rem', height: '0.6rem', borderRadius: '50%', margin: '0.5em auto 0' },
  '.cm-gutter-lint': { width: '1rem' },
  '.cm-lint-marker-error': { content: 'none', backgroundColor: 'var(--bad)', borderRadius: '2px' },
  '.cm-lint-marker-warning': { content: 'none', backgroundColor: 'var(--warn)' },
  '.cm-lint-marker-info': { content: 'none', backgroundColor: 'var(--muted)' },
  '.cm-placeholder': { color: 'var(--muted)', fontFamily: 'var(--sans)' },
  '.cm-specialChar': { color: 'var(--bad)', fontSize: '0.9em', border: '1px solid currentColor', borderRadius: '3px', padding: '0 1px', margin: '0 1px' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--border)' },
  '.cm-notice': { padding: '0.4rem 0.75rem', fontFamily: 'var(--sans)', fontSize: '0.85rem', lineHeight: '1.45', backgroundColor: 'var(--warn-ground)' },
  '.cm-notice button': { font: 'inherit', color: 'var(--accent)', background: 'none', border: '0', padding: '0 0.15rem', minHeight: '1.5rem', textDecoration: 'underline', textUnderlineOffset: '3px', cursor: 'pointer' },
  '.cm-notice button:focus-visible': { outline: '2px solid var(--focus)' },
});

/** The line end that a text has most often. */
function lineEndOf(text: string): string {
  const number = (end: RegExp) => text.match(end)?.length ?? 0;
  const [lf, crlf, cr] = [number(/(?<!\r)\n/g), number(/\r\n/g), number(/\r(?!\n)/g)];
  return crlf > lf && crlf >= cr ? '\r\n' : cr > lf ? '\r' : '\n';
}

/** So many findings are shown in the text; the list below the editor has all of them. */
const MARKED_FINDINGS = 500;

/** Shows a place of an editor. Without the focus the page stays: people read it, or are about to click. */
function scrollWithin(view: EditorView, place: number): boolean {
  if (view.hasFocus) return false;
  const { top, height } = view.lineBlockAt(place);
  view.scrollDOM.scrollTop = top + (height - view.scrollDOM.clientHeight) / 2;
  return true;
}

export class Editor {
  readonly view: EditorView;
  readonly host: HTMLElement;
  private findings: FileFinding[] = [];
  /** The file that the editor was given, and the document for it, which ends each line with LF. */
  private given: { document: Text; file: RobotsFile; lineEnd: string };
  private readonly noteSoon = settled(() => this.note(), 200);
  private noted = '';

  constructor(label: string, hint: string, private readonly changed: () => void, private readonly fixed?: (finding: FileFinding) => void) {
    this.host = element('div', { class: 'editor' });
    const root = this.host.attachShadow({ mode: 'open' });
    const extensions: Extension[] = [
      lineNumbers(), history(), drawSelection(), highlightActiveLine(), escapes, lintGutter(), marks, decidesNumbers, notice,
      colours, meanings, theme, placeholder(hint),
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off', tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        const { from, to } = update.startState.selection.main;
        const isAll = from === 0 && to === update.startState.doc.length;
        // A file that takes the place of another is read from its start.
        if (isAll && update.transactions.some((one) => one.isUserEvent('input.paste'))) setTimeout(() => this.view.dispatch({ selection: { anchor: 0 }, scrollIntoView: true }));
        this.noteSoon();
        changed();
      }),
      EditorView.scrollHandler.of((view, { head }) => scrollWithin(view, head)),
      // Other programs get the escape, which patterns compare like the byte.
      EditorView.clipboardOutputFilter.of((text) => text.replace(/[\udc80-\udcff]/gu, (sign) => `%${(sign.charCodeAt(0) - 0xdc00).toString(16).toUpperCase()}`)),
      Prec.high(keymap.of([
        { key: 'Mod-.', run: () => this.fixHere() },
        { key: 'Alt-Enter', run: () => this.fixHere() },
        { key: 'Mod-f', run: (view) => { void this.search(view); return true; } },
      ])),
      keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
    ];
    this.view = new EditorView({ state: EditorState.create({ extensions }), root, parent: root });
    this.given = { document: this.view.state.doc, file: NO_FILE, lineEnd: '\n' };
  }

  /** The file: what was given as long as nobody edits it, else with one kind of line ends. */
  get file(): RobotsFile {
    const { doc } = this.view.state;
    const { document, file, lineEnd } = this.given;
    return doc.eq(document) ? file : { text: doc.sliceString(0, doc.length, lineEnd), encoding: file.encoding };
  }

  set file(file: RobotsFile) {
    if (isSame(file, this.file)) return;
    this.take(file, (document) => ({
      changes: { from: 0, to: this.view.state.doc.length, insert: document }, selection: { anchor: 0 }, scrollIntoView: true,
    }));
  }

  /** How many lines the file has: an empty one at its end is none. */
  get lines(): number {
    const { doc } = this.view.state;
    return doc.lines - (doc.line(doc.lines).length === 0 ? 1 : 0);
  }

  private take(file: RobotsFile, transaction: (document: Text) => TransactionSpec): void {
    const document = this.view.state.toText(file.text);
    const differs = !document.eq(this.view.state.doc);
    this.given = { document, file, lineEnd: lineEndOf(file.text) };
    if (differs) this.view.dispatch(transaction(document));
    else this.changed();
    this.note();
  }

  /** Says which bytes are not UTF-8, and what becomes of them. */
  private note(): void {
    const { text, encoding } = this.file;
    const lines = foreignLines(text);
    const noted = `${encoding} ${lines.join(' ')}`;
    if (noted === this.noted) return;
    this.noted = noted;
    const content = encoding !== 'utf-8' ? () => this.utf16() : lines.length > 0 ? () => this.foreign(lines) : null;
    this.view.dispatch({ effects: setNotice.of(content && (() => ({ dom: content() }))) });
  }

  private foreign(lines: number[]): HTMLElement {
    const made = element('div', { class: 'cm-notice', role: 'status' }, lines.length === 1 ? 'A line has bytes that are not UTF-8: ' : `${lines.length.toLocaleString('en')} lines have bytes that are not UTF-8: `);
    lines.slice(0, NAMED_LINES).forEach((line, at) => append(made, at > 0 && ', ', element('button', { type: 'button', onclick: () => this.goTo(line) }, `line ${line}`)));
    append(made, lines.length > NAMED_LINES && ' …', '. Each shows as an escape such as \\xe9. They are judged as they are, and editing keeps them.');
    return made;
  }

  private utf16(): HTMLElement {
    return element('div', { class: 'cm-notice', role: 'status' },
      'This file is UTF-16. It is judged as it is, and stays UTF-16 when you edit it. ',
      element('button', { type: 'button', onclick: () => { this.file = { text: this.file.text, encoding: 'utf-8' }; } }, 'Convert it to UTF-8'));
  }

  /** Search is loaded when it is first asked for. */
  private async search(view: EditorView): Promise<void> {
    const { openSearchPanel, search, searchKeymap } = await import('@codemirror/search');
    if (!this.searches) view.dispatch({ effects: StateEffect.appendConfig.of([search({ top: true }), keymap.of(searchKeymap)]) });
    this.searches = true;
    openSearchPanel(view);
  }
  private searches = false;

  /** Shows findings about the text that they were found in. */
  show(findings: FileFinding[], { text }: RobotsFile): void {
    this.findings = findings;
    const shown = findings.filter((finding) => finding.span && finding.origin === 'robots.txt').slice(0, MARKED_FINDINGS);
    const places = fromBytes(text, shown.flatMap((finding) => finding.span!));
    const length = this.view.state.doc.length;
    const diagnostics = shown.map((finding): Diagnostic => {
      const from = Math.min(places.get(finding.span![0])!.editor, length);
      const to = Math.min(Math.max(places.get(finding.span![1])!.editor, from), length);
      return {
        from, to, severity: finding.severity, message: `${finding.message} [${finding.code}]`,
        ...(finding.fix && this.fixed
          ? { actions: [{ name: finding.fix.title, apply: () => this.fixed!(finding) }] }
          : {}),
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  /** Applies the fix of a finding on the line of the cursor. */
  private fixHere(): boolean {
    const line = this.view.state.doc.lineAt(this.view.state.selection.main.head).number;
    const finding = this.findings.find((one) => one.origin === 'robots.txt' && one.line === line && one.fix);
    if (!finding || !this.fixed) return false;
    this.fixed(finding);
    return true;
  }

  /** Applies edits to the file, whose bytes they count. */
  edit(edits: Edit[]): void {
    const { text, encoding } = this.file;
    const places = fromBytes(text, edits.flatMap((edit) => edit.span));
    const placed = edits.map(({ span, replacement }) => ({ from: places.get(span[0])!, to: places.get(span[1])!, replacement }))
      .sort((a, b) => a.from.text - b.from.text);
    let edited = '';
    let at = 0;
    for (const { from, to, replacement } of placed) {
      edited += text.slice(at, from.text) + replacement;
      at = to.text;
    }
    edited += text.slice(at);
    const changes = placed.map(({ from, to, replacement }) => ({ from: from.editor, to: to.editor, insert: replacement }));
    this.take({ text: edited, encoding }, () => ({ changes }));
  }

  /** Takes back the last change, which led from `file` to what is here. */
  undo(file: RobotsFile): void {
    undo(this.view);
    // Line ends are not part of the history.
    this.file = file;
  }

  mark(given: Marks | null): void {
    this.view.dispatch({ effects: setMarks.of(given) });
  }

  /** Brings a line into view, without moving the focus. */
  reveal(line: number): void {
    if (line < 1 || line > this.view.state.doc.lines) return;
    const position = this.view.state.doc.line(line).from;
    this.view.dispatch({ effects: EditorView.scrollIntoView(position, { y: 'center' }) });
  }

  /** Puts the cursor on a line. */
  goTo(line: number): void {
    if (line < 1 || line > this.view.state.doc.lines) return;
    const position = this.view.state.doc.line(line).from;
    this.view.focus();
    this.view.dispatch({ selection: { anchor: position }, effects: EditorView.scrollIntoView(position, { y: 'center' }) });
  }
}
