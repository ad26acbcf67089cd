/** Sets off each function of a local run once: operations, public routes and workers; and a burst of requests. */
import { operations } from '../../functions/operations.ts';
import { publicFunctions } from '../../functions/public.ts';
import { mailOf5Kb } from '../../test/support/conversation.ts';
import { targetOf } from '../../test/support/operation-fixtures.ts';
import { prepareWorkers, workers } from '../bench/measure-workers.ts';
import { prepareCases } from '../bench/operation-cases.ts';
import {
  localNames,
  newTenant,
  type Scene,
  startMailIn,
  startReceiver,
  succeeded,
  type Tenant,
} from '../bench/stage.ts';
import type { LocalRun } from './local-run.ts';

export interface FunctionCalls {
  /** @throws Error naming what failed or was not set off */
  everyFunction(): Promise<void>;
  /** Requests that are sent at once, and the work that they cause; returns how many were refused by a limit. */
  burst(requests: number): Promise<number>;
  /** Sends requests that nobody waits for. */
  unfinished(requests: number): void;
  close(): void;
}

/** Calls the run with workspaces of its own; changes the environment of this process. */
export async function callsOf({ addresses, environment }: LocalRun): Promise<FunctionCalls> {
  Object.assign(process.env, environment);
  const { baseUrl, controlUrl, smtpPort } = addresses;
  const control = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${controlUrl}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const smtp = startMailIn(smtpPort);
  const closers: (() => void)[] = [smtp.close];
  let skewMs = 0;
  const scene: Scene = {
    cloud: {
      controlUrl,
      clock: {
        now: () => Date.now() + skewMs,
        async advance(ms) {
          const { now } = await control<{ now: string }>('POST', '/clock', { advance_seconds: ms / 1000 });
          skewMs = Date.parse(now) - Date.now();
        },
      },
    },
    workspace: () => newTenant(baseUrl),
    async receiver(onEvent = () => {}, statusOf = () => 200) {
      const { url, close } = await startReceiver(onEvent, statusOf);
      closers.push(close);
      return url;
    },
    mailIn: smtp.mailIn,
    rest: () => control('POST', '/settle'),
  };
  const tenant = await scene.workspace();
  return {
    async everyFunction() {
      await everyOperation(scene);
      await everyPublicRoute(baseUrl);
      await (await prepareWorkers(scene))('once');
      await scene.rest();
      const { data } = await control<{ data: readonly { principal: string }[] }>('GET', '/calls');
      checkWorkers(new Set(data.map(({ principal }) => principal.split('~')[0] ?? '')));
    },
    async burst(requests) {
      const answers = await Promise.all(burstOf(tenant, requests));
      await scene.rest();
      return answers.filter(({ status }) => status === 429 || status === 503).length;
    },
    unfinished(requests) {
      for (const answer of burstOf(tenant, requests)) answer.catch(() => {});
    },
    close() {
      for (const close of closers) close();
    },
  };
}

async function everyOperation(scene: Scene): Promise<void> {
  const { tenant, prepare } = await prepareCases(scene);
  for (const contract of operations) {
    const call = await prepare(contract);
    succeeded(await tenant.call(contract.method, targetOf(contract, call), call.body));
    await scene.rest();
  }
}

/** With placeholders for tokens: the functions run and answer that there is no such thing. */
async function everyPublicRoute(baseUrl: string): Promise<void> {
  for (const { id, route } of publicFunctions) {
    const { method = 'GET', path = '/nowhere' } = route ?? {};
    const url = new URL(path.replaceAll(/\{\w+\}/g, 'x'), baseUrl);
    const { status } = await fetch(url, { method, redirect: 'manual' });
    if (status >= 500) throw new Error(`${id} answered ${status}`);
  }
}

/** @param ran names of the functions that called AWS */
function checkWorkers(ran: ReadonlySet<string>): void {
  const idle = workers.filter(({ id }) => !ran.has(localNames.workerFunction(id))).map(({ id }) => id);
  if (idle.length > 0) throw new Error(`nothing sets off ${idle.join(', ')}`);
}

/** Half of them send an email; the others read. */
function burstOf({ address, call }: Tenant, requests: number) {
  const reads = [
    '/emails',
    '/threads',
    '/spaces',
    '/domains',
    '/events',
    '/webhook-endpoints',
    '/pacing-rules',
  ];
  return Array.from({ length: requests }, (_, at) =>
    at % 2 === 0
      ? call('POST', '/emails', mailOf5Kb(address))
      : call('GET', reads[at % reads.length] ?? '/emails'),
  );
}
