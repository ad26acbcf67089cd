/** `events.live` over thousands of events and every kind of break: nothing lost, nothing twice. */
import { it } from 'vitest';
import { proveModel } from './support/live-model.ts';

it('gives each of 1,000 events once, in the order of the log, whatever breaks', {
  timeout: 120_000,
}, async () => {
  await proveModel(1000, 60);
});
