/** A local run with its inbox, in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface InboxRun {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** Domain of the demo workspace. */
  readonly domain: string;
  readonly smtpPort: number;
  /** Calls an operation as the demo workspace. */
  api<T = Record<string, unknown>>(method: string, path: string, body?: object): Promise<T>;
  /** Calls a control route. @throws Error with the text of a refusal */
  control<T = Record<string, unknown>>(method: string, path: string, body?: object): Promise<T>;
  close(): Promise<void>;
}

export async function startInboxRun(): Promise<InboxRun> {
  const script = join(import.meta.dirname, 'inbox-cloud.ts');
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { baseUrl, controlUrl, smtpPort, apiKey, providedDomain } = JSON.parse(line);
  const request = async <T>(url: string, method: string, headers: Record<string, string>, body?: object) => {
    const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  const json = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  return {
    origin: new URL(baseUrl).origin,
    domain: providedDomain,
    smtpPort,
    api: (method, path, body) => request(`${baseUrl}${path}`, method, json, body),
    control: (method, path, body) => request(`${controlUrl}${path}`, method, {}, body),
    close: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
