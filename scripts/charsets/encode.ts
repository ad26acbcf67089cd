/** Encoding of text in legacy charsets: the decoder's tables reversed. */
import { fileDecoderOf } from '../../lib/mail/files/charsets/dos.ts';

const doubleByte = new Set(['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr']);
const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** The bytes of the text in a charset; null where the charset lacks one of its characters. */
export function encodeText(text: string, charset: string): Buffer | null {
  const table = tables.get(charset) ?? reversed(charset);
  tables.set(charset, table);
  const bytes: number[] = [];
  for (const character of text) {
    const encoded = character <= '\x7f' ? [character.charCodeAt(0)] : table.get(character);
    if (encoded === undefined) return null;
    bytes.push(...encoded);
  }
  return Buffer.from(bytes);
}

function reversed(charset: string): ReadonlyMap<string, readonly number[]> {
  const table = new Map<string, readonly number[]>();
  const decoder = fileDecoderOf(charset);
  const add = (bytes: readonly number[]) => {
    const text = decoder?.decode(Buffer.from(bytes)) ?? '';
    if ([...text].length === 1 && text !== '\ufffd' && !table.has(text)) table.set(text, bytes);
  };
  for (let byte = 0x80; byte <= 0xff; byte++) add([byte]);
  if (!doubleByte.has(charset)) return table;
  for (let lead = 0x81; lead <= 0xfe; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++) add([lead, trail]);
  return table;
}
