/** Rich text (RTF 1.9.1) as plain text. */
import { TextDecoder } from 'node:util';

/** Destinations that are skipped; `\*` marks further ones. */
const unread = new Set(
  'colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr footerf fldinst listtable listoverridetable rsidtbl generator themedata colorschememapping latentstyles datastore xmlnstbl filetbl revtbl bkmkstart bkmkend nonshppict template'.split(
    ' ',
  ),
);

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
const codePages: Readonly<Record<number, string>> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
};

/** Group state, inherited from the enclosing group. */
interface Group {
  readonly isUnread: boolean;
  readonly isFontTable: boolean;
  readonly isHidden: boolean;
  readonly charset: string | null;
  /** Fallback characters after each `\u` (`\uc`). */
  readonly substitutes: number;
}

const token =
  /[{}]|\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|[\r\n]+|[^{}\\\r\n]+|\\/g;

/**
 * The text of an RTF document: a line for each paragraph, tabs between table cells. Linear. Never throws: a truncated
 * document gives the text before its end, with `isWhole` false.
 *
 * @param source one character for each byte
 */
export function textOfRtf(source: string): { readonly text: string; readonly isWhole: boolean } {
  const output: string[] = [];
  const groups: Group[] = [];
  const fonts = new Map<number, string>();
  let group: Group = { isUnread: false, isFontTable: false, isHidden: false, charset: null, substitutes: 1 };
  let documentCharset = 'windows-1252';
  let font = 0;
  let toSkip = 0;
  /** Bytes of the current charset, decoded together because of multi-byte characters. */
  let pending: string[] = [];

  const flush = () => {
    if (pending.length === 0) return;
    const label = group.charset ?? documentCharset;
    output.push(decoder(label).decode(Buffer.from(pending.join(''), 'latin1')));
    pending = [];
  };
  const isSilent = () => group.isUnread || group.isFontTable || group.isHidden;
  const write = (text: string) => {
    flush();
    if (!isSilent()) output.push(text);
  };
  const writeBytes = (latin1: string) => {
    const shown = latin1.slice(Math.min(toSkip, latin1.length));
    toSkip -= latin1.length - shown.length;
    if (!isSilent() && shown) pending.push(shown);
  };
  const change = (changes: Partial<Group>) => {
    flush();
    group = { ...group, ...changes };
  };

  const control = (word: string, value: number | null) => {
    const character = characters[word];
    if (character !== undefined) write(character);
    else if (word === 'u' && value !== null) {
      write(String.fromCharCode(value & 0xffff));
      toSkip = group.substitutes;
    } else if (word === 'uc') change({ substitutes: value ?? 1 });
    else if (word === 'v') change({ isHidden: value !== 0 });
    else if (word === 'ansicpg' && value !== null) documentCharset = codePages[value] ?? `windows-${value}`;
    else if (word === 'mac') documentCharset = 'macintosh';
    else if (word === 'fonttbl') change({ isFontTable: true });
    else if (word === 'f' && value !== null) {
      font = value;
      if (!group.isFontTable) change({ charset: fonts.get(value) ?? null });
    } else if (word === 'fcharset' && value !== null) fonts.set(font, fontCharsets[value] ?? documentCharset);
    else if (word === 'plain') change({ charset: null, isHidden: false });
    else if (unread.has(word)) change({ isUnread: true });
  };

  token.lastIndex = 0;
  for (let match = token.exec(source); match; match = token.exec(source)) {
    const [whole, word, parameter, hex, symbol] = match;
    if (whole === '{') {
      flush();
      groups.push(group);
      toSkip = 0;
    } else if (whole === '}') {
      flush();
      group = groups.pop() ?? group;
      toSkip = 0;
      // Data after the outermost group is not part of the document.
      if (groups.length === 0) break;
    } else if (hex) writeBytes(String.fromCharCode(Number.parseInt(hex, 16)));
    else if (word === 'bin') token.lastIndex += Math.max(Number(parameter ?? 0), 0);
    else if (word) control(word, parameter === undefined ? null : Number(parameter));
    else if (symbol === '*') change({ isUnread: true });
    else if (symbol) control(symbol, null);
    else if (!/^[\r\n\\]/.test(whole)) writeBytes(whole);
  }
  flush();
  const text = output
    .join('')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return { text, isWhole: groups.length === 0 };
}

const decoders = new Map<string, TextDecoder>();

function decoder(label: string): TextDecoder {
  const known = decoders.get(label) ?? newDecoder(label);
  // The labels come from the document.
  if (decoders.size < 100) decoders.set(label, known);
  return known;
}

function newDecoder(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    // Unsupported code page.
    return new TextDecoder('windows-1252');
  }
}
