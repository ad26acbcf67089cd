/** The control routes: what tests and people may see and turn in the local cloud, as JSON over HTTP. */
import * as z from 'zod';
import { faultKinds } from './aws/faults.ts';
import type { Cloud } from './cloud.ts';
import type { HttpRequest, HttpResponse } from './http-server.ts';
import { eventTypes } from './ses/events.ts';
import { wireMessageId } from './ses/ids.ts';
import type { SentMail } from './ses/sent-mail.ts';

/** Where the routes lie on the API's port. */
export const controlPrefix = '/_control';

export interface Control {
  owns(target: string): boolean;
  answer(request: HttpRequest): Promise<HttpResponse>;
}

/** What the routes work with. */
export type Controlled = Pick<
  Cloud,
  'clock' | 'dns' | 'faults' | 'gateway' | 'logs' | 'scheduler' | 'ses' | 'settle' | 'sqs'
>;

/** A mistake of the caller; the message is for a person. */
class ControlRefused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface ControlCall {
  /** Path parameters. */
  readonly named: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** @throws ControlRefused 422 */
  body<S extends z.ZodType>(schema: S): z.output<S>;
}

interface ControlRoute {
  readonly does: string;
  readonly handle: (call: ControlCall) => unknown;
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

const bodies = {
  clock: z.union([
    z.strictObject({ advance_seconds: z.number().min(0) }),
    z.strictObject({ set: z.iso.datetime({ offset: true }) }),
  ]),
  records: z.union([
    z.strictObject({ records: z.array(dnsRecord) }),
    dnsRecord.transform((one) => ({ records: [one] })),
  ]),
  removal: dnsRecord.pick({ name: true }).extend({
    type: dnsRecord.shape.type.optional(),
    value: dnsRecord.shape.value.optional(),
  }),
  dnsFault: z.strictObject({ name: z.string(), fault: z.enum(['SERVFAIL', 'timeout']).nullable() }),
  fault: z.strictObject({
    service: z.string(),
    action: z.string(),
    kind: z.enum(faultKinds),
    principal: z.string().optional(),
    match: z.string().optional(),
    times: z.int().min(1).optional(),
    skip: z.int().min(0).optional(),
    status: z.int().optional(),
    code: z.string().optional(),
    message: z.string().optional(),
  }),
  metering: z.strictObject({ metering: z.boolean() }),
  events: z.strictObject({
    hold: z.boolean().optional(),
    release: z.strictObject({ duplicate: z.boolean().optional(), shuffle: z.int().optional() }).optional(),
  }),
  report: z.strictObject({
    type: z.enum(Object.keys(eventTypes) as (keyof typeof eventTypes)[]),
    content: z.record(z.string(), z.unknown()),
  }),
};

/** Every route with what it does; `GET /` lists them. */
function routesOf(cloud: Controlled): Record<string, ControlRoute> {
  const { clock, dns, faults, ses, sqs } = cloud;
  const { recorder } = cloud.gateway;
  const time = () => ({ now: new Date(clock.now()).toISOString() });
  const mailOf = (id: string | undefined) =>
    ses.sent().find((mail) => mail.id === id) ?? refuse(404, `SES accepted no mail ${id}`);
  return {
    'GET /sent': {
      does: 'Mail handed to SES, oldest first; ?to=ADDRESS narrows it.',
      handle: ({ query }) => {
        const to = query.get('to')?.toLowerCase();
        const sent = ses
          .sent()
          .filter(({ recipients }) => !to || recipients.some((one) => one.toLowerCase() === to));
        return { data: sent.map(summary) };
      },
    },
    'GET /sent/last/message-id': {
      does: 'The Message-ID of the newest mail on the wire, as text; waits for mail that is on its way.',
      handle: async () => {
        await cloud.settle();
        const last = ses.sent().at(-1) ?? refuse(404, 'nothing was sent yet');
        return wireMessageId(last.region, last.id);
      },
    },
    'GET /sent/{id}': {
      does: 'One such mail: raw as handed over, wire as it went out.',
      handle: ({ named }) => {
        const mail = mailOf(named.id);
        return { ...summary(mail), raw: mail.raw.toString(), wire: mail.wire.toString() };
      },
    },
    'POST /sent/{id}/events': {
      does: 'Publishes an SES event of the mail: {type: OPEN | BOUNCE | …, content}.',
      handle: ({ named, body }) => ses.report(mailOf(named.id).id, body(bodies.report)),
    },
    'GET /clock': { does: 'The time.', handle: time },
    'POST /clock': {
      does: 'Moves the clock forward: {advance_seconds} or {set: RFC 3339}.',
      handle: async ({ body }) => {
        const move = body(bodies.clock);
        if ('advance_seconds' in move) await clock.advance(move.advance_seconds * 1000);
        else if (Date.parse(move.set) < clock.now()) refuse(409, 'the clock does not go back');
        else await clock.set(Date.parse(move.set));
        return time();
      },
    },
    'GET /dns': { does: 'Published DNS records.', handle: () => ({ data: dns.records() }) },
    'POST /dns': {
      does: 'Publishes {type, name, value, priority?} or {records: […]}.',
      handle: ({ body }) => {
        for (const record of body(bodies.records).records) dns.publish(record);
        return { data: dns.records() };
      },
    },
    'DELETE /dns': {
      does: 'Removes records: {name, type?, value?}.',
      handle: ({ body }) => {
        const { name, type, value } = body(bodies.removal);
        return { removed: dns.remove({ name, ...(type && { type }), ...(value && { value }) }) };
      },
    },
    'POST /dns/faults': {
      does: 'Makes look-ups of a name fail: {name, fault: SERVFAIL | timeout | null}.',
      handle: ({ body }) => {
        const { name, fault } = body(bodies.dnsFault);
        dns.fault(name, fault);
      },
    },
    'GET /faults': { does: 'Faults in force.', handle: () => ({ data: faults.list() }) },
    'POST /faults': {
      does: `Puts a fault into AWS calls: {service, action, kind: ${faultKinds.join(' | ')}, principal?, match?, times?, skip?, …}.`,
      handle: ({ body }) => ({ id: faults.add(withoutUndefined(body(bodies.fault))) }),
    },
    'DELETE /faults': { does: 'Removes all faults.', handle: () => faults.clear() },
    'DELETE /faults/{id}': {
      does: 'Removes one fault.',
      handle: ({ named }) => {
        if (!faults.remove(named.id ?? '')) refuse(404, `there is no fault ${named.id}`);
      },
    },
    'GET /queues': {
      does: 'Depth of every queue.',
      handle: () =>
        Object.fromEntries(
          Object.entries(sqs.depths()).map(([arn, depth]) => [arn.split(':').at(-1), depth]),
        ),
    },
    'GET /queues/{name}/messages': {
      does: 'Messages of a queue, dead-letter queues included.',
      handle: ({ named }) => {
        const arn = Object.keys(sqs.depths()).find((one) => one.endsWith(`:${named.name}`));
        return { data: sqs.messages(arn ?? refuse(404, `there is no queue ${named.name}`)) };
      },
    },
    'GET /schedules': { does: 'Schedules in force.', handle: () => ({ data: cloud.scheduler.list() }) },
    'POST /settle': {
      does: 'Waits until nothing is on its way but what waits for the clock.',
      handle: async () => {
        await cloud.settle();
        return time();
      },
    },
    'GET /calls': { does: 'The last AWS calls.', handle: () => ({ data: recorder.calls() }) },
    'POST /calls': {
      does: 'Turns metering of DynamoDB capacity on or off: {metering}.',
      handle: ({ body }) => {
        recorder.metering = body(bodies.metering).metering;
      },
    },
    'DELETE /calls': { does: 'Forgets the calls so far.', handle: () => recorder.clear() },
    'GET /logs': {
      does: 'What functions wrote; ?source=FUNCTION narrows it.',
      handle: ({ query }) => {
        const source = query.get('source');
        return { data: cloud.logs.lines().filter((line) => !source || line.source === source) };
      },
    },
    'GET /ses/{region}/events': {
      does: 'SES events held back in a region.',
      handle: ({ named }) => ({
        data: ses
          .events(named.region ?? '')
          .held()
          .map((text) => JSON.parse(text)),
      }),
    },
    'POST /ses/{region}/events': {
      does: 'Holds SES events back and lets them go: {hold?, release?: {duplicate?, shuffle?}}.',
      handle: ({ named, body }) => {
        const gate = ses.events(named.region ?? '');
        const { hold, release } = body(bodies.events);
        if (hold !== undefined) gate.hold(hold);
        return { released: release ? gate.release(withoutUndefined(release)) : 0 };
      },
    },
  };
}

/** The routes of one cloud. */
export function createControl(cloud: Controlled): Control {
  const routes = routesOf(cloud);
  const help = Object.entries(routes).map(([route, { does }]) => `${route}  ${does}`);
  return {
    owns: (target) => target === controlPrefix || /^\/_control[/?]/.test(target),
    async answer(request) {
      const url = new URL(request.target, 'http://local');
      const path = url.pathname.slice(controlPrefix.length).replace(/\/$/, '') || '/';
      if (path === '/') return json(200, { routes: help });
      try {
        const { route, named } = find(routes, request.method, path);
        const result = await route.handle({
          named,
          query: url.searchParams,
          body: (schema) => parsed(schema, request.body),
        });
        if (typeof result === 'string') return text(result);
        return result === undefined ? json(204, null) : json(200, result);
      } catch (error) {
        const status = error instanceof ControlRefused ? error.status : 500;
        return json(status, { error: error instanceof Error ? error.message : String(error) });
      }
    },
  };
}

function find(
  routes: Readonly<Record<string, ControlRoute>>,
  method: string,
  path: string,
): { route: ControlRoute; named: Record<string, string> } {
  for (const [key, route] of Object.entries(routes)) {
    const [ownMethod, pattern = ''] = key.split(' ');
    const groups = new RegExp(`^${pattern.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(path);
    if (ownMethod !== method || !groups) continue;
    const named = Object.entries(groups.groups ?? {}).map(([name, value]) => [
      name,
      decodeURIComponent(value),
    ]);
    return { route, named: Object.fromEntries(named) };
  }
  return refuse(404, `no control route ${method} ${path}; GET ${controlPrefix} lists them`);
}

function parsed<S extends z.ZodType>(schema: S, body: Buffer): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    return refuse(400, 'the body is not JSON');
  }
  const result = schema.safeParse(value);
  return result.success ? result.data : refuse(422, z.prettifyError(result.error));
}

function refuse(status: number, message: string): never {
  throw new ControlRefused(status, message);
}

function text(body: string): HttpResponse {
  return { statusCode: 200, headers: { 'content-type': 'text/plain' }, cookies: [], body: Buffer.from(body) };
}

function json(statusCode: number, body: unknown): HttpResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json' },
    cookies: [],
    body: Buffer.from(body === null ? '' : `${JSON.stringify(body, null, 2)}\n`),
  };
}

function summary({ raw: _raw, wire: _wire, at, ...mail }: SentMail) {
  return { ...mail, message_id: wireMessageId(mail.region, mail.id), at: new Date(at).toISOString() };
}

/** zod gives optional fields as `T | undefined`; our types tell "absent" apart. */
function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
