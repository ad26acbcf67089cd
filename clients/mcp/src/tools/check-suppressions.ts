/** Whether addresses are suppressed: sends leave them out. */
import * as z from 'zod';
import type { Parley, Suppression } from '../../../typescript/src/index.ts';
import { limits } from '../limits.ts';
import { type Facts, Untrusted } from '../result.ts';
import { oneLine } from '../shown-text.ts';
import { reads, tool } from '../tool.ts';

/** The suppressions of an address; null: there were too many to look at. */
async function suppressionsOf(
  parley: Parley,
  address: string,
  signal: AbortSignal,
): Promise<Suppression[] | null> {
  const found: Suppression[] = [];
  let next: string | null = null;
  for (let pages = 0; pages < limits.pages; pages += 1) {
    const page = await parley.suppressions.list(
      { address, limit: 100, ...(next !== null && { cursor: next }) },
      { signal },
    );
    // The filter also finds addresses that contain this one.
    found.push(...page.items.filter((one) => one.address.toLowerCase() === address.toLowerCase()));
    next = page.next_cursor;
    if (next === null) return found;
  }
  return found.length > 0 ? found : null;
}

function facts(address: string, found: readonly Suppression[] | null): Facts {
  return {
    address: oneLine(address, 320),
    suppressed: found === null ? 'unknown: too many suppressions to look through' : found.length > 0,
    ...(found !== null &&
      found.length > 0 && {
        suppressions: found.slice(0, limits.listed).map((one) => ({
          scope: one.scope,
          list: one.key,
          reason: one.reason,
          space_id: one.space_id ?? undefined,
          since: one.created_at,
          ...(one.note !== null && { untrusted: new Untrusted({ note: oneLine(one.note, 200) }) }),
        })),
      }),
  };
}

export const checkSuppressions = tool({
  name: 'check_suppressions',
  title: 'Check suppressions',
  description:
    'Tells which addresses get nothing, and why: a bounce, a complaint, unsubscribing, or by hand. scope all: no email; optional: no ' +
    'optional email such as newsletters. list "*": everywhere; another list: only sends that name it.',
  scope: 'read',
  annotations: { ...reads, openWorldHint: false },
  input: z.strictObject({
    addresses: z
      .array(z.string().trim().min(3).max(320))
      .min(1)
      .max(10)
      .describe('Addresses without names, 1 to 10.'),
  }),
  async run({ addresses }, { parley, signal }) {
    const found: Facts[] = [];
    for (const address of addresses)
      found.push(facts(address, await suppressionsOf(parley, address, signal)));
    return { addresses: found };
  },
});
