/**
 * `max_concurrency` of an endpoint as units: a worker takes as many as it can use, makes its attempts, and returns them together with what they
 * say about the endpoint.
 */

import type { OutboxMessage } from '../../core/queue-messages.ts';
import { type DispatchState, dispatch, planUnits } from '../../core/webhooks/dispatch.ts';
import type { EndpointRef } from '../../core/webhooks/endpoint.ts';
import {
  type AttemptResult,
  type Health,
  healthAfter,
  isClosed,
  isOutageDue,
} from '../../core/webhooks/health.ts';
import { resumeMessage } from './deliver-message.ts';
import type { DispatchPorts, Target } from './dispatch-ports.ts';

/** Another worker changes the state at the same time: rare, and rarer each time. */
const triesMax = 8;

/** Units that a worker holds, and what it has found with them. */
export interface HeldUnits {
  readonly token: string;
  readonly units: number;
  /** The endpoint was closed, and the first attempt is its probe. */
  readonly isProbe: boolean;
  /** After the units were taken. */
  readonly state: DispatchState;
  readonly results: { readonly result: AttemptResult; readonly atMs: number }[];
  /** As this worker knows it. */
  health: Health;
}

/** Takes free units, up to `wanted`; null: none is free, or the endpoint is closed. */
export async function takeFreeUnits(
  ports: DispatchPorts,
  { of, found }: Target,
  before: DispatchState,
  wanted: number,
): Promise<HeldUnits | null> {
  const { maxConcurrency } = found.endpoint;
  const token = ports.newToken();
  let state = before;
  for (let tries = 0; tries < triesMax; tries++) {
    const plan = planUnits(state, { wanted, maxConcurrency }, ports.now());
    if (!plan) return null;
    const until = ports.now() + dispatch.holderMs;
    // Nobody else begins a probe before, and who dies with it is followed then.
    const health = plan.isProbe ? { ...state.health, nextProbeAt: until } : undefined;
    const messages = plan.isProbe ? [{ message: resumeMessage(of), dueAt: until }] : [];
    const taken = await ports.takeUnits(of, { token, plan, until, before: state, health }, messages);
    state = taken.state;
    const holder = state.holders.get(token);
    if (holder) {
      const { isProbe } = plan;
      return { token, units: holder.units, isProbe, state, results: [], health: state.health };
    }
  }
  return null;
}

/** Notes the result of an attempt. */
export function noteResult(ports: DispatchPorts, held: HeldUnits, result: AttemptResult): void {
  const atMs = ports.now();
  held.results.push({ result, atMs });
  held.health = healthAfter(held.health, result, atMs, ports.random);
}

/** Returns the units. Idempotent. @returns the state after it */
export async function giveBackUnits(
  ports: DispatchPorts,
  of: EndpointRef,
  { token, units, state: taken, results }: HeldUnits,
): Promise<DispatchState> {
  let before = taken;
  for (let tries = 0; tries < triesMax; tries++) {
    const found = results.reduce(
      (health, { result, atMs }) => healthAfter(health, result, atMs, ports.random),
      before.health,
    );
    const { health, messages } = consequences(of, before.health, found, ports.now());
    const change = health === before.health ? undefined : health;
    const returned = await ports.returnUnits(of, { token, units, before, health: change }, messages);
    // Without a holder the units were returned by an earlier try, or taken by others after their time.
    if (returned.isDone || !returned.state.holders.has(token)) return returned.state;
    before = returned.state;
  }
  throw new Error('the state of the endpoint has changed at every try');
}

/** What follows from a change of health: a timer for the next probe, and the report of an outage. */
function consequences(
  of: EndpointRef,
  before: Health,
  after: Health,
  nowMs: number,
): { readonly health: Health; readonly messages: readonly OutboxMessage[] } {
  const { nextProbeAt, failingSince } = after;
  const isTimerDue = isClosed(after) && nextProbeAt !== null && nextProbeAt !== before.nextProbeAt;
  const timers =
    isTimerDue && nextProbeAt > nowMs ? [{ message: resumeMessage(of), dueAt: nextProbeAt }] : [];
  const hasFailed = after.failures > before.failures;
  if (!hasFailed || failingSince === null || !isOutageDue(after, nowMs)) {
    return { health: after, messages: timers };
  }
  const report = { message: { kind: 'report-outage', v: 1, ...of, failingSince } } as const;
  return { health: { ...after, isOutageReported: true }, messages: [...timers, report] };
}
