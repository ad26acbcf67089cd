/** The envelope of a message: everyone it goes to, in the groups that SES takes in one call. */
import { limits } from '../limits.ts';
import { type Address, uniqueAddresses } from './addresses.ts';

/** Everyone a message goes to, each address once. Bcc stands here and nowhere in the message. */
export function envelopeOf(message: {
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
}): string[] {
  return uniqueAddresses([...message.to, ...message.cc, ...message.bcc]).map(({ address }) => address);
}

/** The recipients in groups of at most `size`. The same envelope always gives the same chunks. */
export function chunksOf(
  envelope: readonly string[],
  size: number = limits.recipientsPerSubmission,
): string[][] {
  return Array.from({ length: Math.ceil(envelope.length / size) }, (_, at) =>
    envelope.slice(at * size, (at + 1) * size),
  );
}
