/** What the parts of a drill of two regions have in common. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namesOf } from '../../lib/constructs/names.ts';
import { type Cloud, homeRegion, localAccount, mailRegions } from '../../lib/local/index.ts';
import type { EventReceiver } from '../event-receiver.ts';
import type { Random } from '../random.ts';
import type { Ledger } from '../restore/load.ts';
import { patiently } from '../run-cloud.ts';

export const homeTable = 'parley';
export const minuteMs = 60_000;

export const names = namesOf({ prefix: homeTable, account: localAccount, homeRegion });

export interface Stage {
  readonly skew: SharedArrayBuffer;
  readonly random: Random;
  readonly receiver: EventReceiver;
  readonly ledger: Ledger;
}

/** An object of the content bucket or of a mail region. */
export interface StoredObject {
  readonly bucket: string;
  readonly key: string;
  readonly body: Uint8Array;
}

/** A message of SES for a queue of both regions. */
export interface Notification {
  readonly queue: string;
  readonly body: string;
}

export type Sent = ReturnType<Cloud['ses']['sent']>;

/** Lets `use` work with a folder, which is removed afterwards. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-region-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** All objects of the content bucket and of the mail regions, with the time of the last change. */
export async function objectsOf({
  s3,
}: Pick<Cloud, 's3'>): Promise<(StoredObject & { readonly modifiedAt: number })[]> {
  const objects: (StoredObject & { modifiedAt: number })[] = [];
  for (const bucket of [names.contentBucket, ...mailRegions.map(names.rawMailBucket)]) {
    for (const { key } of s3.list(bucket)) {
      const object = await s3.get(bucket, key);
      if (object) objects.push({ bucket, key, body: object.body, modifiedAt: object.modifiedAt });
    }
  }
  return objects;
}

/** Hours pass, with all that is due in them. */
export async function pass(cloud: Pick<Cloud, 'clock' | 'settle'>, minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 10) {
    await patiently(() => cloud.clock.advance(10 * minuteMs));
  }
  await patiently(cloud.settle);
}

export async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  const beganAt = performance.now();
  return { result: await work(), ms: performance.now() - beganAt };
}
