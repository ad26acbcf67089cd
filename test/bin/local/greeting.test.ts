import { describe, expect, it } from 'vitest';
import { greeting } from '../../../bin/local/greeting.ts';

const site = 'http://127.0.0.1:3000';
const text = greeting(
  {
    baseUrl: `${site}/api/v2`,
    controlUrl: `${site}/_control`,
    smtpPort: 2525,
    dnsPort: 5300,
    mailboxProviders: {
      google: { url: 'http://127.0.0.1:3001' },
      microsoft: { url: 'http://127.0.0.1:3002' },
    },
  },
  {
    apiKey: `pk_${'k'.repeat(43)}`,
    providedDomain: 'demo.mail.parley.test',
    apps: [
      { provider: 'google', connectUrl: `${site}/connect/demo-google` },
      { provider: 'microsoft', connectUrl: `${site}/connect/demo-microsoft` },
    ],
  },
  { brand: 'Parley', seconds: '4.2' },
);

describe('greeting', () => {
  it('fits a screen of 40 lines and 120 columns', () => {
    const lines = text.split('\n');
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });

  it('has commands that can be pasted: each continued line is continued, and no quotation mark is open', () => {
    const commands = text.split('\n').filter((line) => line.startsWith('  '));
    expect(commands.filter((line) => /\s$/.test(line))).toEqual([]);
    expect((commands.join('\n').match(/'/g) ?? []).length % 2).toBe(0);
  });
});
