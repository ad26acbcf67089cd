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

function textOf({ body = '', isBase64Encoded }: GatewayEvent): string {
  if (!isBase64Encoded) return body;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body, 'base64'));
  } catch (cause) {
    throw new Problem('invalid_json', 'The body is not UTF-8.', { cause });
  }
}
