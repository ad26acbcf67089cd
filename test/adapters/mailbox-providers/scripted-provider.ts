/** A provider that answers from a script: for what the emulators of the local cloud do not do, and for the exact requests. */
import type { IncomingMessage } from 'node:http';
import { httpReceiver } from '../receivers.ts';

export interface ScriptedAnswer {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection ends without an answer. */
  readonly isLost?: true;
}

export interface SeenRequest {
  readonly what: string;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/**
 * Answers by method and path; a list is used up in order, its last answer stays. An unknown request gets 418.
 *
 * @returns its base URL, and the requests so far
 */
export async function scriptedProvider(
  script: Readonly<Record<string, ScriptedAnswer | readonly ScriptedAnswer[]>>,
): Promise<{ readonly base: string; readonly seen: SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const counts = new Map<string, number>();
  const port = await httpReceiver(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://provider.test');
    const what = `${request.method} ${decodeURIComponent(url.pathname)}`;
    const body = Buffer.concat(await request.toArray()).toString();
    const query = Object.fromEntries(
      [...url.searchParams.keys()].map((name) => {
        const values = url.searchParams.getAll(name);
        return [name, values.length > 1 ? values : (values[0] ?? '')];
      }),
    );
    seen.push({ what, query, headers: request.headers, body });
    const answers = [script[what] ?? { status: 418 }].flat();
    const count = counts.get(what) ?? 0;
    counts.set(what, count + 1);
    const answer = answers[Math.min(count, answers.length - 1)] ?? { status: 418 };
    if (answer.isLost) return void request.socket.destroy();
    response.writeHead(answer.status ?? 200, answer.headers);
    response.end(answer.text ?? (answer.json === undefined ? '' : JSON.stringify(answer.json)));
  });
  return { base: `http://127.0.0.1:${port}`, seen };
}
