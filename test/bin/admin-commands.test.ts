import { describe, expect, it } from 'vitest';
import { commands, readCommandLine, refusalOf } from '../../bin/admin-commands.ts';
import { textOf } from '../../bin/print-result.ts';

/** The refusal of a command line. */
function refused(args: readonly string[]) {
  try {
    readCommandLine(args);
  } catch (error) {
    return refusalOf(error);
  }
  throw new Error('the command line was accepted');
}

const helpFor = (args: readonly string[]): string => {
  const read = readCommandLine(args);
  return 'help' in read ? read.help : '';
};

const ofAcme = ['--workspace', 'acme'];
const endpoint = `whk_${'0'.repeat(32)}`;

describe('npm run admin', () => {
  it.each([
    [
      ['workspace', 'remove'],
      /^There is no command "workspace remove"\. workspace has: create, list, .*erase\.$/,
    ],
    [['workspace'], /^There is no command "workspace"\. workspace has: /],
    [['spaces', 'list'], 'There is no command "spaces list".'],
    [['--local'], 'A command begins with a noun and a verb.'],
    [['workspace', 'list', 'all'], '"all" is no part of workspace list.'],
    [['workspace', 'list', '--all'], "Unknown option '--all'."],
    [['workspace', 'list', '--slug', 'acme'], "Unknown option '--slug'."],
    [['workspace', 'list', '--json=yes'], /^Option '--json' does not take an argument\.$/],
    [['workspace', 'create'], '--slug is missing.'],
    [['workspace', 'create', '--slug'], /^Option '--slug <value>' argument missing\.$/],
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
      '--role is one of owner, admin, member.',
    ],
    [
      ['member', 'add', ...ofAcme, '--email', 'a@b.test', '--outage-mail', 'no'],
      '--outage-mail is one of on, off.',
    ],
    [['member', 'update', ...ofAcme, '--email', 'a@b.test'], 'Give --role, --outage-mail or both.'],
    [['member', 'remove', ...ofAcme], '--email is missing.'],
    [['key', 'create', ...ofAcme], '--name is missing.'],
    [['key', 'create', ...ofAcme, '--name', 'x'.repeat(256)], '--name has at most 255 characters.'],
    [['key', 'create', ...ofAcme, '--name', 'k', '--scope', 'all'], '--scope is one of read, sending, full.'],
    [
      ['key', 'create', ...ofAcme, '--name', 'k', '--expires-at', 'tomorrow'],
      '--expires-at is a time with an offset, such as 2027-01-31T00:00:00Z.',
    ],
    [
      ['key', 'create', ...ofAcme, '--name', 'k', '--allowed-ips', '192.0.2.0/99'],
      '--allowed-ips: "192.0.2.0/99" is no address or network such as 192.0.2.0/24.',
    ],
    [['key', 'delete', ...ofAcme, '--key', endpoint], '--key is the id of an API key.'],
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
    [['webhook', 'pause', ...ofAcme, '--endpoint', 'evt_1'], '--endpoint is the id of a webhook endpoint.'],
    [
      ['webhook', 'rotate-secret', ...ofAcme, '--endpoint', endpoint, '--grace-seconds', '1h'],
      '--grace-seconds is a whole number from 0 to 604800.',
    ],
    [['audit', 'list', ...ofAcme, '--limit', 'all'], '--limit is a whole number from 1 to 100000.'],
    [['queue', 'redrive', '--queue', 'none'], /^--queue is one of outgoing, mail, /],
  ])('ends with 2 and one line before it reads the target when arguments are wrong: %j', (args, line) => {
    const refusal = refused(args);
    expect(refusal?.exitCode).toBe(2);
    const said = refusal?.line.replace(/ See npm run admin -- --help\.$/, '');
    if (typeof line === 'string') expect(said).toBe(line);
    else expect(said).toMatch(line);
    expect(refusal?.line).not.toContain('\n');
  });

  it.each(Object.entries(commands))(
    '%s has help with each option and examples that it accepts',
    (name, command) => {
      const help = helpFor([...name.split(' '), '--help']);
      expect(help).toContain(`Usage: npm run admin -- ${name}`);
      for (const option of [...Object.keys(command.options), 'json', 'local', 'region']) {
        expect(help).toContain(`--${option}`);
      }
      expect(command.examples.length).toBeGreaterThan(0);
      for (const example of command.examples) {
        expect(help).toContain(`  npm run admin -- ${example}`);
        // As the shell splits it; an id is shortened.
        const args = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(
          ([, quoted, word]) => quoted ?? word ?? '',
        );
        const whole = args.map((arg) => arg.replace('…', '0'.repeat(24)));
        expect(readCommandLine(whole)).toHaveProperty('prepared');
      }
    },
  );

  it('lists all commands without arguments and with --help, and those of a noun', () => {
    const all = helpFor([]);
    expect(helpFor(['--help'])).toBe(all);
    for (const name of Object.keys(commands)) expect(all).toContain(`  ${name} `);
    const ofMembers = helpFor(['member', '--help']);
    expect(ofMembers).toContain('  member add');
    expect(ofMembers).not.toContain('  workspace list');
  });

  it('records a command without its secrets and without the options of every command', () => {
    const url = 'https://a.dev/';
    const args = ['webhook', 'create', ...ofAcme, '--url', url, '--secret', 's3cret', '--local', '--json'];
    expect(readCommandLine(args)).toMatchObject({
      prepared: { audited: `webhook create --url ${url}`, isAudited: true },
    });
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
  ])('records %s in the audit log: %s', (line, isAudited) => {
    expect(readCommandLine([...line.split(' '), ...ofAcme])).toMatchObject({ prepared: { isAudited } });
  });
});

describe('textOf', () => {
  const records = [
    { id: 'a', limits: { per_hour: 5 }, on: true, tags: ['x', 'y'] },
    { id: 'bcd', limits: { per_hour: 10 }, on: false, tags: [], end: null },
  ];

  it('prints a list as a table, nested fields as columns', () => {
    expect(textOf(records, false)).toBe(
      [
        'id   limits.per_hour  on   tags  end',
        'a    5                yes  x, y  -',
        'bcd  10               no   -     -',
      ].join('\n'),
    );
    expect(textOf([], false)).toBe('none');
  });

  it('prints a record as one line for each field', () => {
    expect(textOf({ id: 'a', limits: { per_hour: 5 } }, false)).toBe(
      'id               a\nlimits.per_hour  5',
    );
  });

  it('prints JSON as one document', () => {
    expect(JSON.parse(textOf(records, true))).toEqual(records);
    expect(textOf([], true)).toBe('[]');
  });
});
