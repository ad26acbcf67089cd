/** Requests of the smoke test to the API of the deployment. */
import { pause } from '../../lib/adapters/clock.ts';
import type { Deployed } from './question.ts';

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; else the text. */
  readonly body: unknown;
}

const requestMs = 60_000;

export async function request(
  { baseUrl, key }: Deployed,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  options: { readonly body?: unknown; readonly withKey?: boolean } = {},
): Promise<ApiResponse> {
  const { body, withKey = true } = options;
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      ...(withKey && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(requestMs),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A resource that a request creates or reads. @throws Error with the response where it is refused */
export async function expectOk(response: ApiResponse): Promise<Record<string, unknown>> {
  if (response.status < 300) return response.body as Record<string, unknown>;
  throw new Error(`the API answered ${response.status}: ${JSON.stringify(response.body)}`);
}

const pauses = { firstMs: 100, longestMs: 2000 };

/** Looks until `find` finds something, soon at first and then every two seconds; null after `patienceMs`. */
export async function waitFor<T>(patienceMs: number, find: () => Promise<T | null>): Promise<T | null> {
  let waited = 0;
  for (let pauseMs = pauses.firstMs; ; pauseMs = Math.min(2 * pauseMs, pauses.longestMs)) {
    const found = await find();
    if (found !== null || waited >= patienceMs) return found;
    const thisMs = Math.min(pauseMs, patienceMs - waited);
    await pause(thisMs);
    waited += thisMs;
  }
}

export interface EmailBody {
  readonly id: string;
  readonly thread_id: string;
  readonly status: string;
  readonly message_id: string;
  readonly subject: string;
  readonly verdicts: Readonly<Record<string, string | null>>;
  readonly events: readonly { readonly type: string; readonly detail: string | null }[];
}

/** Sends an email; it is accepted, not yet submitted. */
export async function send(deployed: Deployed, to: string, subject: string): Promise<EmailBody> {
  const body = {
    from: `smoke@${deployed.domain}`,
    to,
    subject,
    text: `This message was sent by npm run smoke, run ${deployed.run}.`,
  };
  return (await expectOk(
    await request(deployed, 'POST', '/api/v2/emails', { body }),
  )) as unknown as EmailBody;
}

const final = new Set(['sent', 'delivered', 'bounced', 'failed', 'complained']);

/** The email once its status is one of `statuses`, or as it is at the end of the patience. */
export async function outcomeOf(
  deployed: Deployed,
  id: string,
  statuses: ReadonlySet<string> = final,
): Promise<EmailBody> {
  const read = async () =>
    (await expectOk(await request(deployed, 'GET', `/api/v2/emails/${id}`))) as unknown as EmailBody;
  const done = await waitFor(deployed.patienceMs, async () => {
    const email = await read();
    return statuses.has(email.status) ? email : null;
  });
  return done ?? (await read());
}
