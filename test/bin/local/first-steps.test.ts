import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { firstSteps } from '../../../bin/local/first-steps.ts';

describe('firstSteps', () => {
  it('are the commands of the README', () => {
    const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
    const steps = firstSteps({
      baseUrl: 'http://127.0.0.1:3000/api/v2',
      apiKey: '…',
      smtpPort: 2525,
      domain: 'demo.mail.parley.test',
    });
    const absent = steps.map(({ commands }) => commands).filter((commands) => !readme.includes(commands));
    // The README leaves the thread to its quickstart.
    expect(absent).toEqual([expect.stringMatching(/^THREAD=/)]);
  });
});
