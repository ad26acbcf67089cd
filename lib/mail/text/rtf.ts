/** Rich text (RTF 1.9.1) as plain text. */
import { charsetOfCodePage, decoderOf } from './charsets.ts';

/** Destinations that are skipped; `\*` marks further ones. `shprslt` repeats a shape for older readers. */
const unread = new Set(
  'colortbl stylesheet info pict object fldinst listtable listoverridetable rsidtbl generator themedata colorschememapping latentstyles datastore xmlnstbl filetbl revtbl bkmkstart bkmkend nonshppict template shprslt'.split(
    ' ',
  ),
);
/** Destinations that are read although `\*` marks them. */
const readIfMarked = new Set(['footnote', 'annotation', 'shpinst', 'do', 'ud']);

/** Destinations whose text stands apart from the paragraph around them. */
const parts: Readonly<Record<string, Part>> = {
  header: 'header',
  headerl: 'header',
  headerr: 'header',
  headerf: 'header',
  footer: 'footer',
  footerl: 'footer',
  footerr: 'footer',
  footerf: 'footer',
  shptxt: 'box',
  dptxbxtext: 'box',
  footnote: 'note',
  annotation: 'comment',
  sn: 'property',
};
type Part = 'header' | 'footer' | 'box' | 'note' | 'comment' | 'property';
/** The property of a shape that holds words. */
const wordsOfShape = 'gtextUNICODE';

const characters: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  sect: '\n',
  page: '\n',
  row: '\n',
  nestrow: '\n',
  tab: '\t',
  cell: '\t',
  nestcell: '\t',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  '~': '\u00a0',
  _: '\u2011',
  '{': '{',
  '}': '}',
  '\\': '\\',
  '\n': '\n',
  '\r': '\n',
};

/** Charsets of fonts by `\fcharset` number. */
const fontCharsets: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};

/** Group state, inherited from the enclosing group. */
interface Group {
  readonly isUnread: boolean;
  readonly isFontTable: boolean;
  readonly isHidden: boolean;
  /** Deletion of tracked changes. */
  readonly isDeleted: boolean;
  /** Text that `\ud` repeats in Unicode. */
  readonly isRepeated: boolean;
  /** The part that the group is, and the length of the output before it; not inherited. */
  readonly part: { readonly name: Part; readonly at: number } | null;
  readonly charset: string | null;
  /** Fallback characters after each `\u` (`\uc`). */
  readonly substitutes: number;
}

const token =
  /[{}]|\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|[\r\n]+|[^{}\\\r\n]+|\\/g;

/**
 * The text of an RTF document: a line for each paragraph, tabs between table cells, notes and comments in brackets where
 * they are, headers of pages first and footers last, once each. Linear. Never throws: a truncated document gives the text
 * before its end, with `isWhole` false.
 *
 * @param source one character for each byte
 */
export function textOfRtf(source: string): { readonly text: string; readonly isWhole: boolean } {
  const state: RtfState = {
    output: [],
    groups: [],
    fonts: new Map(),
    group: {
      isUnread: false,
      isFontTable: false,
      isHidden: false,
      isDeleted: false,
      isRepeated: false,
      part: null,
      charset: null,
      substitutes: 1,
    },
    isMarked: false,
    isInPart: false,
    margins: new Set(),
    footers: [],
    shapeProperty: '',
    documentCharset: 'windows-1252',
    font: 0,
    toSkip: 0,
    pending: [],
  };
  const { output, groups } = state;
  token.lastIndex = 0;
  for (let match = token.exec(source); match; match = token.exec(source)) {
    const [whole, word, parameter, hex, symbol] = match;
    const name = word ?? symbol;
    if (whole === '{') beginGroup(state);
    else if (whole === '}') {
      endGroup(state);
      // Data after the outermost group is not part of the document.
      if (groups.length === 0) break;
    } else if (hex) writeBytes(state, String.fromCharCode(Number.parseInt(hex, 16)));
    else if (word === 'bin') token.lastIndex += Math.max(Number(parameter ?? 0), 0);
    else if (name) control(state, name, parameter);
    else if (!/^[\r\n\\]/.test(whole)) writeBytes(state, whole);
  }
  flush(state);
  const text = [...output, ...state.footers]
    .join('')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return { text, isWhole: groups.length === 0 };
}

/** What has been read and written so far. */
interface RtfState {
  readonly output: string[];
  /** Around the current one. */
  readonly groups: Group[];
  readonly fonts: Map<number, string>;
  group: Group;
  /** After `\*`, before the name of the destination. */
  isMarked: boolean;
  /** Parts in parts are read as text of the outer one. */
  isInPart: boolean;
  /** Headers and footers so far: each section and kind of page repeats them. */
  readonly margins: Set<string>;
  readonly footers: string[];
  /** Name of the property whose value comes next. */
  shapeProperty: string;
  documentCharset: string;
  font: number;
  /** Fallback characters after a `\u` that are still to come. */
  toSkip: number;
  /** Bytes of the current charset, decoded together because of multi-byte characters. */
  pending: string[];
}

