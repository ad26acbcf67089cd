/** The charset of a text without a declaration that can be trusted: what its words become in each candidate decides. */

import { bufferOf } from '../../text/octets.ts';
import { fileDecoderOf } from './dos.ts';
import { languagesOf, likelihoodOf } from './likelihood.ts';

/** What the message says of the text in its files. */
export interface CharsetHint {
  /** Charset that the part of the message declares; null without one. */
  readonly charset?: string | null;
  /** Words of the message: subject, names, beginning of the body. */
  readonly text?: string;
}

export interface CharsetGuess {
  /** Label for `fileDecoderOf`. */
  readonly charset: string;
  /** The next charset, which makes another text of the bytes, where it is nearly as likely; else null. */
  readonly rival: string | null;
}

/** Candidates, and how much rarer than others they are: logarithms of probabilities. */
const candidates: Readonly<Record<string, number>> = {
  'utf-8': 0,
  'windows-1252': 0,
  'windows-1251': 0,
  shift_jis: 0,
  gb18030: 0,
  big5: 0,
  'euc-kr': 0,
  'windows-1250': 0,
  'windows-1253': -0.5,
  'windows-1254': -0.5,
  'windows-1255': -0.5,
  'windows-1256': -0.5,
  'windows-1257': -0.5,
  'windows-874': -1,
  'iso-8859-2': -1,
  'euc-jp': -1,
  'koi8-r': -1,
  'koi8-u': -2,
  ibm866: -1.5,
  cp850: -2,
  cp852: -2,
  'iso-8859-5': -2,
  'iso-8859-6': -2,
  'iso-8859-7': -2,
  'iso-8859-8': -2,
  'iso-8859-15': -3,
  cp437: -2.5,
  cp737: -3,
  cp857: -3,
  macintosh: -3,
  'windows-1258': -3,
  'iso-8859-4': -4,
  'iso-8859-13': -3,
  'x-mac-cyrillic': -4,
};

/** A charset that the part declares is that much likelier. Programs write the default ones without looking. */
const declaredGain = 8;
const defaultGain = 3;
/** A rival within this distance is named. */
const closeMargin = 6;
/** Words that are judged: so many bytes of different ones. */
const sampleBytes = 12 * 1024;

/** The likeliest charset of bytes that are neither ASCII nor valid UTF-8. Linear in the size of the text. */
export function guessCharset(bytes: Uint8Array, hint: CharsetHint = {}): CharsetGuess {
  const words = wordsOf(bufferOf(bytes));
  const declared = canonical(hint.charset ?? '');
  const priorOf = languagesOf(hint.text ?? '');
  const ranked = Object.entries(candidates)
    .flatMap(([charset, prior]) => {
      const text = fileDecoderOf(charset)?.decode(words);
      // Not every build of Node.js has every charset of the Encoding Standard.
      if (text === undefined) return [];
      const gain = charset !== declared ? 0 : charset === 'windows-1252' ? defaultGain : declaredGain;
      return [{ charset, text, score: prior + gain + likelihoodOf(text, priorOf) }];
    })
    .sort((a, b) => b.score - a.score);
  const [best = { charset: 'windows-1252', text: '', score: 0 }] = ranked;
  const rival = ranked.find(({ text }) => text !== best.text);
  const isClose = rival !== undefined && best.score - rival.score < closeMargin;
  return { charset: best.charset, rival: isClose ? rival.charset : null };
}

/** The name that the candidates have for a label of the Encoding Standard. */
function canonical(label: string): string {
  try {
    const { encoding } = new TextDecoder(label);
    return encoding === 'gbk' ? 'gb18030' : encoding;
  } catch {
    return label.toLowerCase().replace(/^ibm(?=\d)/, 'cp');
  }
}

/**
 * The different words with other bytes than ASCII, one a line. Bytes below 0x30 and from 0x3a to 0x3f are part of no
 * character in any candidate.
 */
function wordsOf(bytes: Buffer): Buffer {
  const seen = new Set<string>();
  let length = 0;
  let start = 0;
  let isForeign = false;
  for (let at = 0; at <= bytes.length && length < sampleBytes; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x80) isForeign = true;
    if (byte >= 0x40 || (byte >= 0x30 && byte < 0x3a)) continue;
    if (isForeign) {
      const word = bytes.toString('latin1', start, Math.min(at, start + sampleBytes));
      if (!seen.has(word)) length += word.length;
      seen.add(word);
    }
    start = at + 1;
    isForeign = false;
  }
  return Buffer.from([...seen].join('\n'), 'latin1');
}
