/** The editors: CodeMirror in a shadow root, whose styles a strict content security policy admits. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorState, Prec, RangeSetBuilder, StateEffect, StateField, type Extension } from '@codemirror/state';
import {
  Decoration, EditorView, GutterMarker, ViewPlugin, drawSelection, gutterLineClass, highlightActiveLine, highlightSpecialChars,
  hoverTooltip, keymap, lineNumbers, placeholder, type DecorationSet, type ViewUpdate,
} from '@codemirror/view';
import { element } from './dom';
import { fromBytes } from './offsets';
import type { Edit, Finding } from './service';
import { FIELDS } from './words';

/** What each line is to the selected robot and URL. */
export interface Marks {
  applies: number[];
  decides: number[];
  matches: number[];
  void: number[];
}

const setMarks = StateEffect.define<Marks | null>();
const LINE = {
  applies: Decoration.line({ class: 'cm-applies' }),
  void: Decoration.line({ class: 'cm-void' }),
  matches: Decoration.line({ class: 'cm-matches' }),
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
      for (const kind of ['applies', 'void', 'matches', 'decides'] as const) {
        for (const line of given[kind]) if (line >= 1 && line <= lines) byLine.set(line, LINE[kind]);
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
  '.cm-specialChar': { color: 'var(--bad)' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)' },
});

/** So many findings are shown in the text; the list below the editor has all of them. */
const MARKED_FINDINGS = 500;

export class Editor {
  readonly view: EditorView;
  readonly host: HTMLElement;
  private findings: Finding[] = [];

  constructor(label: string, hint: string, changed: () => void, private readonly fixed?: (finding: Finding) => void) {
    this.host = element('div', { class: 'editor' });
    const root = this.host.attachShadow({ mode: 'open' });
    const extensions: Extension[] = [
      lineNumbers(), history(), drawSelection(), highlightActiveLine(), highlightSpecialChars(), lintGutter(), marks, decidesNumbers,
      colours, meanings, theme, placeholder(hint),
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off', tabindex: '0' }),
      EditorView.updateListener.of((update) => { if (update.docChanged) changed(); }),
      Prec.high(keymap.of([
        { key: 'Mod-.', run: () => this.fixHere() },
        { key: 'Alt-Enter', run: () => this.fixHere() },
        { key: 'Mod-f', run: (view) => { void this.search(view); return true; } },
      ])),
      keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
    ];
    this.view = new EditorView({ state: EditorState.create({ extensions }), root, parent: root });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    if (text === this.text) return;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true });
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
  show(findings: Finding[], text: string): void {
    this.findings = findings;
    const shown = findings.filter((finding) => finding.span && finding.origin === 'robots.txt').slice(0, MARKED_FINDINGS);
    const places = fromBytes(text, shown.flatMap((finding) => finding.span!));
    const length = this.view.state.doc.length;
    const diagnostics = shown.map((finding): Diagnostic => {
      const from = Math.min(places.get(finding.span![0])!, length);
      const to = Math.min(Math.max(places.get(finding.span![1])!, from), length);
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

  /** Applies edits that count bytes of `text`, which has to be what the editor holds. */
  edit(edits: Edit[], text: string): void {
    const places = fromBytes(text, edits.flatMap((edit) => edit.span));
    const changes = edits.map(({ span, replacement }) => ({ from: places.get(span[0])!, to: places.get(span[1])!, insert: replacement }));
    this.view.dispatch({ changes });
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
    this.view.dispatch({ selection: { anchor: position }, effects: EditorView.scrollIntoView(position, { y: 'center' }) });
    this.view.focus();
  }
}
