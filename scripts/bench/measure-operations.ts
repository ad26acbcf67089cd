/** Measures each operation at rest: what a call costs, and how long it takes. */
import { operations } from '../../functions/operations.ts';
import type { Contract } from '../../lib/http/contract.ts';
import { type Call, targetOf } from '../../test/support/operation-fixtures.ts';
import { median, quantile } from './figures.ts';
import { type Profile, profileOf } from './observe.ts';
import { prepareCases } from './operation-cases.ts';
import { localNames, type Stage, type Tenant } from './stage.ts';

export interface OperationFigures extends Profile {
  readonly id: string;
  readonly p50: number;
  readonly p99: number;
}

/** Calls before the measured ones, so that code and connections are warm. */
const warmUps = 5;
const meteredCalls = 5;

/** @param calls how many are timed of each operation */
export async function measureOperations(
  stage: Stage,
  calls: number,
  progress: (text: string) => void,
): Promise<OperationFigures[]> {
  const { tenant, prepare } = await prepareCases(stage);
  const figures: OperationFigures[] = [];
  for (const contract of operations) {
    progress(contract.id);
    const run = async () => {
      const call = await prepare(contract);
      await stage.rest();
      return await perform(tenant, contract, call);
    };
    figures.push({ id: contract.id, ...(await measure(stage, functionOf(contract.id), run, calls)) });
  }
  return figures;
}

/** What authentication alone costs: a malformed id is answered right after it. */
export async function measureAuthentication(stage: Stage): Promise<Profile> {
  const tenant = await stage.workspace();
  return await measure(
    stage,
    functionOf('emails.retrieve'),
    async () => (await tenant.call('GET', '/emails/x')).ms,
    meteredCalls,
  );
}

async function measure(
  stage: Stage,
  functionName: string,
  run: () => Promise<number>,
  calls: number,
): Promise<Omit<OperationFigures, 'id'>> {
  const { observer } = stage;
  const { recorder } = stage.cloud.gateway;
  for (let at = 0; at < warmUps; at++) await run();
  await stage.rest();
  // Metering costs the gateway time, so costs and times are taken of different calls.
  recorder.metering = true;
  observer.takeAll();
  for (let at = 0; at < meteredCalls; at++) await run();
  const profile = profileOf(observer.take(functionName));
  recorder.metering = false;
  const times: number[] = [];
  for (let at = 0; at < calls; at++) times.push(await run());
  const cpu = observer.take(functionName).flatMap(({ cpuMs }) => cpuMs ?? []);
  return { ...profile, cpuMs: median(cpu), p50: median(times), p99: quantile(times, 0.99) };
}

/** @throws Error where the operation answers what its contract does not call a success */
async function perform(tenant: Tenant, contract: Contract, call: Call): Promise<number> {
  const { status, body, ms } = await tenant.call(contract.method, targetOf(contract, call), call.body);
  if (status in contract.responses) return ms;
  throw new Error(`${contract.id} answered ${status}: ${JSON.stringify(body)}`);
}

/** The function of an operation in the local cloud's deployment. */
export function functionOf(operationId: string): string {
  return localNames.apiFunction(operationId);
}
