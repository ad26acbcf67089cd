/** Parsing time of adversarial messages of ten megabytes. */
import { parseMime } from '../../lib/mail/message/parse-mime.ts';
import { cpuMs, htmlStorms, plainStorms, tenMegabytesOf } from '../ten-megabytes.ts';

export interface WorstCase {
  readonly what: string;
  /** Processor milliseconds: with the received text budget, and without one. */
  readonly receivedMs: number;
  readonly wholeMs: number;
}

const header = 'From: ann@a.example\r\nTo: bob@b.example\r\nSubject: Storm\r\n';
const mixed = `${header}Content-Type: multipart/mixed; boundary=x\r\n\r\n`;
const everything = { plain: Number.MAX_SAFE_INTEGER, html: Number.MAX_SAFE_INTEGER };
/** Just below the limits of parts and nesting. */
const [partsMax, depthMax] = [19_000, 255];

export async function measureWorstCases(): Promise<WorstCase[]> {
  const costs: WorstCase[] = [];
  for (const [what, make] of Object.entries(worstCases())) {
    const raw = Buffer.from(make(), 'latin1');
    costs.push({
      what,
      receivedMs: await cpuMs(() => parseMime(raw)),
      wholeMs: await cpuMs(() => parseMime(raw, everything)),
    });
  }
  return costs;
}

function worstCases(): Record<string, () => string> {
  const full = tenMegabytesOf;
  const bodies = (type: string, units: Readonly<Record<string, string>>) =>
    Object.entries(units).map(([what, unit]): [string, () => string] => [
      `${type}: ${what}`,
      () => body(`Content-Type: ${type}; charset=utf-8`, full(unit)),
    ]);
  return {
    ...Object.fromEntries([...bodies('text/plain', plainStorms), ...bodies('text/html', htmlStorms)]),
    'flowed lines': () => body('Content-Type: text/plain; format=flowed', full('> word \n')),
    'text in another charset than it claims': () =>
      body('Content-Type: text/plain; charset=utf-8', full('\xe4\xfc ')),
    'escapes of quoted-printable': () => body('Content-Transfer-Encoding: quoted-printable', full('=C3=A4')),
    'padded units of base64': () => body('Content-Transfer-Encoding: base64', full('YQ==')),
    'one header line': () => `${header}X-Long: ${full('x')}\r\n\r\nx`,
    'header lines': () => `${header}${full('X: y\r\n')}\r\nx`,
    recipients: () => `${header}Cc: ${full('Ann <ann@a.example>, ')}\r\n\r\nx`,
    'encoded words': () => `${header}X-Long: ${full('=?utf-8?q?=C3=A4?= ')}\r\n\r\nx`,
    parts: () => `${mixed}${`--x\r\n\r\n${'a'.repeat(540)}\r\n`.repeat(partsMax)}`,
    'more parts than are read': () => `${mixed}${full('--x\r\n\r\na\r\n')}`,
    'nested parts': () => `${header}${nested(depthMax)}${full('a line of text\r\n')}`,
    'parts nested deeper than are read': () => `${header}${nested(200_000)}`,
    'lines like delimiters, in nested parts': () => `${header}${nested(depthMax)}\r\n${full('--b\r\n')}`,
  };
}

function body(fields: string, content: string): string {
  return `${header}${fields}\r\n\r\n${content}`;
}

function nested(depth: number): string {
  return Array.from(
    { length: depth },
    (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
  ).join('');
}
