/** Measures the workers at rest, one message at a time, by letting everything happen that sets one of them off. */
import { workers as allWorkers } from '../../functions/workers.ts';
import { connectAt } from '../../test/support/connect-mailbox.ts';
import { mailOf5Kb, replyTo } from '../../test/support/conversation.ts';
import { median } from './figures.ts';
import { type Profile, profileOf } from './observe.ts';
import { localNames, type Scene, type Stage, succeeded, type Tenant } from './stage.ts';

export interface WorkerFigures extends Profile {
  readonly id: string;
  /** Of one invocation. */
  readonly p50: number;
}

const minuteMs = 60_000;
/** Rounds before the measured ones, so that code and connections are warm. */
const warmUps = 2;

/** @throws Error naming each worker that nothing here sets off */
export async function measureWorkers(
  stage: Stage,
  rounds: number,
  progress: (text: string) => void,
): Promise<WorkerFigures[]> {
  const setOff = await prepareWorkers(stage);
  for (let round = 0; round < warmUps; round++) await setOff(`warm-${round}`);
  stage.cloud.gateway.recorder.metering = true;
  stage.observer.takeAll();
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round} of ${rounds}`);
    await setOff(String(round));
  }
  stage.cloud.gateway.recorder.metering = false;
  const observed = stage.observer.takeAll();
  const idle = workers.filter(({ id }) => !observed.has(localNames.workerFunction(id)));
  if (idle.length > 0) {
    const names = idle.map(({ id }) => id).join(', ');
    throw new Error(`scripts/bench/measure-workers.ts: nothing sets off ${names}`);
  }
  return workers.map(({ id }) => {
    const invocations = observed.get(localNames.workerFunction(id)) ?? [];
    return { id, ...profileOf(invocations), p50: median(invocations.map(({ ms }) => ms)) };
  });
}

/** The local cloud has no canary. */
export const workers = allWorkers.filter(({ id }) => id !== 'canary');

/** Prepares what sets off the workers; the result sets each of them off once. @param round a name for domains and subjects */
export async function prepareWorkers(scene: Scene): Promise<(round: string) => Promise<void>> {
  const tenant = await scene.workspace();
  const url = await scene.receiver();
  const subscriptions = ['email.received', 'email.sent', 'email.delivered', 'thread.created'];
  succeeded(await tenant.call('POST', '/webhook-endpoints', { url, subscriptions }));
  const actors = {
    url,
    tenant,
    mailbox: await connectMailbox(scene, tenant),
    paced: await pacedWorkspace(scene),
  };
  return (round) => oneRound(scene, actors, round);
}

interface Actors {
  /** Of the receiver. */
  readonly url: string;
  readonly tenant: Tenant;
  readonly mailbox: Mailbox;
  /** A workspace whose emails wait for a pacing rule. */
  readonly paced: Tenant;
}

interface Mailbox {
  readonly address: string;
  /** A message arrives. */
  receive(subject: string): Promise<void>;
}

/** Connects a mailbox at the emulated Google. */
async function connectMailbox({ cloud, rest }: Scene, { call }: Tenant): Promise<Mailbox> {
  const address = 'worker@mailbox.example';
  const request = { provider: 'google', return_to: 'https://acme.test/connected' };
  const { url } = succeeded(await call('POST', '/mailboxes/connect', request)) as unknown as { url: string };
  await connectAt(url, { address });
  await rest();
  return {
    address,
    async receive(subject) {
      const head = ['From: anna@example.test', `To: ${address}`, `Subject: ${subject}`];
      const raw = [...head, '', 'Hello', ''].join('\r\n');
      const response = await fetch(
        `${cloud.controlUrl}/mailbox-providers/google/accounts/${address}/messages`,
        { method: 'POST', body: JSON.stringify({ raw }) },
      );
      if (!response.ok) throw new Error(`the emulated mailbox took no message: ${response.status}`);
    },
  };
}

async function pacedWorkspace(stage: Scene): Promise<Tenant> {
  const tenant = await stage.workspace();
  const limit = { scope: 'rule', amount: 1000, per_seconds: 3600 };
  const rule = { name: 'Paced', match: [], kind: 'limit', limit };
  succeeded(await tenant.call('POST', '/pacing-rules', rule));
  return tenant;
}

async function oneRound(stage: Scene, { url, tenant, mailbox, paced }: Actors, round: string): Promise<void> {
  const { cloud, rest } = stage;
  const { address, call } = tenant;
  const subscriptions = ['email.received'];
  const endpoint = succeeded(await call('POST', '/webhook-endpoints', { url, subscriptions }));
  succeeded(await call('POST', '/emails', mailOf5Kb(address)));
  await rest();
  await stage.mailIn(replyTo(address));
  await rest();
  succeeded(await call('POST', '/emails', mailOf5Kb(mailbox.address)));
  await rest();
  await mailbox.receive(`Round ${round}`);
  succeeded(await paced.call('POST', '/emails', mailOf5Kb(paced.address)));
  await rest();
  const soon = new Date(cloud.clock.now() + 20 * minuteMs).toISOString();
  succeeded(await call('POST', '/emails', { ...mailOf5Kb(address), scheduled_at: soon }));
  const domain = succeeded(await call('POST', '/domains', { name: `worker-${round}.test` }));
  await rest();
  // The scheduled email goes out after 20 minutes; the domain is looked up, and set up at SES, after an hour.
  await cloud.clock.advance(61 * minuteMs);
  await rest();
  succeeded(await call('DELETE', `/domains/${domain.id}`));
  succeeded(await call('DELETE', `/webhook-endpoints/${endpoint.id}`));
  await rest();
}
