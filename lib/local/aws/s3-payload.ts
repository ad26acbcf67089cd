/** Request bodies of S3: verifies size and checksums. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { notImplemented } from './s3-headers.ts';
import { type AwsCall, AwsError } from './service.ts';

/** Largest object. */
const objectBytesMax = 64 * 1024 * 1024;

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
 * The body.
 *
 * @throws AwsError for a wrong size or digest, with S3's code
 */
export function readPayload(call: AwsCall): Payload {
  const { body } = call;
  const contentHash = call.headers['x-amz-content-sha256'] ?? '';
  if (contentHash.startsWith('STREAMING-')) notImplemented('aws-chunked bodies');
  if (body.length > objectBytesMax) {
    throw new AwsError('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
  }
  if (/^[0-9a-f]{64}$/.test(contentHash) && createHash('sha256').update(body).digest('hex') !== contentHash) {
    throw new AwsError(
      'XAmzContentSHA256Mismatch',
      'The provided x-amz-content-sha256 header does not match what was computed.',
    );
  }
  const md5 = call.headers['content-md5'];
  if (md5 && createHash('md5').update(body).digest('base64') !== md5) throw badDigest('Content-MD5');
  return { body, checksums: verified(call.headers, body) };
}

function verified(headers: Readonly<Record<string, string>>, body: Buffer): Record<string, string> {
  const checksums: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith('x-amz-checksum-') || checksumSettings.includes(name)) continue;
    const digest = digests[name] ?? notImplemented(name);
    if (digest(body).toString('base64') !== value) throw badDigest(name);
    checksums[name] = value;
  }
  return checksums;
}

function badDigest(name: string): AwsError {
  return new AwsError('BadDigest', `The ${name} you specified did not match what we received.`);
}
