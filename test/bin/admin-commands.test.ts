/** The command lines of `npm run admin`: what is refused before a deployment is called, help, completion, the audit log. */
import { describe, expect, it } from 'vitest';
import type { Values } from '../../bin/admin/command.ts';
import { adminProgram, commands } from '../../bin/admin/program.ts';
import { parse } from '../../clients/cli/src/terminal/parse.ts';
import { runAdmin } from '../support/operator.ts';

const unreached = async () => {
  throw new Error('the deployment was called');
};

const helpFor = async (args: readonly string[]): Promise<string> => (await runAdmin(args)).out;

/** A command whose arguments are checked. */
async function prepared(args: readonly string[]) {
  const parsed = await parse(adminProgram(), args);
  if ('text' in parsed) throw new Error('the command line prints text');
  const name = parsed.path.replace('npm run admin -- ', '');
  return await commands[name]?.prepare(name, parsed.values as Values);
}

const ofAcme = ['--workspace', 'acme'];
const endpoint = `whk_${'0'.repeat(32)}`;

describe('npm run admin', () => {
  it.each([
    [['workspace', 'remove'], 'Did you mean resume?'],
    [['workspace', 'open-door'], '"open-door" is unknown here.'],
    [['workspace', 'creat'], 'Did you mean create?'],
    [['workspace'], 'A command is missing.'],
    [['planets', 'list'], '"planets" is unknown here.'],
    [[], 'A command is missing.'],
    [['workspace', 'list', 'all'], '"all" is unknown here.'],
    [['workspace', 'list', '--all'], 'There is no option --all here.'],
    [['workspace', 'list', '--slug', 'acme'], /^There is no option --slug here\./],
    [['workspace', 'list', '--local', '--region', 'us-east-1'], /^--local is the local run/],
    [['workspace', 'list', '--region', 'mars'], '--region is the name of an AWS region, such as us-east-1.'],
    [['workspace', 'list', '--stack-prefix', 'a b'], /^--stack-prefix is a letter followed by/],
    [['workspace', 'create'], '--slug is missing.'],
    [['workspace', 'create', '--slug'], /^--slug needs a value\./],
    [['workspace', 'create', '--slug', ''], '--slug is empty.'],
    [['workspace', 'create', '--slug', 'a1b', '--slug', 'c2d'], '--slug is given twice.'],
    [['workspace', 'create', '--slug', 'No'], /^--slug: "No" is not 3 to 63 of a-z/],
    [
      ['workspace', 'limits', ...ofAcme, '--capacity', '0'],
      '--capacity is a whole number from 1 to 999999999.',
    ],
    [
      ['workspace', 'limits', ...ofAcme, '--capacity', '1.5'],
      '--capacity is a whole number from 1 to 999999999.',
    ],
    [['workspace', 'limits', ...ofAcme, '--default', 'none'], '--default is one of budget, recipients, all.'],
    [
      ['workspace', 'limits', ...ofAcme, '--default', 'all', '--capacity', '5'],
      '--default all resets what another option sets.',
    ],
    [['workspace', 'inbound-policy', ...ofAcme, '--spam', 'eat'], '--spam is one of accept, mark, drop.'],
    [
      ['person', 'erase', ...ofAcme, '--address', 'anna', '--dry-run'],
      '--address: "anna" is not an email address.',
    ],
    [
      ['person', 'erase', ...ofAcme, '--address', 'a@b.test', '--confirm', 'b@b.test'],
      '--confirm must repeat the address; --dry-run counts only.',
    ],
    [['workspace', 'retention', ...ofAcme, '--days', '0'], '--days is a whole number from 1 to 36500.'],
    [['workspace', 'event-log', ...ofAcme, '--state', 'maybe'], '--state is one of on, off.'],
    [
      ['workspace', 'link-domain', ...ofAcme, '--domain', 'https://links.acme.dev'],
      '--domain: "https://links.acme.dev" is not a host name.',
    ],
    [['workspace', 'erase', ...ofAcme], '--confirm is missing.'],
    [['workspace', 'erase', ...ofAcme, '--confirm', 'acne'], '--confirm must repeat the slug "acme".'],
    [['member', 'list'], '--workspace is missing.'],
    [['member', 'add', ...ofAcme, '--email', 'a'], '--email: "a" is no email address.'],
    [
      ['member', 'add', ...ofAcme, '--email', 'a@b.test', '--role', 'king'],
      '--role is one of owner, admin, member, viewer.',
    ],
    [
      ['member', 'add', ...ofAcme, '--email', 'a@b.test', '--outage-mail', 'no'],
      '--outage-mail is one of on, off.',
    ],
    [['member', 'update', ...ofAcme, '--email', 'a@b.test'], 'Give --role, --outage-mail or both.'],
    [['member', 'remove', ...ofAcme], '--email is missing.'],
    [['key', 'create', ...ofAcme], '--name is missing.'],
    [['key', 'create', ...ofAcme, '--name', 'x'.repeat(256)], '--name has at most 255 characters.'],
    [
      ['key', 'create', ...ofAcme, '--name', 'k', '--scope', 'all'],
      '--scope is one of read, draft, sending, full.',
    ],
    [
      ['key', 'create', ...ofAcme, '--name', 'k', '--expires-at', 'tomorrow'],
      '--expires-at is a time with an offset, such as 2027-01-31T00:00:00Z.',
    ],
    [
      ['key', 'create', ...ofAcme, '--name', 'k', '--allowed-ips', '192.0.2.0/99'],
      '--allowed-ips: "192.0.2.0/99" is no address or network such as 192.0.2.0/24.',
    ],
    [['key', 'delete', ...ofAcme, '--key', endpoint], '--key is the id of an API key, as key list shows it.'],
    [['webhook', 'create', ...ofAcme], '--url is missing.'],
    [
      ['webhook', 'create', ...ofAcme, '--url', 'https://a.dev/', '--events', 'email.received'],
      '--events is one of inbound.email.received, outbound.email.delivered, outbound.email.bounced, ' +
        'outbound.email.complained, outbound.email.rejected, outbound.email.opened, ' +
        'outbound.email.link_clicked, outbound.email.clicked.',
    ],
    [
      ['webhook', 'create', ...ofAcme, '--url', 'https://a.dev/', '--max-concurrency', '129'],
      '--max-concurrency is a whole number from 1 to 128.',
    ],
    [['webhook', 'create', ...ofAcme, '--url', 'https://a.dev/', '--secret', ''], '--secret is empty.'],
    [
      ['webhook', 'create', ...ofAcme, '--url', 'https://a.dev/', '--click-event', 'tapped'],
      '--click-event is one of link_clicked, clicked.',
    ],
    [['webhook', 'update', ...ofAcme, '--endpoint', endpoint], '--click-event is missing.'],
    [
      ['webhook', 'pause', ...ofAcme, '--endpoint', 'evt_1'],
      '--endpoint is the id of a webhook endpoint, as webhook list shows it.',
    ],
    [
      ['webhook', 'rotate-secret', ...ofAcme, '--endpoint', endpoint, '--grace-seconds', '1h'],
      '--grace-seconds is a whole number from 0 to 604800.',
    ],
    [
      ['key', 'create', ...ofAcme, '--name', 'k', '--expires-at', '2001-01-01T00:00:00Z'],
      '--expires-at is in the past.',
    ],
    [
      ['key', 'create', ...ofAcme, '--name', 'k', '--expires-at', '2099-02-30T00:00:00Z'],
      /^--expires-at is a time/,
    ],
    [
      ['webhook', 'create', ...ofAcme, '--url', 'https://a.dev/', '--secret', 's'.repeat(1001)],
      /^--secret has at most/,
    ],
    [['workspace', 'create', '--slug', 'x'.repeat(64)], /^--slug: "x{60}…" is not/],
    [['workspace', 'list', '--', '--local'], '"--local" is unknown here, behind "--".'],
    [['workspace', 'create', '--slug', 'acme', '--name', 'x'.repeat(256)], /^--name has at most 255 /],
    [['completion', 'tcsh'], '<shell> is one of bash, zsh, fish.'],
    [['audit', 'list', ...ofAcme, '--limit', 'all'], '--limit is a whole number from 1 to 100000.'],
    [['trace'], '<id> is missing.'],
    [['trace', 'eml_1'], '"eml_1" is no id: 32 characters of 0-9 and a-f follow eml_.'],
    [['trace', `thr_${'0'.repeat(32)}`], /^"thr_0+" is the id of another kind \(Thread\): trace takes/],
    [['trace', 'a b'], /^"a b" is no id: trace takes/],
    [['trace', 'x'.repeat(129)], /^"x{60}…" is no id: trace takes/],
    [['trace', 'id', '--workspace', ''], '--workspace is empty.'],
    [['queue', 'redrive', '--queue', 'none'], /^--queue is one of outgoing, mail, /],
  ])('ends with 2 and points to the nearest help when arguments are wrong: %j', async (args, line) => {
    const { code, out, err } = await runAdmin(args, unreached);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    const [said, hint] = err.split('\n  ');
    expect(said).toMatch(
      typeof line === 'string' ? `error: ${line}` : new RegExp(`error: ${line.source.replace('^', '')}`),
    );
    const known = [...Object.keys(commands), ...Object.keys(commands).map((name) => name.split(' ')[0])];
    const nearest = [args.slice(0, 2).join(' '), args[0]].find(
      (name) => name === 'completion' || known.includes(name),
    );
    const help = ['npm run admin --', nearest, '--help.'].filter(Boolean).join(' ');
    expect(hint).toBe(`See ${help}\n`);
    const json = await runAdmin([...args, '--json'], unreached);
    // Where the last option lacks its value, --json is that.
    if (json.code === 2 && !/needs a value/.test(err)) expect(JSON.parse(json.err).error.code).toBe('usage');
  });

  it.each(Object.entries(commands))(
    '%s has help with each option and examples that it accepts',
    async (name, command) => {
      const help = await helpFor([...name.split(' '), '--help']);
      expect(help).toContain(`Usage: npm run admin -- ${name}`);
      for (const option of [...Object.keys(command.options), 'json', 'local', 'region']) {
        expect(help).toContain(`--${option}`);
      }
      expect(command.examples.length).toBeGreaterThan(0);
      for (const [example, effect] of command.examples) {
        expect(help.replaceAll(/\s+/g, ' ')).toContain(effect.split(' ')[0]);
        // As the shell splits it; an id is shortened.
        const args = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(
          ([, quoted, word]) => quoted ?? word ?? '',
        );
        const whole = args.map((arg) => arg.replace('…', '0'.repeat(24)));
        expect(await prepared(whole)).toBeDefined();
      }
    },
  );

  it('lists all commands with --help, and those of a noun', async () => {
    const all = (await helpFor(['--help'])).replaceAll(/\s+/g, ' ');
    for (const name of Object.keys(commands)) {
      const [noun, verb] = name.split(' ');
      const listed = verb ? `[^:]*: ([\\w-]+, )*${verb}[,.]` : '';
      expect(all).toMatch(new RegExp(`-- ${noun} ${listed}`));
    }
    const ofMembers = await helpFor(['member', '--help']);
    expect(ofMembers).toContain('member add');
    expect(ofMembers).not.toContain('workspace list');
  });

  it('completes nouns, verbs, options and their values', async () => {
    const words = async (...line: string[]) =>
      (await helpFor(['--get-yargs-completions', 'admin', ...line])).trim().split('\n');
    expect(await words('')).toEqual(expect.arrayContaining(['workspace', 'key', 'completion']));
    expect(await words('key', '')).toEqual(expect.arrayContaining(['create', 'list', 'delete']));
    expect(await words('key', 'create', '--s')).toContain('--scope');
    expect(await words('key', 'create', '--scope', '')).toEqual(['read', 'draft', 'sending', 'full']);
    for (const shell of ['bash', 'zsh', 'fish'])
      expect(await helpFor(['completion', shell])).toContain('--get-yargs-completions');
  });

  it('records a command without its secrets, defaults and the options of every command', async () => {
    const url = 'https://a.dev/';
    const args = ['webhook', 'create', ...ofAcme, '--url', url, '--secret', 's3cret', '--local', '--json'];
    expect(await prepared(args)).toMatchObject({ audited: `webhook create --url ${url}`, isAudited: true });
  });

  it.each([
    ['workspace limits', false],
    ['workspace limits --capacity 5', true],
    ['workspace limits --default all', true],
    ['workspace inbound-policy', false],
    ['workspace inbound-policy --spam drop', true],
    ['workspace show', false],
    ['workspace suspend', true],
    ['audit list', false],
  ])('records %s in the audit log: %s', async (line, isAudited) => {
    expect(await prepared([...line.split(' '), ...ofAcme])).toMatchObject({ isAudited });
  });
});
