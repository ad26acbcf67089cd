/** The headers that every response carries, whatever its status (interface, general rules 5 and 7). */
import type { Layer } from '../exchange.ts';

export function responseHeaders(): Layer {
  const complete: NonNullable<Layer['after']> = ({ event: exchange, response }) => {
    if (!response) return;
    response.headers = {
      ...response.headers,
      'cache-control': 'private, no-store',
      'x-request-id': exchange.requestId,
    };
  };
  return { after: complete, onError: complete };
}
