/** Measures the memory of the largest batch of webhook attempts: bodies of format v1, as long as an email may be, all at receivers at the same time. */
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { deliverWebhookWorker } from '../../functions/workers/deliver-webhook.contract.ts';
import { limits } from '../../lib/core/limits.ts';
import { newDelivery } from '../../lib/core/webhooks/delivery.ts';
import type { StoredEvent } from '../../lib/core/webhooks/event.ts';
import { deliverMessage } from '../../lib/services/webhooks/deliver-message.ts';
import { createV1Endpoint } from '../../lib/services/webhooks/endpoints.ts';
import { listEvents } from '../../lib/storage/webhooks/events.ts';
import { listen } from '../listen.ts';
import { type Peak, peakOf, runs, worst } from './peak.ts';
import { type Stage, succeeded, type Tenant } from './stage.ts';

export interface AttemptFigures extends Peak {
  readonly attempts: number;
  /** Of each body. */
  readonly bodyMegabytes: number;
}

const { trigger, memoryMb } = deliverWebhookWorker;
const attempts = trigger.kind === 'queue' ? trigger.batchSize : 1;

/** As long as a request allows. The letter beyond Latin makes every character take two bytes in memory. */
const bodyOf = (line: string) => `→${line.repeat((limits.bodyBytes - 3) / line.length)}`;

/** @param outdir where the bundle is */
export async function measureAttempts(stage: Stage, outdir: string): Promise<AttemptFigures> {
  const tenant = await stage.workspace();
  const event = await sendLong(stage, tenant);
  const receiver = await startReceiver();
  const settings = {
    url: receiver.url,
    enabled: true,
    subscriptions: [event.type],
    routing: [],
    maxConcurrency: 1,
  };
  const newMessage = async () => {
    const { id: endpointId } = await createV1Endpoint(tenant.id, settings, 'a secret');
    return deliverMessage(
      { workspaceId: tenant.id, endpointId },
      newDelivery(event, endpointId, event.createdAt),
    );
  };
  const peaks: Peak[] = [];
  for (let run = 0; run < runs; run++) {
    const messages = await Promise.all(Array.from({ length: attempts }, newMessage));
    const task = { module: join(outdir, 'deliver-webhook.mjs'), batches: [messages] };
    peaks.push(await peakOf(task, stage.cloud.environment, memoryMb));
  }
  const { batches, bodyBytes } = receiver.close();
  if (batches !== runs)
    throw new Error(`${batches} of ${runs} batches were at the receiver at the same time`);
  return { attempts, bodyMegabytes: bodyBytes / 2 ** 20, ...worst(peaks) };
}

/** Sends an email as long as a request allows; returns the event of its delivery. */
async function sendLong(stage: Stage, { id, address, call }: Tenant): Promise<StoredEvent> {
  const bodies = { text: bodyOf('a line of some length\n'), html: bodyOf('<p>a line of some length</p>\n') };
  succeeded(
    await call('POST', '/emails', { from: address, to: 'anna@example.test', subject: 'Long', ...bodies }),
  );
  await stage.rest();
  const filter = { types: ['email.delivered'] } as const;
  const { items } = await listEvents(id, filter, 'newest first', { limit: 1, after: null });
  if (!items[0]) throw new Error('the email was not delivered');
  return items[0];
}

/** A receiver that answers when it has a whole batch. `close` says how many batches, and the size of the largest body. */
async function startReceiver() {
  const seen = { batches: 0, bodyBytes: 0 };
  const waiting: ServerResponse[] = [];
  const { origin, close } = await listen(async (request, response) => {
    let bytes = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) bytes += chunk.length;
    seen.bodyBytes = Math.max(seen.bodyBytes, bytes);
    if (waiting.push(response) < attempts) return;
    seen.batches += 1;
    for (const one of waiting.splice(0)) one.end();
  });
  return {
    url: `${origin}/hook`,
    close() {
      close();
      return seen;
    },
  };
}
