/** Octets of messages and files. */

export const tab = 0x09;
export const lineFeed = 0x0a;
export const carriageReturn = 0x0d;
export const space = 0x20;
export const dash = 0x2d;
export const equals = 0x3d;

export function isSpace(octet: number): boolean {
  return octet === space || octet === tab || octet === carriageReturn || octet === lineFeed;
}

/** A Buffer view of the bytes, without a copy. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
