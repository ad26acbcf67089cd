/** A local cloud that is killed with `kill -9`, and started again on its data folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { sendOverSmtp } from '../../scripts/fuzz/smtp-client.ts';

interface Run {
  readonly process: ChildProcess;
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly smtpPort: number;
  readonly token: string;
  readonly domain: string;
}

async function start(folder: string): Promise<Run> {
  const script = join(import.meta.dirname, '../support/kept-cloud.ts');
  const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout });
  const [line] = await once(lines, 'line');
  return { process: child, ...JSON.parse(line) };
}

async function kill({ process: child }: Run): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const control = async ({ controlUrl }: Run, path: string, body: object): Promise<unknown> => {
  const headers = { 'content-type': 'application/json' };
  return (
    await fetch(`${controlUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  ).json();
};

async function subjectsOf({ baseUrl, token }: Run): Promise<string[]> {
  const response = await fetch(`${baseUrl}/emails?direction=inbound&limit=100`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { data } = (await response.json()) as { data: { subject: string }[] };
  return data.map(({ subject }) => subject);
}

it('a local cloud has every mail that SMTP accepted before kill -9, and goes on at the time that its clock showed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-data-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const first = await start(folder);
  const days = 3;
  await control(first, '/clock', { advance_seconds: days * 86_400 });
  const accepted: string[] = [];
  let killing: Promise<void> | undefined;
  const sending = Array.from({ length: 24 }, async (_, number) => {
    const subject = `mail ${number}`;
    const raw = Buffer.from(
      `From: a@example.test\r\nTo: b@${first.domain}\r\nSubject: ${subject}\r\n\r\nHi\r\n`,
    );
    const reply = await sendOverSmtp(first.smtpPort, {
      from: 'a@example.test',
      to: `b@${first.domain}`,
      raw,
    });
    if (reply.isAccepted) accepted.push(subject);
    // In the middle: some are processed, some wait in their queue.
    if (accepted.length === 12) killing ??= kill(first);
  });
  await Promise.allSettled(sending);
  await killing;
  expect(accepted.length).toBeGreaterThanOrEqual(12);

  const second = await start(folder);
  const { now } = (await (await fetch(`${second.controlUrl}/clock`)).json()) as { now: string };
  expect(Date.parse(now)).toBeGreaterThan(Date.now() + (days * 24 - 1) * 3_600_000);
  await control(second, '/settle', {});
  expect(await subjectsOf(second)).toEqual(expect.arrayContaining(accepted));
});
