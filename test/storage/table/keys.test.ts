import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import { addToScheduleIndex } from '../../../lib/storage/emails/schedule-index.ts';
import * as keys from '../../../lib/storage/table/keys.ts';
import { spread } from '../../support/spread.ts';

const workspace = newId('wks');
// Its lists have all partitions that they may have.
spread(workspace, now());

/** Partition keys by the name of their builder, built for a workspace and sample arguments. */
const partitions = Object.entries(keys).flatMap(([name, builder]) => {
  if (typeof builder !== 'function' || ['activitySort', 'suppressionTail'].includes(name)) return [];
  const made = (builder as (...given: string[]) => string | readonly string[] | keys.Key)(
    workspace,
    'one',
    'two',
    'three',
  );
  const pks = typeof made === 'object' && 'pk' in made ? [made.pk] : [made].flat();
  return pks.map((pk) => ({ name, pk }));
});

describe('every partition key', () => {
  it('begins with its workspace, except for these global look-ups', () => {
    expect(partitions.length).toBeGreaterThan(40);
    const isOwn = ({ pk }: { pk: string }) => pk === `W#${workspace}` || pk.startsWith(`W#${workspace}#`);
    const global = partitions.filter((one) => !isOwn(one));
    expect(global.map(({ name, pk }) => `${name}: ${pk.split('#')[0]}`).sort()).toEqual([
      'appSlugKey: APPSLUG',
      'connectionOwnerKey: CONNECTION',
      'domainClaimKey: DOMAIN',
      'domainClaims: DOMAIN',
      'identityKey: IDENTITY',
      'keyHashKey: KEYHASH',
      'loginKey: LOGIN',
      'membershipKey: MEMBEROF',
      'memberships: MEMBEROF',
      'operatorAuditKey: AUDIT',
      'providedRefusalKey: PROVIDED',
      'pushAddress: PUSHADDR',
      'pushAddressKey: PUSHADDR',
      'requestBudgetKey: BUDGET',
      'scheduleBound: SCHEDULE',
      'scheduleKey: SCHEDULE',
      'scheduleShard: SCHEDULE',
      'sendLimiterKey: LIMITER',
      'setupLineKey: SETUP',
      'setupTurnKey: IDENTITY',
      'slugKey: SLUG',
      'timerBound: TIMER',
      'timerKey: TIMER',
      'workspaceListKey: WORKSPACES',
    ]);
  });
});

describe('the schedule index', () => {
  it('is spread evenly over its shards when everything is due at one time', () => {
    const at = now();
    const shards = Array.from({ length: 800 }, () => {
      const write = addToScheduleIndex(newId('wks'), newId('eml'), at);
      return 'put' in write ? write.put.pk : '';
    });
    const sizes = Object.values(Object.groupBy(shards, (pk) => pk)).map((of) => of?.length ?? 0);
    expect(sizes).toHaveLength(keys.scheduleShards);
    // Twice the average is fifteen standard deviations above it.
    expect(Math.max(...sizes)).toBeLessThan((2 * shards.length) / keys.scheduleShards);
  });
});
