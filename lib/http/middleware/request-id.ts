/** Names every request: the client's own valid `X-Request-ID`, else a fresh one (interface, general rule 7). */
import { newToken } from '../../adapters/ids.ts';
import type { Layer } from '../exchange.ts';

const valid = /^[A-Za-z0-9._:-]{1,128}$/;

export function requestId(): Layer {
  return {
    before({ event: exchange }) {
      const given = exchange.headers['x-request-id'];
      exchange.requestId = given !== undefined && valid.test(given) ? given : newToken(16);
    },
  };
}
