/** The call in an HTTP request to the gateway. */
import type { IncomingMessage } from 'node:http';
import type { AwsCall, NeededPermission } from './service.ts';
import { readCredential } from './sigv4.ts';

/** S3's largest object here plus chunk framing. */
const bodyBytesMax = 66 * 1024 * 1024;

/** The body; null when it is too large. */
export async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    // Reads the rest, so that the client sees the error instead of a connection reset.
    if (bytes <= bodyBytesMax) chunks.push(chunk);
  }
  return bytes <= bodyBytesMax ? Buffer.concat(chunks) : null;
}

/** The call; null when it is not signed. */
export function readCall(
  request: IncomingMessage,
  body: Buffer,
  metered: boolean,
  isAllowed: (principal: string, needed: NeededPermission) => boolean,
): AwsCall | null {
  const target = request.url ?? '/';
  const queryAt = target.indexOf('?');
  const rawPath = queryAt < 0 ? target : target.slice(0, queryAt);
  const path = decodePath(rawPath);
  const query = new URLSearchParams(queryAt < 0 ? '' : target.slice(queryAt + 1));
  const credential = readCredential(request.headers.authorization, query);
  if (!credential || path === null) return null;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    headers[name] = Array.isArray(value) ? value.join(',') : (value ?? '');
  }
  return {
    ...credential,
    method: request.method ?? 'GET',
    path: credential.service === 's3' ? withHostBucket(path, request.headers.host) : path,
    rawPath,
    query,
    headers,
    body,
    metered,
    isAllowed: (needed) => isAllowed(credential.principal, needed),
  };
}

/** The path-style form of a virtual-hosted-style request: `BUCKET.s3.REGION.amazonaws.com`, `BUCKET.localhost` (S3 user guide, "Virtual hosting of general purpose buckets"). */
function withHostBucket(path: string, host = ''): string {
  const bucket = /^([a-z0-9][a-z0-9.-]+?)\.(?:s3[.-]|localhost(?::|$))/.exec(host)?.[1];
  return bucket === undefined ? path : `/${bucket}${path}`;
}

function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
