/** Request bodies of S3: decodes `aws-chunked`, verifies length and checksums. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type AwsCall, AwsError } from './service.ts';

/** Largest object. */
export const objectBytesMax = 64 * 1024 * 1024;

export interface Payload {
  readonly body: Buffer;
  /** Verified checksum headers (`x-amz-checksum-crc32`) and their values. */
  readonly checksums: Readonly<Record<string, string>>;
}

const digests: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  'x-amz-checksum-crc32': (body) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(crc32(body));
    return bytes;
  },
  'x-amz-checksum-sha1': (body) => createHash('sha1').update(body).digest(),
  'x-amz-checksum-sha256': (body) => createHash('sha256').update(body).digest(),
};

/** Checksum headers without a checksum. */
const checksumSettings = ['x-amz-checksum-algorithm', 'x-amz-checksum-mode', 'x-amz-checksum-type'];

/**
 * The decoded body.
 *
 * @throws AwsError for a wrong length, digest or framing, with S3's code
 */
export function readPayload(call: AwsCall): Payload {
  const contentHash = call.headers['x-amz-content-sha256'] ?? '';
  const isFramed = contentHash.startsWith('STREAMING-');
  const { body, trailers } = isFramed ? unframe(call.body) : { body: call.body, trailers: {} };
  if (body.length > objectBytesMax) {
    throw new AwsError('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
  }
  const decodedLength = call.headers['x-amz-decoded-content-length'];
  if (isFramed && Number(decodedLength) !== body.length) {
    throw new AwsError('IncompleteBody', `The body has ${body.length} bytes instead of ${decodedLength}.`);
  }
  if (/^[0-9a-f]{64}$/.test(contentHash) && createHash('sha256').update(body).digest('hex') !== contentHash) {
    throw new AwsError(
      'XAmzContentSHA256Mismatch',
      'The provided x-amz-content-sha256 header does not match what was computed.',
    );
  }
  const md5 = call.headers['content-md5'];
  if (md5 && createHash('md5').update(body).digest('base64') !== md5) throw badDigest('Content-MD5');
  return { body, checksums: verified({ ...call.headers, ...trailers }, body) };
}

function verified(headers: Readonly<Record<string, string>>, body: Buffer): Record<string, string> {
  const checksums: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith('x-amz-checksum-') || checksumSettings.includes(name)) continue;
    const digest = digests[name];
    if (!digest) throw new AwsError('NotImplemented', `The local cloud does not compute ${name}.`, 501);
    if (digest(body).toString('base64') !== value) throw badDigest(name);
    checksums[name] = value;
  }
  return checksums;
}

function badDigest(name: string): AwsError {
  return new AwsError('BadDigest', `The ${name} you specified did not match what we received.`);
}

/**
 * Decodes `aws-chunked` framing: `size[;chunk-signature=…]\r\n bytes \r\n` until size 0, then trailers
 * (S3 API reference, "Signature calculations: transferring payload in multiple chunks").
 */
function unframe(framed: Buffer): { body: Buffer; trailers: Record<string, string> } {
  const chunks: Buffer[] = [];
  let at = 0;
  const readLine = (): string => {
    const end = framed.indexOf('\r\n', at);
    if (end < 0) throw new AwsError('IncompleteBody', 'The request body terminated unexpectedly.');
    const line = framed.toString('latin1', at, end);
    at = end + 2;
    return line;
  };
  for (;;) {
    const size = Number.parseInt(readLine(), 16);
    if (Number.isNaN(size)) throw new AwsError('InvalidRequest', 'The chunk framing is not valid.');
    if (size === 0) break;
    if (at + size > framed.length) throw new AwsError('IncompleteBody', 'A chunk is truncated.');
    chunks.push(framed.subarray(at, at + size));
    at += size;
    if (readLine() !== '') throw new AwsError('InvalidRequest', 'A chunk is longer than its size.');
  }
  const trailers: Record<string, string> = {};
  while (at < framed.length) {
    const [name, ...value] = readLine().split(':');
    if (name) trailers[name.toLowerCase()] = value.join(':').trim();
  }
  return { body: Buffer.concat(chunks), trailers };
}
