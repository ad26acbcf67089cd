/** Sets the request id: the client's `X-Request-ID` when it is valid, else a new one. */
import { newToken } from '../../adapters/ids.ts';
import type { Middleware } from '../request-context.ts';

const valid = /^[A-Za-z0-9._:-]{1,128}$/;

export function requestId(): Middleware {
  return {
    before({ event: context }) {
      const given = context.headers['x-request-id'];
      context.requestId = given !== undefined && valid.test(given) ? given : newToken(16);
    },
  };
}
