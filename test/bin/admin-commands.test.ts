import { describe, expect, it } from 'vitest';
import { explanationOf, runAdmin } from '../../bin/admin-commands.ts';

describe('npm run admin', () => {
  const see = 'See npm run admin -- --help.';
  it.each([
    [['workspace', 'remove'], `There is no command "workspace remove". ${see}`],
    [['workspace', 'list', '--all'], `Unknown option '--all'. ${see}`],
    [['workspace', 'create'], `--slug is missing. ${see}`],
    [['member', 'list'], `--workspace is missing. ${see}`],
    [['member', 'add', '--workspace', 'x', '--email', 'a'], `"a" is no email address. ${see}`],
    [
      ['member', 'add', '--workspace', 'x', '--email', 'a@b.test', '--role', 'king'],
      `--role is one of owner, admin, member. ${see}`,
    ],
    [
      ['workspace', 'link-domain', '--workspace', 'x', '--domain', 'https://links.acme.dev'],
      `--domain: "https://links.acme.dev" is not a host name. ${see}`,
    ],
    [
      ['workspace', 'budget', '--workspace', 'x', '--capacity', '0'],
      `--capacity is a whole number above 0. ${see}`,
    ],
    [
      ['key', 'create', '--workspace', 'x', '--name', 'k', '--scope', 'all'],
      `--scope is one of read, sending, full. ${see}`,
    ],
    [['webhook', 'create', '--workspace', 'x'], `--url is missing. ${see}`],
    [
      ['webhook', 'create', '--workspace', 'x', '--url', 'https://a.dev/', '--events', 'email.received'],
      '--events is one of inbound.email.received, outbound.email.delivered, outbound.email.bounced, ' +
        'outbound.email.complained, outbound.email.rejected, outbound.email.opened, outbound.email.link_clicked. ' +
        see,
    ],
    [
      ['webhook', 'create', '--workspace', 'x', '--url', 'https://a.dev/', '--max-concurrency', '129'],
      `--max-concurrency is a whole number from 1 to 128. ${see}`,
    ],
    [
      ['webhook', 'resume', '--workspace', 'x', '--endpoint', 'evt_1'],
      `--endpoint is the id of a webhook endpoint. ${see}`,
    ],
    [
      [
        'webhook',
        'rotate-secret',
        '--workspace',
        'x',
        '--endpoint',
        `whk_${'0'.repeat(32)}`,
        '--grace-seconds',
        '1h',
      ],
      `--grace-seconds is a whole number from 0 to 604800. ${see}`,
    ],
  ])('explains wrong arguments in one line before it reads the target: %j', async (args, line) => {
    const error = await runAdmin(args).catch((thrown: unknown) => thrown);
    expect(explanationOf(error)).toBe(line);
  });
});
