/** Reads the body as JSON. */
import { Problem } from '../../domain/problems.ts';
import type { GatewayEvent, Layer } from '../exchange.ts';
import { parseJson } from '../json.ts';

/** @param isRequired whether a request without a body is refused */
export function json({ isRequired }: { isRequired: boolean }): Layer {
  return {
    before({ event: exchange }) {
      if (exchange.event.body) exchange.json = parseJson(textOf(exchange.event));
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
