/** The envelope of a message, split into chunks of one SES call each. */

import { type Address, uniqueAddresses } from '../../mail/addresses/addresses.ts';
import { limits } from '../limits.ts';

/** All recipients of a message, each address once. Bcc appears here only. */
export function envelopeOf(message: {
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
}): string[] {
  return uniqueAddresses([...message.to, ...message.cc, ...message.bcc]).map(({ address }) => address);
}

/** The recipients in chunks of at most `size`. Deterministic. */
export function chunksOf(
  envelope: readonly string[],
  size: number = limits.recipientsPerSubmission,
): string[][] {
  return Array.from({ length: Math.ceil(envelope.length / size) }, (_, at) =>
    envelope.slice(at * size, (at + 1) * size),
  );
}
