/** Sends a batch of requests against two workspaces and judges each response. */
import { exampleId } from '../../lib/http/schemas.ts';
import { type ApiCase, apiCase } from './api-cases.ts';
import { createWorld, idPattern, type Side } from './api-world.ts';
import { createHttpClient, type HttpResponse } from './http-client.ts';
import { faultOf, type Route, routes } from './openapi-schemas.ts';
import { type FuzzCloud, inParallel } from './tenant.ts';

export interface ApiFailure {
  readonly number: number;
  readonly what: string;
  readonly request: ApiCase;
}

export interface ApiOutcome {
  readonly kind: ApiCase['kind'];
  readonly status: number;
  readonly ms: number;
  /** Operation id; null: no operation has the path and method. */
  readonly operation: string | null;
}

export interface ApiBatchResult {
  readonly outcomes: readonly ApiOutcome[];
  readonly failures: readonly ApiFailure[];
}

const atOnce = 4;

export async function runApiBatch(
  cloud: FuzzCloud,
  { seed, numbers }: { seed: number; numbers: readonly number[] },
): Promise<ApiBatchResult> {
  const world = await createWorld(cloud);
  const client = createHttpClient(cloud.baseUrl);
  const knowledge: Knowledge = [knowledgeOf(world[0]), knowledgeOf(world[1])];
  try {
    const results = await inParallel(numbers, atOnce, async (number) => {
      const request = apiCase(seed, number, world);
      const route = routeFor(request);
      const response = await client.send(request);
      const what = faultIn(request, route, response, knowledge);
      const outcome: ApiOutcome = {
        kind: request.kind,
        status: response.status,
        ms: response.ms,
        operation: route?.id ?? null,
      };
      return { outcome, failure: what === null ? null : { number, what, request } };
    });
    return {
      outcomes: results.map(({ outcome }) => outcome),
      failures: results.flatMap(({ failure }) => failure ?? []),
    };
  } finally {
    client.close();
    for (const { tenant } of world) tenant.close();
  }
}

/** What each workspace can know. */
type Knowledge = readonly [SideKnowledge, SideKnowledge];

interface SideKnowledge {
  readonly key: string;
  /** Ids that its responses contained. */
  readonly seen: Set<string>;
  /** Ids that its request bodies and headers contained: the service may have stored them, as an external id for example. */
  readonly sent: Set<string>;
}

function knowledgeOf({ tenant, ids }: Side): SideKnowledge {
  return { key: tenant.key, seen: new Set([...ids.values()].flat()), sent: new Set() };
}

function faultIn(
  request: ApiCase,
  route: Route | null,
  response: HttpResponse,
  knowledge: Knowledge,
): string | null {
  if (isPublic(request.path)) return response.status >= 500 ? `status ${response.status}` : null;
  if (isTooLargeForGateway(request, response)) return null;
  return faultOf(route, request, response) ?? foreignIdIn(request, response, knowledge);
}

/** JSON escapes take up to six octets, and the event that API Gateway sends to a function ends at 6 MB. */
function isTooLargeForGateway({ body }: ApiCase, { status }: HttpResponse): boolean {
  return status === 413 && body !== undefined && body.length >= 2 ** 20;
}

/** An id of the other workspace that the caller did not send, or that its path named with success. */
function foreignIdIn(
  { caller, path, headers, body }: ApiCase,
  response: HttpResponse,
  knowledge: Knowledge,
): string | null {
  const own = knowledge[caller];
  const other = knowledge[caller === 0 ? 1 : 0];
  for (const id of idsIn(`${JSON.stringify(headers)} ${body ?? ''}`)) own.sent.add(id);
  // A change of the headers may have removed the key.
  if (headers.authorization !== `Bearer ${own.key}`) return null;
  const [place = ''] = path.split('?');
  const named = idsIn(place).find((id) => other.seen.has(id));
  if (named && response.status < 400) return `status ${response.status} for ${named} of another workspace`;
  const inPath = new Set(idsIn(path));
  for (const id of idsIn(`${JSON.stringify(response.headers)} ${response.body}`)) {
    if (inPath.has(id) || own.sent.has(id)) continue;
    if (other.seen.has(id)) return `the response has ${id} of another workspace`;
    own.seen.add(id);
  }
  return null;
}

/** The id in the examples of the documents. */
const ofExamples = exampleId('eml').slice('eml'.length);

function idsIn(text: string): readonly string[] {
  return (text.match(idPattern) ?? []).filter((id) => !id.endsWith(ofExamples));
}

/** Routes that are no operations and answer people or mail programs. */
function isPublic(path: string): boolean {
  return /^\/(|(docs|problems)([/.].*)?|favicon\.ico|llms\.txt|mcp|health|u\/[^/]+|t\/[oc]\/[^/]+|api\/v[12]\/openapi\.json)(\?|$)/.test(
    path,
  );
}

/** The operation of a request: each parameter matches one segment that is not empty. */
function routeFor({ method, path }: Pick<ApiCase, 'method' | 'path'>): Route | null {
  const segments = (path.split('?')[0] ?? '').split('/');
  const found = routes.find((route) => {
    const parts = route.path.split('/');
    return (
      route.method === method &&
      parts.length === segments.length &&
      parts.every((part, at) => (part.startsWith('{') ? segments[at] !== '' : part === segments[at]))
    );
  });
  return found ?? null;
}
