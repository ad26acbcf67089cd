/** Compressed RTF, the form of message bodies in Outlook ([MS-OXRTFCP]). */
import { bufferOf } from '../text/octets.ts';

const headerBytes = 16;
/** `LZFu` and `MELA` ([MS-OXRTFCP] 2.1.3.1.1). */
const compressed = 0x75465a4c;
const uncompressed = 0x414c454d;
const dictionaryBytes = 4096;
/** The dictionary as it is at the beginning ([MS-OXRTFCP] 2.1.2.1). */
const initialDictionary =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';

/**
 * The RTF in a compressed stream. Linear in the output, which ends at `bytesMax`. A damaged stream gives what precedes the
 * damage; the checksum is not compared.
 *
 * @returns null if the stream is neither of the two forms
 */
export function decompressRtf(stream: Uint8Array, bytesMax: number): Buffer | null {
  const bytes = bufferOf(stream);
  if (bytes.length < headerBytes) return null;
  const form = bytes.readUInt32LE(8);
  const size = Math.min(bytes.readUInt32LE(4), bytesMax);
  if (form === uncompressed) return bytes.subarray(headerBytes, headerBytes + size);
  return form === compressed ? decompress(bytes, size) : null;
}

function decompress(bytes: Buffer, size: number): Buffer {
  // A reference of two bytes, with its bit of control, gives at most 17 bytes.
  const output = Buffer.allocUnsafe(Math.min(size, bytes.length * 9));
  const dictionary = Buffer.alloc(dictionaryBytes, 0x20);
  let write = dictionary.write(initialDictionary, 'latin1');
  let length = 0;
  const put = (octet: number) => {
    if (length < output.length) output[length++] = octet;
    dictionary[write] = octet;
    write = (write + 1) % dictionaryBytes;
  };
  for (let at = headerBytes; at < bytes.length && length < output.length; ) {
    const control = bytes[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < bytes.length && length < output.length; bit++) {
      if ((control & (1 << bit)) === 0) {
        put(bytes[at++] ?? 0);
        continue;
      }
      if (at + 1 >= bytes.length) return output.subarray(0, length);
      const reference = bytes.readUInt16BE(at);
      at += 2;
      const offset = reference >> 4;
      // A reference to the write position ends the stream ([MS-OXRTFCP] 2.2.2.3).
      if (offset === write) return output.subarray(0, length);
      const count = (reference & 0xf) + 2;
      for (let step = 0; step < count; step++) put(dictionary[(offset + step) % dictionaryBytes] ?? 0);
    }
  }
  return output.subarray(0, length);
}
