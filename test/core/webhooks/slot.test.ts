/** Concurrency slots of an endpoint. */
import { describe, expect, it } from 'vitest';
import { composeId } from '../../../lib/core/ids.ts';
import { concurrencySlot } from '../../../lib/core/webhooks/slot.ts';

const ids = Array.from({ length: 3200 }, (_, n) => {
  const random = new Uint8Array(10);
  new DataView(random.buffer).setUint32(6, Math.imul(n, 2_654_435_761));
  return composeId('dlv', 1_700_000_000_000, random);
});

describe('concurrencySlot', () => {
  it('stays below max_concurrency and is the same each time', () => {
    for (const id of ids) {
      expect(concurrencySlot(id, 16)).toBeLessThan(16);
      expect(concurrencySlot(id, 16)).toBe(concurrencySlot(id, 16));
      expect(concurrencySlot(id, 1)).toBe(0);
    }
  });

  it('spreads deliveries over all slots', () => {
    const counts = new Map<number, number>();
    for (const id of ids)
      counts.set(concurrencySlot(id, 128), (counts.get(concurrencySlot(id, 128)) ?? 0) + 1);
    expect(counts.size).toBe(128);
    expect(Math.max(...counts.values())).toBeLessThan(75);
  });
});