function beginGroup(state: RtfState): void {
  flush(state);
  state.groups.push(state.group);
  state.group = { ...state.group, part: null };
  state.toSkip = 0;
  state.isMarked = false;
}

function endGroup(state: RtfState): void {
  flush(state);
  if (state.group.part) endPart(state, state.group.part);
  state.group = state.groups.pop() ?? state.group;
  state.toSkip = 0;
  state.isMarked = false;
}

function beginPart(state: RtfState, name: Part): void {
  if (state.isInPart && name === 'property') change(state, { isUnread: true });
  else if (state.isInPart) write(state, ' ');
  if (state.isInPart) return;
  flush(state);
  state.isInPart = true;
  state.group = { ...state.group, part: { name, at: state.output.length } };
}

function endPart(state: RtfState, { name, at }: { readonly name: Part; readonly at: number }): void {
  const { output, margins, footers } = state;
  const text = output.splice(at).join('').trim();
  state.isInPart = false;
  if (name === 'property') state.shapeProperty = text;
  else if (text === '') return;
  else if (name === 'note') output.push(` (${text})`);
  else if (name === 'comment') output.push(` [Comment: ${text}]`);
  else if (name === 'box') output.push(`\n${text}\n`);
  else if (!margins.has(text)) {
    margins.add(text);
    (name === 'footer' ? footers : output).push(`\n${text}\n`);
  }
}

function control(state: RtfState, word: string, parameter: string | undefined): void {
  const value = parameter === undefined ? null : Number(parameter);
  const character = characters[word];
  const part = parts[word];
  const { isMarked } = state;
  state.isMarked = word === '*';
  if (isMarked && !readIfMarked.has(word)) change(state, { isUnread: true });
  else if (part) beginPart(state, part);
  else if (character !== undefined) write(state, character);
  else if (word === 'uc') change(state, { substitutes: value ?? 1 });
  else if (word === 'v') change(state, { isHidden: value !== 0 });
  else if (word === 'deleted') change(state, { isDeleted: value !== 0 });
  else if (word === 'upr') change(state, { isRepeated: true });
  else if (word === 'ud') change(state, { isRepeated: false });
  else if (word === 'sv' && state.shapeProperty === wordsOfShape) beginPart(state, 'box');
  else if (word === 'sv') change(state, { isUnread: true });
  else if (word === 'mac') state.documentCharset = 'macintosh';
  else if (word === 'fonttbl') change(state, { isFontTable: true });
  else if (word === 'plain') change(state, { charset: null, isHidden: false, isDeleted: false });
  else if (unread.has(word)) change(state, { isUnread: true });
  else if (value !== null) controlWithValue(state, word, value);
}

/** Control words that mean nothing without a number. */
function controlWithValue(state: RtfState, word: string, value: number): void {
  const { fonts, font, group, documentCharset } = state;
  if (word === 'u') {
    write(state, String.fromCharCode(value & 0xffff));
    state.toSkip = group.substitutes;
  } else if (word === 'ansicpg') state.documentCharset = charsetOfCodePage(value);
  else if (word === 'fcharset') fonts.set(font, fontCharsets[value] ?? documentCharset);
  else if (word === 'f') {
    state.font = value;
    if (!group.isFontTable) change(state, { charset: fonts.get(value) ?? null });
  }
}

function flush(state: RtfState): void {
  const { output, group, documentCharset, pending } = state;
  if (pending.length === 0) return;
  const decoder = decoderOf(group.charset ?? documentCharset) ?? decoderOf('windows-1252');
  output.push(decoder?.decode(Buffer.from(pending.join(''), 'latin1')) ?? '');
  state.pending = [];
}

function isSilent({ group }: RtfState): boolean {
  return group.isUnread || group.isFontTable || group.isHidden || group.isDeleted || group.isRepeated;
}

function write(state: RtfState, text: string): void {
  flush(state);
  if (!isSilent(state)) state.output.push(text);
}

function writeBytes(state: RtfState, latin1: string): void {
  const shown = latin1.slice(Math.min(state.toSkip, latin1.length));
  state.toSkip -= latin1.length - shown.length;
  if (!isSilent(state) && shown) state.pending.push(shown);
}

function change(state: RtfState, changes: Partial<Group>): void {
  flush(state);
  state.group = { ...state.group, ...changes };
}
