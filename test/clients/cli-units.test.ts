/** Parts of the command line that need no cloud: whose key is used, times, addresses, and what a person sees of a mail. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { accountOf, explain } from '../../clients/cli/src/client.ts';
import { targetUrl } from '../../clients/cli/src/commands/listen.ts';
import { lineOf } from '../../clients/cli/src/commands/tail.ts';
import { messageText } from '../../clients/cli/src/commands/threads.ts';
import {
  configurationFolder,
  listenSecret,
  readProfiles,
  writeProfile,
} from '../../clients/cli/src/configuration.ts';
import { timeOf } from '../../clients/cli/src/content.ts';
import { wantedTypes } from '../../clients/cli/src/events/types.ts';
import { eventExamples } from '../../clients/cli/src/generated/event-examples.ts';
import { program } from '../../clients/cli/src/program.ts';
import { cleanLine } from '../../clients/cli/src/terminal/clean.ts';
import type { Command, Group } from '../../clients/cli/src/terminal/command.ts';
import { parse } from '../../clients/cli/src/terminal/parse.ts';
import { type Event, type FullEmail, ParleyError } from '../../clients/typescript/src/index.ts';
import { recordedTerminal } from './support/recorded-terminal.ts';

const home = mkdtempSync(join(tmpdir(), 'parley-units-'));
afterAll(() => rmSync(home, { recursive: true }));
const env = { XDG_CONFIG_HOME: home };
const folder = configurationFolder(env);

describe('the configuration folder', () => {
  it.each([
    [{ XDG_CONFIG_HOME: '/x', HOME: '/h' }, 'linux', '/x/parley'],
    [{ XDG_CONFIG_HOME: 'relative', HOME: '/h' }, 'linux', '/h/.config/parley'],
    [{ HOME: '/h' }, 'darwin', '/h/Library/Application Support/parley'],
    [{ APPDATA: '/roaming', USERPROFILE: '/u' }, 'win32', '/roaming/parley'],
    [{ USERPROFILE: '/u' }, 'win32', '/u/AppData/Roaming/parley'],
  ] as const)('of %j on %s is %s', (given, platform, expected) => {
    expect(configurationFolder(given, platform)).toBe(expected);
  });

  it('has files for the owner alone, and a secret that stays the same', () => {
    const secret = listenSecret(folder);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(listenSecret(folder)).toBe(secret);
    expect(statSync(join(folder, 'listen-secret')).mode & 0o777).toBe(0o600);
    writeFileSync(join(folder, 'credentials.json'), '{"profiles": 7');
    expect(() => readProfiles(folder)).toThrow('is not a file of parley');
    rmSync(join(folder, 'credentials.json'));
  });
});

describe('the account', () => {
  const [one, two] = [
    { base_url: 'https://one.example', api_key: 'pk_one' },
    { base_url: 'https://two.example', api_key: 'pk_two' },
  ];

  it('is that of the environment, then of the profile; a key goes to its own address only', () => {
    expect(() => accountOf({}, env)).toThrow('You are not logged in.');
    writeProfile(folder, 'default', one);
    writeProfile(folder, 'two', two);
    expect(accountOf({}, env)).toMatchObject(one);
    expect(accountOf({ profile: 'two' }, env)).toMatchObject(two);
    expect(accountOf({}, { ...env, PARLEY_PROFILE: 'two' })).toMatchObject(two);
    const both = { ...env, PARLEY_API_KEY: 'pk_env', PARLEY_BASE_URL: 'https://env.example' };
    expect(accountOf({ profile: 'two' }, both)).toMatchObject({
      api_key: 'pk_env',
      base_url: 'https://env.example',
    });
    expect(() => accountOf({}, { ...env, PARLEY_API_KEY: 'pk_env' })).toThrow('PARLEY_BASE_URL is not');
    expect(() => accountOf({}, { ...env, PARLEY_BASE_URL: 'https://env.example' })).toThrow(
      'PARLEY_API_KEY is not',
    );
    expect(() => accountOf({ profile: 'constructor' }, env)).toThrow('There is no profile "constructor".');
  });
});

it('errors of the library are a sentence with code, request id and what to do', () => {
  const facts = { detail: 'The key is unknown.', status: 401, requestId: 'req-1' };
  expect(explain(new ParleyError('unauthorized', facts))).toMatchObject({
    message: 'The key is unknown.',
    code: 'unauthorized',
    requestId: 'req-1',
    hint: expect.stringContaining('parley login'),
  });
  expect(explain(new TypeError('a bug'))).toBeNull();
});

describe('values of options', () => {
  it.each([
    ['3000', 'http://localhost:3000/'],
    ['3000/hook', 'http://localhost:3000/hook'],
    ['localhost:3000/hook', 'http://localhost:3000/hook'],
    ['https://[::1]:3000/x?a=1', 'https://[::1]:3000/x?a=1'],
  ])('--forward-to %s is %s', (text, expected) => expect(targetUrl(text)).toBe(expected));

  it('--schedule is a time or so long from now, --type one or a family', () => {
    expect(timeOf('2h', 0)).toBe('1970-01-01T02:00:00.000Z');
    expect(timeOf('2027-01-31T08:00:00+01:00', 0)).toBe('2027-01-31T08:00:00+01:00');
    expect(() => timeOf('2027-01-31', 0)).toThrow('--schedule');
    expect(wantedTypes(['domain.*', 'email.sent'])).toEqual(
      new Set(['domain.verified', 'domain.lost', 'email.sent']),
    );
    expect(() => wantedTypes(['email'])).toThrow('There is no event type "email".');
  });
});

describe('what a person sees', () => {
  const terminal = recordedTerminal();
  const hostile = 'x\u001b[2J\u009b31m\u202ey';

  it('of an event of any type is one line without control characters', () => {
    for (const example of Object.values(eventExamples)) {
      const text = JSON.stringify(example).replaceAll('Your order', hostile.replace('\u001b', '\\u001b'));
      const line = lineOf(JSON.parse(text) as Event, terminal);
      expect(line).toMatch(/^\d\d:\d\d:\d\d {2}\w+\.\w+ +evt_[0-9a-f]{32} {2}[^\n]*$/);
      expect(line).toBe(cleanLine(line));
    }
    const strange = { id: 'evt_1', type: hostile, created_at: '', data: { to: 7, subject: null } };
    expect(lineOf(strange as unknown as Event, terminal)).toContain('x␛[2J');
  });

  it('of a message are its new words; quotes and signatures are counted', () => {
    const email = {
      id: 'eml_1',
      direction: 'inbound',
      status: 'received',
      from: { name: hostile, address: 'eve@example.com' },
      to: ['a@example.com'],
      subject: `${hostile}\nInjected: line`,
      created_at: '2027-01-31T00:00:00Z',
      sent_at: null,
      verdicts: { spam: 'PASS', dkim: 'FAIL', dmarc_policy: 'reject' },
      segments: [
        { kind: 'written', text: `Hi\n${hostile}` },
        { kind: 'quoted', text: '> a\n> b' },
        { kind: 'signature', text: '-- \nEve' },
      ],
      attachments: [{ id: 'att_1', filename: `${hostile}.pdf`, size: 1_234_567 }],
      signals: [{ code: 'first_contact', detail: `"${hostile}" is new.\nReally.`, place: 'from' }],
      hidden_text: `${hostile}\n\n`,
      text: '',
    } as unknown as FullEmail;
    expect(messageText(email, terminal, false).split('\n')).toEqual([
      '◀ x␛[2J�31my <eve@example.com> to a@example.com',
      expect.stringMatching(/^ {2}2027-01-3\d \d\d:\d\d {2}eml_1 {2}failed: dkim$/),
      '  x␛[2J�31my Injected: line',
      '  ! first contact: "x␛[2J�31my" is new. Really.',
      '',
      '  Hi',
      '  x␛[2J�31my',
      '',
      '  [quote, 2 lines]',
      '',
      '  [signature, 2 lines]',
      '',
      '  [hidden text, 10 characters]',
      '',
      '  + x␛[2J�31my.pdf 1.2 MB  att_1',
    ]);
    expect(messageText(email, terminal, true)).toContain('  > b\n\n  -- \n  Eve');
  });
});

describe('every command', () => {
  const leaves = (of: readonly (Command | Group)[], path: string): [string, Command][] =>
    of.flatMap((one) =>
      one.kind === 'group' ? leaves(one.commands, `${path}${one.name} `) : [[`${path}${one.name}`, one]],
    );
  const all = leaves(program.commands as readonly (Command | Group)[], '');

  it.each(all)('%s has help with examples that the parser accepts', async (path, command) => {
    const { text } = (await parse(program, [...path.split(' '), '--help'])) as { text: string };
    expect(text).toContain(`Usage: parley ${path}`);
    expect(command.examples.length).toBeGreaterThan(0);
    for (const [line] of command.examples) {
      const words = [...line.replace(/ [<|>].*$/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(
        (match) => match[1] ?? match[2] ?? '',
      );
      expect(await parse(program, words), line).toMatchObject({ path: expect.stringMatching(/^parley /) });
    }
  });
});
