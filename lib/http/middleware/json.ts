/** Parses the body as JSON. */
import { Problem } from '../../core/problems.ts';
import { parseJson } from '../json.ts';
import type { GatewayEvent, Middleware } from '../request-context.ts';

/** @param isRequired whether a request without a body is refused with `no_body` */
export function json({ isRequired }: { isRequired: boolean }): Middleware {
  return {
    before({ event: context }) {
      if (context.event.body) context.json = parseJson(textOf(context.event));
      else if (isRequired) throw new Problem('no_body', 'This operation needs a JSON body.');
    },
  };
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

/** Whether API Gateway replaced bytes that are not UTF-8 by U+FFFD: the body then has another length than was sent. */
function isLossy(body: string, contentLength: string | undefined): boolean {
  if (contentLength === undefined || !body.includes('\ufffd')) return false;
  return Buffer.byteLength(body) !== Number(contentLength);
}

const notUtf8 = (options: { cause?: unknown } = {}) =>
  new Problem('invalid_json', 'The body is not UTF-8.', options);
