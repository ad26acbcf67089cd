/** The local clouds of a drill, one after the other on one clock: what outlives a loss is in the folder. */
import { type Cloud, startCloud } from '../../lib/local/index.ts';
import { patiently } from '../run-cloud.ts';

export interface DrillCloud {
  readonly folder: string;
  readonly skew: SharedArrayBuffer;
  /** A table that the deployment adopts; absent: its own. */
  readonly tableName?: string;
  /** The setting; absent: there is no fence. */
  readonly standbyRegion?: string;
}

/** Lets `use` work with a cloud, which ends afterwards. */
export async function withCloud<T>(
  { folder: dataFolder, skew: clockSkew, tableName, standbyRegion }: DrillCloud,
  use: (cloud: Cloud) => Promise<T>,
): Promise<T> {
  const atMs = Date.now() + (new Float64Array(clockSkew)[0] ?? 0);
  const cloud = await startCloud({
    dataFolder,
    clockSkew,
    ...(tableName !== undefined && { tableName }),
    ...(standbyRegion !== undefined && { standbyRegion }),
    limits: { ses: { managementCallsPerSecond: Number.POSITIVE_INFINITY } },
  });
  try {
    // A folder has the time of its last run, or none.
    await patiently(() => cloud.clock.advance(Math.max(atMs - cloud.clock.now(), 0)));
    return await use(cloud);
  } finally {
    await cloud.close();
  }
}
