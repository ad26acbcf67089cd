/** `bench/chains.json`: what the chains used when they were measured, for `npm run cost`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChainsMeasured } from './chain-page.ts';
import type { ChainSums } from './chain-sums.ts';
import type { FixedUse } from './month.ts';

const file = join(import.meta.dirname, '../../bench/chains.json');

/** Of one email of a chain. */
export type ChainUse = Pick<ChainSums, 'usage' | 'stored'>;

export interface KeptFigures {
  /** `2026-11-26` */
  readonly measuredOn: string;
  readonly chains: Readonly<Record<string, ChainUse>>;
  readonly fixedUse: FixedUse;
}

export function keepFigures({ chains, fixedUse }: ChainsMeasured, measuredOn: string): void {
  const kept: KeptFigures = {
    measuredOn,
    chains: Object.fromEntries(
      chains.map(({ name, sums: { usage, stored } }) => [name, { usage, stored }] as const),
    ),
    fixedUse,
  };
  writeFileSync(file, `${JSON.stringify(kept, rounded, 2)}\n`);
}

export function keptFigures(): KeptFigures {
  return JSON.parse(readFileSync(file, 'utf8')) as KeptFigures;
}

/** Four digits: more would differ from one measurement to the next. */
const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(4)) : value;
