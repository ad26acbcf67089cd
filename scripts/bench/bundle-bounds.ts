/** How large a function may be: what a cold start loads. */
import type { Contract } from '../../lib/http/contract.ts';

/**
 * An operation that only reads is most of the traffic, and has to start fast. What receives mail knows the words of twenty
 * languages and finds hidden text, and nobody waits for it.
 */
export const bundleKilobytesMax = { reading: 475, receiving: 900, other: 800 } as const;

/** The functions that receive mail. */
export const receivingFunctions: ReadonlySet<string> = new Set(['receive-mail', 'receive-mailbox-mail']);

/** Whether the lower bound holds. Diagnostics wait for DNS, and load the Public Suffix List. */
export function startsFast({ method, budget }: Pick<Contract, 'method' | 'budget'>): boolean {
  return (method === 'GET' || method === 'HEAD') && budget !== 'provision';
}
