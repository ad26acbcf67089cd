/**
 * One drill of two regions in the local cloud: load, the loss of the home region in the middle of it, with a copy that lags item by item, and its
 * fence; in another cloud, which has nothing but the copies: reconciliation, take-over, replay, and traffic that goes on; then the home region,
 * which is back with all that it had (docs/regions.md).
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setEnvironmentData } from 'node:worker_threads';
import { clockSkewKey } from '../../lib/adapters/clock.ts';
import { newSkew } from '../../lib/local/index.ts';
import { startEventReceiver } from '../event-receiver.ts';
import { seeded } from '../random.ts';
import { withCloud } from '../restore/drill-cloud.ts';
import { newLedger } from '../restore/load.ts';
import { type Load, untilLost } from './lose-home.ts';
import { inFolder, type Stage } from './stage.ts';
import { type Stopped, type TakeOver, takeOver } from './take-over.ts';
import { type Return, standbyRegion, unfencedReturn, type WayHome, wayHome } from './way-home.ts';

/** `actions`: also after the take-over, and after the way home. */
export interface RegionDrill extends Load {
  readonly seed: number;
}

export interface RegionOutcome extends TakeOver, Pick<Stopped, 'cameLate' | 'cameBackAndSent'> {
  /** Lost emails that came back with the home region. */
  readonly cameBack: number;
  readonly wayHome: WayHome;
  /** The same home region, if it had not been fenced. */
  readonly unfenced: Return;
}

export async function runRegionDrill({ seed, ...load }: RegionDrill): Promise<RegionOutcome> {
  const skew = newSkew();
  setEnvironmentData(clockSkewKey, skew);
  const receiver = await startEventReceiver();
  const stage: Stage = { skew, random: seeded(seed), receiver, ledger: newLedger() };
  try {
    return await inFolder((folder) => inBothRegions(folder, stage, load));
  } finally {
    receiver.close();
  }
}

async function inBothRegions(folder: string, stage: Stage, load: Load): Promise<RegionOutcome> {
  const [home, unfenced, standby] = ['home', 'unfenced', 'standby'].map((name) => join(folder, name));
  if (!home || !unfenced || !standby) throw new Error('a folder has no name');
  const loss = await withCloud({ ...stage, folder: home, standbyRegion }, (cloud) =>
    untilLost(cloud, stage, load),
  );
  cpSync(home, unfenced, { recursive: true });
  const stopped = await takeOver(standby, stage, loss, load);
  const regions = { loss, stopped };
  const back = await wayHome(home, stage, regions, load.actions);
  return {
    ...stopped.takeOver,
    cameLate: stopped.cameLate,
    cameBack: stopped.cameBack.length,
    cameBackAndSent: stopped.cameBackAndSent,
    wayHome: back,
    // Last: what it posts comes to the receiver of all.
    unfenced: await unfencedReturn(unfenced, stage, regions),
  };
}
