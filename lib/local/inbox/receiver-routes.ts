/** The control routes of the built-in webhook receiver. */
import * as z from 'zod';
import { ControlResponse, type ControlRoutes } from '../control-route.ts';
import type { Receiver } from './receiver.ts';

const bodies = {
  endpoint: z.strictObject({ endpoint_id: z.string().max(100), secret: z.string().max(200) }),
  settings: z.strictObject({ status: z.int().min(200).max(599) }),
};

export function receiverRoutes(receiver: Receiver): ControlRoutes {
  return {
    'GET /receiver': {
      summary: 'Lists the webhooks that the built-in receiver got, newest first; ?limit=.',
      handle: ({ query }) => ({
        data: receiver
          .list()
          .slice(0, Number(query.get('limit') ?? 100) || 100)
          .map(({ position, at, endpointId, ...webhook }) => ({
            id: String(position),
            at: new Date(at).toISOString(),
            endpoint_id: endpointId,
            ...webhook,
          })),
        status: receiver.settings.status,
        endpoints: receiver.endpoints().map(({ token, id }) => ({ path: token, endpoint_id: id })),
      }),
    },
    'DELETE /receiver': { summary: 'Forgets the received webhooks.', handle: () => receiver.clear() },
    'POST /receiver': {
      summary: 'Sets the status that the receiver answers with: {status}.',
      handle: ({ body }) => {
        receiver.settings.status = body(bodies.settings).status;
      },
    },
    'POST /receiver/{path}': {
      summary: 'Receives a webhook; an endpoint has the URL …/_control/receiver/NAME.',
      handle: ({ parameters, headers, rawBody }) => {
        const status = receiver.take(parameters.path ?? '', headers, rawBody);
        return new ControlResponse(
          Buffer.from(`answered ${status}\n`),
          { 'content-type': 'text/plain' },
          status,
        );
      },
    },
    'POST /receiver/{path}/endpoint': {
      summary: 'Tells the receiver which endpoint sends to a path, and its secret: {endpoint_id, secret}.',
      handle: ({ parameters, body }) => {
        const { endpoint_id: id, secret } = body(bodies.endpoint);
        receiver.connect(parameters.path ?? '', { id, secret });
      },
    },
  };
}
