/** Reads request bodies: media type, encoding and JSON (docs/concepts/errors.md). */
import { Problem } from '../core/problems.ts';
import { parseJson } from './json.ts';
import type { GatewayEvent, RequestContext } from './request-context.ts';

/** JSON is UTF-8 (RFC 8259, section 8.1); another charset parameter is refused. */
const jsonType = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/**
 * The JSON of a request; undefined where it has no body. API Gateway may add a Content-Type to a request without one.
 *
 * @throws Problem unsupported_media_type, invalid_json, or as `parseJson`
 */
export function readJson({ event, headers }: Pick<RequestContext, 'event' | 'headers'>): unknown {
  if (!event.body) return undefined;
  if (jsonType.test(headers['content-type'] ?? '')) return parseJson(withoutMark(textOf(event)));
  throw new Problem('unsupported_media_type', 'Send the body with "Content-Type: application/json".');
}

function textOf({ body = '', isBase64Encoded, headers }: GatewayEvent): string {
  if (!isBase64Encoded) {
    if (isLossy(body, headers['content-length'])) throw notUtf8();
    return body;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body, 'base64'));
  } catch (cause) {
    throw notUtf8({ cause });
  }
}

/** Parsers may ignore a byte order mark (RFC 8259, section 8.1). */
const withoutMark = (text: string): string => text.replace(/^\ufeff/, '');

/** Whether API Gateway replaced bytes that are not UTF-8 by U+FFFD: the body then has another length than was sent. */
function isLossy(body: string, contentLength: string | undefined): boolean {
  if (contentLength === undefined || !body.includes('\ufffd')) return false;
  return Buffer.byteLength(body) !== Number(contentLength);
}

const notUtf8 = (options: { cause?: unknown } = {}) =>
  new Problem('invalid_json', 'The body is not UTF-8.', options);
