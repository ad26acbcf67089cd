/** The local clouds of a drill, one after the other on one clock: what outlives a loss is in the folder. */
import { type Cloud, startCloud } from '../../lib/local/index.ts';

export interface DrillCloud {
  readonly folder: string;
  readonly skew: SharedArrayBuffer;
  /** A table that the deployment adopts; absent: its own. */
  readonly tableName?: string;
}

/** Lets `use` work with a cloud, which ends afterwards. */
export async function withCloud<T>(
  { folder: dataFolder, skew: clockSkew, tableName }: DrillCloud,
  use: (cloud: Cloud) => Promise<T>,
): Promise<T> {
  const cloud = await startCloud({
    dataFolder,
    clockSkew,
    ...(tableName !== undefined && { tableName }),
    limits: { ses: { managementCallsPerSecond: Number.POSITIVE_INFINITY } },
  });
  try {
    return await use(cloud);
  } finally {
    await cloud.close();
  }
}
