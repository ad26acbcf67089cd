/** How large a function may be: what a cold start loads. */
import type { Contract } from '../../lib/http/contract.ts';

/** An operation that only reads is most of the traffic, and has to start fast. */
export const bundleKilobytesMax = { reading: 450, other: 750 } as const;

/** Whether the lower bound holds. Diagnostics wait for DNS, and load the Public Suffix List. */
export function startsFast({ method, budget }: Pick<Contract, 'method' | 'budget'>): boolean {
  return (method === 'GET' || method === 'HEAD') && budget !== 'provision';
}
