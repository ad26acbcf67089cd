/** Log lines of the functions, searched by an id (FilterLogEvents of CloudWatch Logs), for the operator's commands. */
import { clientConfig, timeouts } from './aws-clients.ts';
import { signPost } from './signed-post.ts';

export interface FoundLine {
  /** Unix milliseconds. */
  readonly at: number;
  readonly text: string;
}

/** Searches a long log in parts, of which many are empty. */
const pagesMax = 50;

/**
 * Lines of a log group that contain a text, oldest first; empty where there is no such group. At most those of 50 pages of the search.
 *
 * @throws Error where CloudWatch Logs refuses the call
 */
export async function searchLogs(
  region: string,
  group: string,
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<FoundLine[]> {
  const input = { logGroupName: group, startTime: from, endTime: to, filterPattern: JSON.stringify(text) };
  const found: FoundLine[] = [];
  let nextToken: string | undefined;
  for (let page = 0; page < pagesMax; page++) {
    const answer = await call(region, { ...input, ...(nextToken !== undefined && { nextToken }) });
    found.push(...answer.lines);
    nextToken = answer.nextToken;
    if (nextToken === undefined) break;
  }
  return found.toSorted((a, b) => a.at - b.at);
}

async function call(region: string, input: object) {
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
    await operatorCredentials(region),
  );
  const signal = AbortSignal.timeout(10 * timeouts().requestMs);
  const response = await fetch(url, { method: 'POST', headers, body, signal });
  const answer = Object(await response.json());
  const type = String(answer.__type).slice(0, 100);
  if (!response.ok && !type.endsWith('ResourceNotFoundException')) {
    throw new Error(`CloudWatch Logs answered ${response.status} (${type})`);
  }
  const lines: readonly { readonly timestamp: number; readonly message: string }[] = answer.events ?? [];
  return {
    lines: lines.map(({ timestamp: at, message: line }) => ({ at, text: line })),
    nextToken: typeof answer.nextToken === 'string' ? answer.nextToken : undefined,
  };
}

/** The usual credentials of a command line: environment, profile, role. */
async function operatorCredentials(region: string) {
  const { LambdaClient } = await import('@aws-sdk/client-lambda');
  const client = new LambdaClient({ region, ...clientConfig() });
  return client.config.credentials;
}
