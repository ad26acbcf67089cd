/** The control routes: each route of `/_control` with its handler. */
import * as z from 'zod';
import { type Faults, faultKinds } from './aws/faults.ts';
import type { Gateway } from './aws/gateway.ts';
import type { Scheduler } from './aws/scheduler.ts';
import type { LocalClock } from './aws/service.ts';
import type { Sqs } from './aws/sqs.ts';
import type { XRay } from './aws/xray.ts';
import { type ControlRoutes, fail, secondsAhead, withoutUndefined } from './control-route.ts';
import { dnsFaults } from './dns/message.ts';
import type { LocalDns } from './dns/server.ts';
import type { Functions } from './functions.ts';
import { isProblem, type LogRing } from './logs.ts';
import { type MailboxProviderTarget, mailboxProviderRoutes } from './mailbox-providers/control-routes.ts';
import { eventTypes } from './ses/events.ts';
import { wireMessageId } from './ses/ids.ts';
import type { SentMail } from './ses/sent-mail.ts';
import type { LocalSes } from './ses/ses.ts';

/** The parts of a local cloud that the routes read and change. */
export interface ControlTarget extends MailboxProviderTarget {
  readonly clock: LocalClock;
  readonly dns: LocalDns;
  readonly faults: Faults;
  readonly gateway: Pick<Gateway, 'recorder'>;
  readonly logs: LogRing;
  readonly scheduler: Pick<Scheduler, 'list'>;
  readonly ses: Pick<LocalSes, 'events' | 'publishEvent' | 'sent' | 'tenants'>;
  readonly sqs: Pick<Sqs, 'depths' | 'messages'>;
  readonly xray: Pick<XRay, 'traces'>;
  readonly recursiveInvocationsDropped: Functions['recursiveInvocationsDropped'];
  /** Waits for quiescence. */
  settle(): Promise<void>;
}

const dnsRecord = z.strictObject({
  type: z.enum(['A', 'AAAA', 'CNAME', 'MX', 'NS', 'SOA', 'TXT']),
  name: z.string(),
  value: z.union([z.string(), z.array(z.string())]),
  priority: z
    .int()
    .nullish()
    .transform((priority) => priority ?? null),
  ttl: z.int().default(60),
});

/** A pattern would match no call, and the test that injects the fault would pass without it. */
const faultName = z.string().regex(/^(\*|[^*]+)$/, 'is a name, or * for any');

const bodies = {
  clock: z.strictObject({ advance_seconds: secondsAhead }),
  records: z.union([
    z.strictObject({ records: z.array(dnsRecord) }),
    dnsRecord.transform((one) => ({ records: [one] })),
  ]),
  removal: dnsRecord.pick({ name: true }).extend({
    type: dnsRecord.shape.type.optional(),
    value: dnsRecord.shape.value.optional(),
  }),
  dnsFault: z.strictObject({ name: z.string(), fault: z.enum(dnsFaults).nullable() }),
  fault: z.strictObject({
    service: faultName,
    action: faultName,
    kind: z.enum(faultKinds),
    principal: z.string().optional(),
    match: z.string().optional(),
    times: z.int().min(1).optional(),
    skip: z.int().min(0).optional(),
    status: z.int().optional(),
    code: z.string().optional(),
    message: z.string().optional(),
    retry_after_seconds: z.int().min(0).optional(),
  }),
  metering: z.strictObject({ metering: z.boolean() }),
  tenant: z.strictObject({ paused: z.boolean() }),
  events: z.strictObject({
    hold: z.boolean().optional(),
    release: z.strictObject({ duplicate: z.boolean().optional(), shuffle: z.int().optional() }).optional(),
  }),
  sesEvent: z.strictObject({
    type: z.enum(Object.keys(eventTypes) as (keyof typeof eventTypes)[]),
    content: z.record(z.string(), z.unknown()),
  }),
};

/** The routes by method and path (`POST /dns`). */
export function controlRoutes(cloud: ControlTarget): ControlRoutes {
  return {
    ...mailRoutes(cloud),
    ...clockRoutes(cloud),
    ...dnsRoutes(cloud.dns),
    ...faultRoutes(cloud.faults),
    ...queueRoutes(cloud),
    ...observationRoutes(cloud),
    ...sesEventRoutes(cloud.ses),
    ...tenantRoutes(cloud.ses),
    ...mailboxProviderRoutes(cloud),
  };
}

