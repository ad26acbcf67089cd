/** The packed TypeScript library, installed in an empty folder, holds a conversation. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { version } from '../../clients/typescript/src/version.ts';
import { cloud } from '../support/cloud.ts';
import { workspace } from '../support/workspace.ts';
import { cloudClient } from './support/cloud-client.ts';

const library = join(import.meta.dirname, '../../clients/typescript');
const run = promisify(execFile);

const sendProgram = `
  import { Parley } from 'parley-client';
  const { id, thread_id } = await new Parley().emails.send({
    from: process.env.FROM, to: 'anna@example.test', subject: 'Your order', text: 'It is on its way.',
  });
  console.log(JSON.stringify({ id, thread_id }));`;

const replyProgram = `
  import { Parley } from 'parley-client';
  const parley = new Parley();
  for await (const { category, stripped_text } of parley.threads.messages(process.env.THREAD))
    if (category === 'human') console.log(stripped_text.trim());
  await parley.threads.reply(process.env.THREAD, { text: 'You are welcome.', attachments: [{ path: 'package.json' }] });`;

it('the package sends, reads the answer, and replies with a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-installed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = { cwd: folder, env: { ...process.env } };
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: library });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./parley-client-${version}.tgz`], at);
  writeFileSync(join(folder, 'send.mjs'), sendProgram);
  writeFileSync(join(folder, 'reply.mjs'), replyProgram);

  const ours = await workspace();
  const from = `support@${ours.providedDomain}`;
  Object.assign(at.env, { PARLEY_API_KEY: ours.key, PARLEY_BASE_URL: cloud().baseUrl, FROM: from });
  const sent = JSON.parse((await run(process.execPath, ['send.mjs'], at)).stdout);
  await cloud().waitForQuiescence();
  const parley = cloudClient(ours);
  const { wire_message_ids: wire } = await parley.emails.retrieve(sent.id);
  await cloud().sendMail({
    from: 'anna@example.test',
    to: from,
    subject: 'Re: Your order',
    text: 'Thank you!\n\nOn Monday, Support wrote:\n> It is on its way.\n',
    inReplyTo: wire[0] ?? '',
  });
  await cloud().waitForQuiescence();

  Object.assign(at.env, { THREAD: sent.thread_id });
  expect((await run(process.execPath, ['reply.mjs'], at)).stdout).toBe('Thank you!\n');
  await cloud().waitForQuiescence();
  const { messages } = await parley.threads.retrieve(sent.thread_id);
  expect(messages.map(({ status, attachments }) => [status, attachments.length])).toEqual([
    ['delivered', 0],
    ['received', 0],
    ['delivered', 1],
  ]);
});
