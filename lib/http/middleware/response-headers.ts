/** Adds the headers that every response carries: `Cache-Control` and `X-Request-ID`. */
import type { Middleware } from '../request-context.ts';

export function responseHeaders(): Middleware {
  const complete: NonNullable<Middleware['after']> = ({ event: context, response }) => {
    if (!response) return;
    response.headers = {
      ...response.headers,
      'cache-control': 'private, no-store',
      'x-request-id': context.requestId,
    };
  };
  return { after: complete, onError: complete };
}
