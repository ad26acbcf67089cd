/** Who is set up at SES next, one line for each region, and the turns of names in it. Only the worker `sync-identity` gives turns. */
import { emptyLine, type SetupLine, type SetupTurn } from '../../core/domains/setup-line.ts';
import { codec, nullable, number, sparseFlag } from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import { setupLineKey, setupTurnKey } from '../table/keys.ts';
import { get } from '../table/reads.ts';
import { putIf, remove } from '../table/table.ts';
import type { Write } from '../table/transactions.ts';

const lineCodec = codec<SetupLine>('line of set-ups', {
  nextAt: number,
  nextWantedAt: number,
  owedMs: number,
  version: number,
});
const turnCodec = codec<SetupTurn>('turn of a set-up', {
  at: nullable(number),
  isAhead: sparseFlag,
  wantedAt: nullable(number),
});

/** The line of a region; an empty one where nobody was set up. */
export async function findSetupLine(region: string): Promise<SetupLine> {
  const item = await get(setupLineKey(region));
  return item ? lineCodec.decode(item) : emptyLine;
}

/** Stores a changed line; false where another worker changed it meanwhile. */
export async function replaceSetupLine(region: string, line: SetupLine): Promise<boolean> {
  const stored = { ...line, version: line.version + 1 };
  const condition = line.version === 0 ? { exists: false } : { equal: { version: line.version } };
  return await putIf({ ...setupLineKey(region), ...lineCodec.encode(stored) }, expressionsOf({}, condition));
}

/** The turn of a name in the line of its region. */
export async function findSetupTurn(region: string, name: string): Promise<SetupTurn> {
  const key = setupTurnKey(region, name);
  return turnCodec.decode((await get(key)) ?? { ...key });
}

/** A write of the turn that a name got. */
export function giveTurn(region: string, name: string, turn: Pick<SetupTurn, 'at' | 'isAhead'>): Write {
  return { as: 'turn', update: setupTurnKey(region, name), ...expressionsOf({ set: { ...turn } }) };
}

/** Forgets the turn of a name: SES has verified it, or it is no more to. */
export async function removeSetupTurn(region: string, name: string): Promise<void> {
  await remove(setupTurnKey(region, name));
}
