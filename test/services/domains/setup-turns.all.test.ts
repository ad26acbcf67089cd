/** Turns of domains in the line of those that are set up at SES. */
import { expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import { emptyLine } from '../../../lib/core/domains/setup-line.ts';
import type { SyncIdentity } from '../../../lib/core/queue-messages.ts';
import { wantIdentity } from '../../../lib/services/domains/identity-state.ts';
import { isTurnOf, pollWaitMin, setupFigures } from '../../../lib/services/domains/setup-turns.ts';
import { noteWanted } from '../../../lib/storage/domains/identities.ts';
import { findSetupLine, findSetupTurn, replaceSetupLine } from '../../../lib/storage/domains/setup-lines.ts';
import { commit } from '../../../lib/storage/table/transactions.ts';
import { ownCalls } from '../../support/calls.ts';

const hour = 3_600_000;

/** A domain in a region that no other test uses, where others wait for an hour. */
async function waiting() {
  const region = `test-${newId('dom')}`;
  const nextAt = now() + hour;
  await replaceSetupLine(region, { ...emptyLine, nextAt });
  const message: SyncIdentity = {
    kind: 'sync-identity',
    v: 1,
    workspaceId: newId('wks'),
    domainId: newId('dom'),
    region,
    name: 'waits.test',
    polls: 0,
  };
  return { message, nextAt };
}

it('a domain gets one turn behind the others, however often its message comes', async () => {
  const { message, nextAt } = await waiting();
  const { region, name } = message;
  expect(await isTurnOf(message)).toBe(false);
  expect(await findSetupTurn(region, name)).toEqual({ at: nextAt, isAhead: false, wantedAt: null });
  const calls = await ownCalls(async () => expect(await isTurnOf(message)).toBe(false));
  expect(calls.filter((action) => !/Get/.test(action))).toEqual([]);
  expect(await pollWaitMin(region, name)).toBe(600_000);
});

it('a domain whose mail waits goes ahead', async () => {
  const { message } = await waiting();
  const { region, name, workspaceId } = message;
  expect(await isTurnOf(message)).toBe(false);
  await commit(workspaceId, [noteWanted(region, name)]);
  expect(await isTurnOf(message)).toBe(true);
  expect(await pollWaitMin(region, name)).toBe(90_000);
  expect((await findSetupLine(region)).nextWantedAt).toBeGreaterThan(0);
});

it('mail that waits asks once, and a name that nobody claims leaves the line', async () => {
  const { message } = await waiting();
  const { region, name, workspaceId, domainId } = message;
  expect(await isTurnOf(message)).toBe(false);
  const sender = { provided: false, region, name, domainId };
  await wantIdentity(workspaceId, sender);
  expect(await ownCalls(() => wantIdentity(workspaceId, sender))).toEqual([]);
  expect((await findSetupTurn(region, name)).at).toBe(null);
});

it('the provided domain is set up by the deployment', async () => {
  const { message } = await waiting();
  const { region, name, workspaceId, domainId } = message;
  const sender = { provided: true, region, name, domainId };
  expect(await ownCalls(() => wantIdentity(workspaceId, sender))).toEqual([]);
});

it('the operator sees the line of each mail region', async () => {
  const figures = await setupFigures();
  expect(figures.map(({ region }) => region)).toContain('us-east-1');
  for (const { waiting, ahead } of figures) expect(waiting).toBeGreaterThanOrEqual(ahead);
});
