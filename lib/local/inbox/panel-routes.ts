/** The control routes of the panel: one view of the clock, the queues, the schedules and SES. */
import * as z from 'zod';
import type { Recorder } from '../aws/recorder.ts';
import type { Scheduler } from '../aws/scheduler.ts';
import type { LocalClock } from '../aws/service.ts';
import type { Sqs } from '../aws/sqs.ts';
import { type ControlRoutes, secondsAhead } from '../control-route.ts';
import type { LocalSes } from '../ses/ses.ts';
import { homeRegion, mailRegions } from '../startup.ts';

export interface PanelTarget {
  readonly clock: LocalClock;
  readonly gateway: { readonly recorder: Pick<Recorder, 'calls'> };
  readonly scheduler: Pick<Scheduler, 'list'>;
  readonly ses: Pick<LocalSes, 'quota'>;
  readonly sqs: Pick<Sqs, 'depths'>;
  settle(): Promise<void>;
}

const bodies = { advance: z.strictObject({ seconds: secondsAhead }) };
const listMax = 100;
const refusalsMax = 50;

export function panelRoutes(target: PanelTarget): ControlRoutes {
  const { clock, settle } = target;
  const time = () => new Date(clock.now()).toISOString();
  return {
    'GET /panel': {
      summary: 'Returns the clock, schedules, queues, dead letters, SES quotas and refusals in one answer.',
      handle: () => ({ now: time(), ...work(target), ...mail(target) }),
    },
    'POST /panel/advance': {
      summary:
        'Moves the clock forward, waits for quiescence and lists the schedules that became due: {seconds}.',
      handle: async ({ body }) => {
        const { seconds } = body(bodies.advance);
        const until = clock.now() + seconds * 1000;
        const due = schedules(target).filter(({ at }) => Date.parse(at) <= until);
        await clock.advance(seconds * 1000);
        await settle();
        return { now: time(), due: due.slice(0, listMax), due_count: due.length };
      },
    },
  };
}

/** Soonest first. */
function schedules({ scheduler }: PanelTarget) {
  return scheduler
    .list()
    .map(({ name, atMs, targetArn }) => ({
      name,
      at: new Date(atMs).toISOString(),
      target: targetArn.split(':').at(-1) ?? '',
    }))
    .sort((a, b) => a.at.localeCompare(b.at));
}

function work(target: PanelTarget) {
  const queues = Object.entries(target.sqs.depths()).map(([arn, depth]) => ({
    name: arn.split(':').at(-1) ?? '',
    ...depth,
  }));
  const all = schedules(target);
  return {
    schedules: all.slice(0, listMax),
    schedules_count: all.length,
    queues,
    dead_letters: queues.filter(({ name, visible }) => name.includes('dead') && visible > 0),
  };
}

function mail({ gateway, ses }: PanelTarget) {
  return {
    regions: mailRegions.map((region) => ({ region, is_home: region === homeRegion, ...ses.quota(region) })),
    refusals: gateway.recorder
      .calls()
      .filter(({ service, status }) => service === 'ses' && (status >= 400 || status === 0))
      .slice(-refusalsMax)
      .reverse()
      .map(({ at, action, status, resource }) => ({
        at: new Date(at).toISOString(),
        ...{ action, status, resource },
      })),
  };
}
