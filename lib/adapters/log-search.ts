/** Log lines of the functions, searched (FilterLogEvents of CloudWatch Logs), for the operator's commands. */
import { clientConfig, timeouts } from './aws-clients.ts';
import { backOff } from './back-off.ts';
import { signPost } from './signed-post.ts';

export interface FoundLine {
  /** Unix milliseconds. */
  readonly at: number;
  readonly text: string;
}

export interface LogSearch {
  readonly region: string;
  readonly group: string;
  /** "Filter pattern syntax" in the Amazon CloudWatch Logs User Guide; `termOf` makes one. */
  readonly pattern: string;
  /** Unix milliseconds, both included. */
  readonly from: number;
  readonly to: number;
}

/** CloudWatch Logs refuses a search, or does not answer; `name` is its code. */
export class LogsRefused extends Error {
  readonly $metadata: { readonly httpStatusCode?: number };

  constructor(
    name: string,
    message: string,
    { status, cause }: { readonly status?: number; readonly cause?: unknown },
  ) {
    super(message, { cause });
    this.name = name;
    this.$metadata = status === undefined ? {} : { httpStatusCode: status };
  }
}

const noSuchGroup = 'ResourceNotFoundException';

/** The pattern of lines that contain a text. */
export const termOf = (text: string): string => JSON.stringify(text);

/** Searches a long log in parts, of which many are empty. */
const pagesMax = 50;

/**
 * The lines that match, oldest first; empty where there is no such group. At most those of 50 pages of the search.
 *
 * @throws LogsRefused
 */
export async function searchLogs(search: LogSearch): Promise<FoundLine[]> {
  const found: FoundLine[] = [];
  let pages = 0;
  try {
    for await (const lines of logPages(search)) {
      found.push(...lines);
      pages += 1;
      if (pages === pagesMax) break;
    }
  } catch (error) {
    if (!(error instanceof LogsRefused && error.name === noSuchGroup)) throw error;
  }
  return found.toSorted((a, b) => a.at - b.at);
}

/**
 * The lines that match, however many, a page of 1 MB at most after the other. Pages may be empty, and those of several log streams are
 * in no order ("FilterLogEvents", Amazon CloudWatch Logs API Reference).
 *
 * @throws LogsRefused
 */
export async function* logPages({
  region,
  group,
  pattern,
  from,
  to,
}: LogSearch): AsyncGenerator<readonly FoundLine[]> {
  const time = { startTime: Math.floor(from), endTime: Math.ceil(to) };
  const input = { logGroupName: group, filterPattern: pattern, ...time };
  const credentials = await operatorCredentials(region);
  let nextToken: string | undefined;
  do {
    const next = { ...input, ...(nextToken !== undefined && { nextToken }) };
    const page = await patientCall({ region, credentials }, next);
    yield page.lines;
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
}

interface LogPage {
  readonly lines: readonly FoundLine[];
  readonly nextToken: string | undefined;
}

/** A search of a day makes thousands of calls; CloudWatch Logs takes a few a second from an account. */
const triesMax = 12;

interface Caller {
  readonly region: string;
  readonly credentials: Awaited<ReturnType<typeof operatorCredentials>>;
}

async function patientCall(caller: Caller, input: object): Promise<LogPage> {
  for (let tries = 1; ; tries++) {
    try {
      return await call(caller, input);
    } catch (error) {
      if (tries === triesMax || !isPassing(error)) throw error;
      await backOff(tries);
    }
  }
}

/** A throttled call, a failure of the service, and a lost connection. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof LogsRefused)) return false;
  const { httpStatusCode: status = 500 } = error.$metadata;
  return error.name === 'ThrottlingException' || status >= 500;
}

async function call({ region, credentials }: Caller, input: object): Promise<LogPage> {
  const body = JSON.stringify(input);
  const { url, headers } = await signPost(
    {
      service: 'logs',
      region,
      path: '/',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'Logs_20140328.FilterLogEvents',
      },
      body,
    },
    credentials,
  );
  const signal = AbortSignal.timeout(10 * timeouts().requestMs);
  const { status, answer } = await fetch(url, { method: 'POST', headers, body, signal })
    .then(async (response) => ({ status: response.status, answer: Object(await response.json()) }))
    .catch((cause: unknown) => {
      throw new LogsRefused('NetworkingError', 'CloudWatch Logs does not answer', { cause });
    });
  if (status !== 200) throw refusal(status, answer);
  const lines: readonly { readonly timestamp: number; readonly message: string }[] = answer.events ?? [];
  return {
    lines: lines.map(({ timestamp: at, message: line }) => ({ at, text: line })),
    nextToken: typeof answer.nextToken === 'string' ? answer.nextToken : undefined,
  };
}

function refusal(status: number, answer: Readonly<Record<string, unknown>>): LogsRefused {
  const name = String(answer.__type ?? 'UnknownError').replace(/^.*#/, '');
  const message = String(answer.message ?? answer.Message ?? `CloudWatch Logs answered ${status}`);
  return new LogsRefused(name.slice(0, 100), message.slice(0, 500), { status });
}

/** The usual credentials of a command line: environment, profile, role. */
async function operatorCredentials(region: string) {
  const { LambdaClient } = await import('@aws-sdk/client-lambda');
  const client = new LambdaClient({ region, ...clientConfig() });
  return client.config.credentials;
}
