import { spawnSync } from 'node:child_process';
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
    const rows = text.split('\n').map((line) => Math.max(1, Math.ceil(line.length / 120)));
    expect(rows.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(40);
  });

  it('has commands below titles that a shell can read', () => {
    const blocks = text.split('\n\n').filter((block) => block.includes('PARLEY_') || block.includes('curl'));
    expect(blocks).toHaveLength(5);
    const script = blocks.map((block) => block.slice(block.indexOf('\n') + 1)).join('\n');
    expect(spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });
});
