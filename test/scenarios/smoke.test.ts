/** `npm run smoke` as a process, against the local cloud of the tests. */
import { describe, expect, it } from 'vitest';
import { env } from '../../lib/env.ts';
import { clearFaults, inject } from '../faults/kit.ts';
import { cloud } from '../support/cloud.ts';
import { runCommandProcess } from '../support/command.ts';

async function smoke(...args: string[]) {
  const { status, output, errors } = await runCommandProcess('smoke', args, { env: cloud().environment });
  expect(errors).toBe('');
  return { status, output, lines: output.trim().split('\n') };
}

const to = 'success@simulator.amazonses.com';
const target = () => ['--region', env().HOME_REGION, '--api', cloud().baseUrl.replace(/\/api\/v2$/, '')];
/** Each run is a process that sends ten messages. */
const patience = { timeout: 120_000 };

describe('npm run smoke', patience, () => {
  it('sends and receives, prints each answer, and finds the local cloud as the code assumes', async () => {
    const { status, output, lines } = await smoke(...target(), '--to', to, '--wait', '20');
    expect(lines.filter((line) => line.startsWith('DIFFERS'))).toEqual([]);
    expect(status).toBe(0);
    expect(lines.at(-1)).toBe('16 questions, 0 answers differ from what the code assumes');
    for (const answer of [
      'GET /health: 200',
      '401, www-authenticate: Bearer, x-amzn-remapped-www-authenticate: null',
      'the thread is the same',
      '@email.amazonses.com> in us-east-1',
      'DKIM missing',
      '400 ValidationException: The schedule expression lies in the past.',
      'Not used: the deployment creates no tenants.',
      'It takes --wait 106.',
    ]) {
      expect(output).toContain(answer);
    }
    expect(await cloud().sentTo(to)).not.toEqual([]);
  });

  it('says what AWS answered when something differs', async () => {
    await inject({
      service: 'ses',
      action: 'SendEmail',
      kind: 'error',
      code: 'MessageRejected',
      message: 'No mail today.',
      times: 1000,
    });
    const { status, output } = await smoke(...target(), '--to', to, '--wait', '2');
    await clearFaults();
    expect(status).toBe(1);
    expect(output).toContain('DIFFERS: A message leaves through SES\n    failed:');
    expect(output).toContain('No mail today.');
  });

  it('ends with 2 when it is used wrongly or finds no deployment', async () => {
    expect(await smoke('--region', env().HOME_REGION)).toMatchObject({
      status: 2,
      lines: ['Name the recipient with --to ADDRESS. See npm run smoke -- --help.'],
    });
    const { status, output } = await smoke(...target(), '--to', to, '--stack-prefix', 'other');
    expect(status).toBe(2);
    expect(output).toContain('no deployment "other" could be read');
    expect((await smoke('--help')).output).toContain('Usage: npm run smoke');
  });
});
