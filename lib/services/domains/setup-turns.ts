/** Turns of domains in the line of those that are set up at SES (docs/decisions/0087-growth.md). */
import { backOff } from '../../adapters/back-off.ts';
import { now } from '../../adapters/clock.ts';
import { leastPollWaitMs, lineFigures, nextSetupStep } from '../../core/domains/setup-line.ts';
import type { SyncIdentity } from '../../core/queue-messages.ts';
import { env } from '../../env.ts';
import {
  findSetupLine,
  findSetupTurn,
  giveTurn,
  replaceSetupLine,
} from '../../storage/domains/setup-lines.ts';
import { commit } from '../../storage/table/transactions.ts';

/** Workers that give turns of one region at the same time are two. */
const triesMax = 10;

/** Whether it is the turn of a domain that SES does not know; else its message comes again, or another one. @throws where others change the line at every try */
export async function isTurnOf(message: SyncIdentity): Promise<boolean> {
  const { region, name, workspaceId } = message;
  for (let tries = 1; tries <= triesMax; tries++) {
    const [line, turn] = await Promise.all([findSetupLine(region), findSetupTurn(region, name)]);
    const step = nextSetupStep(line, turn, now(), env().SES_PAUSE_MS);
    if (step.kind === 'known') return false;
    if (step.line === line) return true;
    if (await replaceSetupLine(region, step.line)) {
      const at = step.kind === 'go' ? now() : step.at;
      const given = giveTurn(region, name, { at, isAhead: turn.wantedAt !== null });
      await commit(workspaceId, [given], step.kind === 'go' ? [] : [{ message, dueAt: at }]);
      return step.kind === 'go';
    }
    await backOff(tries);
  }
  throw new Error(`the line of set-ups in ${region} changed ${triesMax} times meanwhile`);
}

/** The least wait before SES is asked again about a domain. */
export async function pollWaitMin(region: string, name: string): Promise<number> {
  const [line, turn] = await Promise.all([findSetupLine(region), findSetupTurn(region, name)]);
  return leastPollWaitMs(line, turn, now());
}

/** How many domains wait for their set-up in a region. Times are Unix milliseconds. */
export interface SetupFigures {
  readonly region: string;
  readonly waiting: number;
  /** Those of them whose mail waits. */
  readonly ahead: number;
  /** When the last of them has its turn; null: nobody waits. */
  readonly lastAt: number | null;
}

/** The lines of all mail regions. */
export async function setupFigures(): Promise<readonly SetupFigures[]> {
  const { MAIL_REGIONS: regions, SES_PAUSE_MS: pauseMs } = env();
  return await Promise.all(
    regions.map(async (region) => ({
      region,
      ...lineFigures(await findSetupLine(region), now(), pauseMs),
    })),
  );
}