function mailRoutes({ ses, settle }: ControlTarget): ControlRoutes {
  const mailOf = (id: string | undefined) =>
    ses.sent().find((mail) => mail.id === id) ?? fail(404, `SES accepted no mail ${id}`);
  return {
    'GET /sent': {
      summary: 'Lists mail submitted to SES, oldest first; ?to=ADDRESS filters.',
      handle: ({ query }) => {
        const to = query.get('to')?.toLowerCase();
        const sent = ses
          .sent()
          .filter(({ recipients }) => !to || recipients.some((one) => one.toLowerCase() === to));
        return { data: sent.map(sentMailSummary) };
      },
    },
    'GET /sent/last/message-id': {
      summary: 'Returns the Message-ID of the newest delivered mail as text; waits for quiescence.',
      handle: async () => {
        await settle();
        const last = ses.sent().at(-1) ?? fail(404, 'no mail was sent yet');
        return wireMessageId(last.region, last.id);
      },
    },
    'GET /sent/{id}': {
      summary: 'Returns one mail: raw as submitted, wire as delivered.',
      handle: ({ parameters }) => {
        const mail = mailOf(parameters.id);
        return { ...sentMailSummary(mail), raw: mail.raw.toString(), wire: mail.wire.toString() };
      },
    },
    'POST /sent/{id}/events': {
      summary: 'Publishes an SES event for the mail: {type: OPEN | BOUNCE | …, content}.',
      handle: ({ parameters, body }) => ses.publishEvent(mailOf(parameters.id).id, body(bodies.sesEvent)),
    },
  };
}

function clockRoutes({ clock, settle }: ControlTarget): ControlRoutes {
  const time = () => ({ now: new Date(clock.now()).toISOString() });
  return {
    'GET /clock': { summary: 'Returns the time.', handle: time },
    'POST /clock': {
      summary: 'Moves the clock forward: {advance_seconds}.',
      handle: async ({ body }) => {
        await clock.advance(body(bodies.clock).advance_seconds * 1000);
        return time();
      },
    },
    'POST /settle': {
      summary: 'Waits for quiescence: no work left except timers.',
      handle: async () => {
        await settle();
        return time();
      },
    },
  };
}

function dnsRoutes(dns: LocalDns): ControlRoutes {
  return {
    'GET /dns': { summary: 'Lists DNS records.', handle: () => ({ data: dns.records() }) },
    'POST /dns': {
      summary: 'Adds DNS records: {type, name, value, priority?} or {records: […]}.',
      handle: ({ body }) => {
        for (const record of body(bodies.records).records) dns.publish(record);
        return { data: dns.records() };
      },
    },
    'DELETE /dns': {
      summary: 'Removes DNS records: {name, type?, value?}.',
      handle: ({ body }) => {
        const { name, type, value } = body(bodies.removal);
        return { removed: dns.remove({ name, ...(type && { type }), ...(value && { value }) }) };
      },
    },
    'POST /dns/faults': {
      summary: 'Makes DNS queries for a name fail: {name, fault: SERVFAIL | timeout | null}.',
      handle: ({ body }) => {
        const { name, fault } = body(bodies.dnsFault);
        dns.fault(name, fault);
      },
    },
  };
}

function faultRoutes(faults: Faults): ControlRoutes {
  return {
    'GET /faults': { summary: 'Lists active faults.', handle: () => ({ data: faults.list() }) },
    'POST /faults': {
      summary: `Injects a fault into AWS calls and calls to mailbox providers: {service, action, kind: ${faultKinds.join(' | ')}, principal?, match?, times?, skip?, …}.`,
      handle: ({ body }) => {
        const { retry_after_seconds: retryAfterSeconds, ...rule } = body(bodies.fault);
        return { id: faults.add(withoutUndefined({ ...rule, retryAfterSeconds })) };
      },
    },
    'DELETE /faults': { summary: 'Removes all faults.', handle: () => faults.clear() },
    'DELETE /faults/{id}': {
      summary: 'Removes one fault.',
      handle: ({ parameters }) => {
        if (!faults.remove(parameters.id ?? '')) fail(404, `there is no fault ${parameters.id}`);
      },
    },
  };
}

