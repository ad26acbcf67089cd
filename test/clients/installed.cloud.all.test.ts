/** The three packages, packed and installed in an empty folder, hold a conversation each: send, read the answer, reply with a file. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloud } from '../support/cloud.ts';
import { workspace } from '../support/workspace.ts';
import { cloudClient } from './support/cloud-client.ts';
import { host } from './support/mcp-client.ts';

const clients = join(import.meta.dirname, '../../clients');
const run = promisify(execFile);

const folder = mkdtempSync(join(tmpdir(), 'parley-installed-'));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const tarballs = ['typescript', 'cli', 'mcp'].map(async (name) => {
    const cwd = join(clients, name);
    await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd });
    const { name: packageName, version } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
    return `./${packageName}-${version}.tgz`;
  });
  const install = ['install', '--offline', '--no-audit', '--no-fund', ...(await Promise.all(tarballs))];
  await run('npm', install, { cwd: folder });
});

/** A workspace, and how its conversation is led through one package. */
interface Session {
  readonly key: string;
  readonly from: string;
}

interface Conversation {
  send(email: { to: string; subject: string; text: string }): Promise<{ id: string; threadId: string }>;
  /** The new words of the thread. */
  read(threadId: string): Promise<string>;
  /** With a file. */
  reply(threadId: string, text: string): Promise<void>;
}

function environmentOf({ key, from }: Session): NodeJS.ProcessEnv {
  return { ...process.env, PARLEY_API_KEY: key, PARLEY_BASE_URL: cloud().baseUrl, FROM: from };
}

const sendProgram = `
  import { Parley } from 'parley-client';
  const [to, subject, text] = process.argv.slice(2);
  const { id, thread_id } = await new Parley().emails.send({ from: process.env.FROM, to, subject, text });
  console.log(JSON.stringify({ id, thread_id }));`;

const readProgram = `
  import { Parley } from 'parley-client';
  for await (const { stripped_text } of new Parley().threads.messages(process.argv[2])) console.log(stripped_text);`;

const replyProgram = `
  import { Parley } from 'parley-client';
  const [threadId, text] = process.argv.slice(2);
  await new Parley().threads.reply(threadId, { text, attachments: [{ path: 'package.json' }] });`;

function byLibrary(session: Session): Conversation {
  const node = async (program: string, ...args: readonly string[]) => {
    const file = join(folder, 'program.mjs');
    writeFileSync(file, program);
    return (await run(process.execPath, [file, ...args], { cwd: folder, env: environmentOf(session) }))
      .stdout;
  };
  return {
    async send({ to, subject, text }) {
      const { id, thread_id } = JSON.parse(await node(sendProgram, to, subject, text));
      return { id, threadId: thread_id };
    },
    read: (threadId) => node(readProgram, threadId),
    reply: async (threadId, text) => void (await node(replyProgram, threadId, text)),
  };
}

function byCommandLine(session: Session): Conversation {
  const parley = async (...args: readonly string[]) =>
    (await run('npx', ['parley', ...args], { cwd: folder, env: environmentOf(session) })).stdout;
  return {
    async send({ to, subject, text }) {
      const message = ['--from', session.from, '--to', to, '--subject', subject, '--text', text];
      const { id, thread_id } = JSON.parse(await parley('send', '--json', ...message));
      return { id, threadId: thread_id };
    },
    read: (threadId) => parley('read', threadId),
    reply: async (threadId, text) =>
      void (await parley('reply', threadId, '--text', text, '--attach', 'package.json')),
  };
}

async function byTools({ key, from }: Session): Promise<Conversation> {
  const { call } = await host(key, 'stdio', { command: 'npx', args: ['parley-mcp'], cwd: folder });
  return {
    async send({ to, ...email }) {
      const { email_id, thread_id } = await call('send_email', { from, to: [to], ...email });
      return { id: email_id, threadId: thread_id };
    },
    read: async (threadId) => (await call('read_thread', { thread_id: threadId })).text,
    async reply(threadId, text) {
      const attachments = [{ filename: 'package.json', base64: Buffer.from('{}').toString('base64') }];
      await call('reply_to_thread', { thread_id: threadId, text, attachments });
    },
  };
}

it.each([
  ['library', byLibrary],
  ['command line', byCommandLine],
  ['server of tools', byTools],
] as const)('the %s sends, reads the answer, and replies with a file', async (_, by) => {
  const ours = await workspace();
  const from = `support@${ours.providedDomain}`;
  const conversation = await by({ key: ours.key, from });
  const email = { to: 'anna@example.test', subject: 'Your order', text: 'It is on its way.' };
  const { id, threadId } = await conversation.send(email);
  await cloud().waitForQuiescence();
  const parley = cloudClient(ours);
  const { wire_message_ids: wire } = await parley.emails.retrieve(id);
  await cloud().sendMail({
    from: email.to,
    to: from,
    subject: 'Re: Your order',
    text: 'Thank you!\n\nOn Monday, Support wrote:\n> Words of the quote.\n',
    inReplyTo: wire[0] ?? '',
  });
  await cloud().waitForQuiescence();

  const words = await conversation.read(threadId);
  expect(words).toContain('Thank you!');
  expect(words).not.toContain('Words of the quote.');
  await conversation.reply(threadId, 'You are welcome.');
  await cloud().waitForQuiescence();
  const { messages } = await parley.threads.retrieve(threadId);
  expect(messages.map(({ status, attachments }) => [status, attachments.length])).toEqual([
    ['delivered', 0],
    ['received', 0],
    ['delivered', 1],
  ]);
});
