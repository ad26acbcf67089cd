/** The commands of README.md and of every page of docs/, run in order as a reader does, on a cloud as `npm start` runs it. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { cloud } from '../support/cloud.ts';
import { pages, root, type Step, type Walk, walkOf } from '../support/docs/pages.ts';
import { openSession, type Session } from '../support/docs/session.ts';
import { differences, jsonIn, missingLines, readShown } from '../support/docs/shown.ts';
import { type OwnCloud, startOwnCloud } from '../support/own-cloud.ts';

const walks = pages.map((page) => walkOf(page)).filter(({ steps }) => steps.length > 0);

let own: OwnCloud;
beforeAll(async () => {
  own = await startOwnCloud({ publishesTestDomains: true });
});
afterAll(async () => own.close());

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The addresses that `npm start` has by default, and those of the test. */
async function addressesOf({
  slug,
  key,
}: {
  slug: string;
  key: string;
}): Promise<readonly (readonly [string, string])[]> {
  const { google, microsoft } = await cloud().control<Record<'google' | 'microsoft', { url: string }>>(
    'GET',
    '/mailbox-providers',
  );
  return [
    ['127.0.0.1:3000', new URL(cloud().baseUrl).host],
    ['127.0.0.1:2525', `127.0.0.1:${cloud().smtpPort}`],
    ['127.0.0.1:3001', new URL(google.url).host],
    ['127.0.0.1:3002', new URL(microsoft.url).host],
    ['127.0.0.1:4000', `127.0.0.1:${await freePort()}`],
    ['demo.mail.parley.test', `${slug}.mail.parley.test`],
    ['--workspace demo', `--workspace ${slug}`],
    ['PARLEY_API_KEY=…', `PARLEY_API_KEY=${key}`],
  ];
}

/** @returns the text with the actual names; what came in for one of them is not read as another */
function adaptTo(names: readonly (readonly [string, string])[]): (text: string) => string {
  const actual = new Map(names);
  const written = new RegExp(names.map(([name]) => name.replaceAll('.', '\\.')).join('|'), 'g');
  return (text) => text.replaceAll(written, (name) => actual.get(name) ?? name);
}

async function startWalk({ programs }: Walk): Promise<{ session: Session; adapt(text: string): string }> {
  const workspace = await own.workspace();
  const adapt = adaptTo(await addressesOf(workspace));
  // A program listens to the port alone.
  const port = adapt('127.0.0.1:4000').split(':')[1] ?? '';
  const adaptProgram = (text: string) => adapt(text.replaceAll(/(?<!:)\b4000\b/g, port));
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  mkdirSync(join(folder, 'examples'));
  for (const [name, text] of programs) writeFileSync(join(folder, name), adaptProgram(text));
  for (const name of ['node_modules', 'docs']) symlinkSync(join(root, name), join(folder, name));
  mkdirSync(join(folder, '.local'));
  writeFileSync(join(folder, '.local/environment.json'), JSON.stringify(cloud().environment));
  const session = openSession(folder, {
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    HOME: folder,
    PARLEY_BASE_URL: cloud().baseUrl,
    PARLEY_API_KEY: workspace.key,
  });
  onTestFinished(() => {
    session.close();
    rmSync(folder, { recursive: true });
  });
  return { session, adapt };
}

/** A background program may print objects of its own beside the response. */
function fewest(lists: readonly (readonly string[])[]): readonly string[] {
  return lists.reduce((least, list) => (list.length < least.length ? list : least));
}

function faultsOf({ shown }: Step, output: string, adapt: (text: string) => string): readonly string[] {
  if (!shown) return [];
  const text = adapt(shown.text);
  return shown.language === 'json'
    ? fewest(jsonIn(output).map((found) => differences(readShown(text), found)))
    : missingLines(text, output).map((line) => `no line ${line} in ${output}`);
}

describe('the commands of', () => {
  it.each(walks)('$page run, and print what the page shows', async (walk) => {
    const { session, adapt } = await startWalk(walk);
    for (const step of walk.steps) {
      const showsProblem = /"status": [45]\d\d\b|^[45]\d\d$/m.test(step.shown?.text ?? '');
      await session.run(adapt(step.commands.text), { showsProblem });
      await cloud().waitForQuiescence();
      const at = `${walk.page}:${step.commands.line}`;
      // Background programs print when they like.
      await expect.poll(() => faultsOf(step, session.output(), adapt), { message: at }).toEqual([]);
    }
  });
});