function queueRoutes({ scheduler, sqs }: ControlTarget): ControlRoutes {
  return {
    'GET /queues': {
      summary: 'Returns the depth of every queue.',
      handle: () =>
        Object.fromEntries(
          Object.entries(sqs.depths()).map(([arn, depth]) => [arn.split(':').at(-1), depth]),
        ),
    },
    'GET /queues/{name}/messages': {
      summary: 'Lists the messages of a queue or dead-letter queue.',
      handle: ({ parameters }) => {
        const arn = Object.keys(sqs.depths()).find((one) => one.endsWith(`:${parameters.name}`));
        return { data: sqs.messages(arn ?? fail(404, `there is no queue ${parameters.name}`)) };
      },
    },
    'GET /schedules': { summary: 'Lists one-time schedules.', handle: () => ({ data: scheduler.list() }) },
  };
}

function observationRoutes({
  gateway: { recorder },
  logs,
  recursiveInvocationsDropped,
  xray,
}: ControlTarget): ControlRoutes {
  return {
    'GET /metrics/RecursiveInvocationsDropped': {
      summary: 'Returns how many invocations of each function were dropped as part of a recursive loop.',
      handle: recursiveInvocationsDropped,
    },
    'GET /calls': { summary: 'Lists the last AWS calls.', handle: () => ({ data: recorder.calls() }) },
    'POST /calls': {
      summary: 'Turns metering of DynamoDB capacity units on or off: {metering}.',
      handle: ({ body }) => {
        recorder.metering = body(bodies.metering).metering;
      },
    },
    'DELETE /calls': { summary: 'Clears the recorded calls.', handle: () => recorder.clear() },
    'GET /logs': {
      summary: 'Lists log lines of functions; ?source=FUNCTION filters.',
      handle: ({ query }) => {
        const source = query.get('source');
        return { data: logs.lines().filter((line) => !source || line.source === source) };
      },
    },
    'GET /traces': {
      summary: 'Lists traces of X-Ray with their segments; ?NAME=VALUE filters by an annotation.',
      handle: ({ query }) => ({ data: xray.traces(Object.fromEntries(query)) }),
    },
    'GET /problems': {
      summary: 'Lists WARN and ERROR log lines and failed invocations; ?since=RFC 3339 filters.',
      handle: ({ query }) => {
        const since = query.get('since') ?? '1970-01-01T00:00:00Z';
        if (Number.isNaN(Date.parse(since))) fail(422, 'since is no RFC 3339 time');
        return { data: logs.lines().filter((line) => line.at >= Date.parse(since) && isProblem(line)) };
      },
    },
  };
}

function sesEventRoutes(ses: ControlTarget['ses']): ControlRoutes {
  return {
    'GET /ses/{region}/events': {
      summary: 'Lists the SES events held in a region.',
      handle: ({ parameters }) => ({
        data: ses
          .events(parameters.region ?? '')
          .held()
          .map((text) => JSON.parse(text)),
      }),
    },
    'POST /ses/{region}/events': {
      summary: 'Holds or releases SES events: {hold?, release?: {duplicate?, shuffle?}}.',
      handle: ({ parameters, body }) => {
        const gate = ses.events(parameters.region ?? '');
        const { hold, release } = body(bodies.events);
        if (hold !== undefined) gate.hold(hold);
        return { released: release ? gate.release(withoutUndefined(release)) : 0 };
      },
    },
  };
}

function tenantRoutes(ses: ControlTarget['ses']): ControlRoutes {
  return {
    'GET /ses/{region}/tenants': {
      summary: 'Lists the SES tenants of a region with their resources.',
      handle: ({ parameters }) => ({
        data: ses
          .tenants(parameters.region ?? '')
          .list()
          .map(({ name, isPaused, resources }) => ({ name, paused: isPaused, resources: [...resources] })),
      }),
    },
    'POST /ses/{region}/tenants/{name}': {
      summary: 'Pauses an SES tenant, or ends the pause: {paused}.',
      handle: ({ parameters: { region = '', name = '' }, body }) => {
        ses.tenants(region).pause(name, body(bodies.tenant).paused);
        return {};
      },
    },
    'DELETE /ses/{region}/tenants/{name}': {
      summary: 'Deletes an SES tenant, as somebody in the console may.',
      handle: ({ parameters: { region = '', name = '' } }) => {
        ses.tenants(region).remove(name);
        return {};
      },
    },
  };
}

function sentMailSummary({ raw: _raw, wire: _wire, at, ...mail }: SentMail) {
  return { ...mail, message_id: wireMessageId(mail.region, mail.id), at: new Date(at).toISOString() };
}
