/** `npm run smoke` as a process, against the local cloud of the tests. */
import { describe, expect, it } from 'vitest';
import { runSmoke } from '../../bin/smoke/run-smoke.ts';
import { env } from '../../lib/env.ts';
import { listWorkspaces } from '../../lib/services/workspaces/workspaces.ts';
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
/** Workspaces of smoke tests that are not being erased. */
async function smokeWorkspacesLeft() {
  const workspaces = await listWorkspaces();
  return workspaces.filter(({ slug, erasedAt }) => slug.startsWith('smoke-') && erasedAt === null);
}
describe('npm run smoke', () => {
  it('sends and receives, prints each answer, and finds the local cloud as the code assumes', async () => {
    const { status, output, lines } = await smoke(...target(), '--to', to, '--wait', '20');
    expect(lines.filter((line) => /^(DIFFERS|NOT SETTLED)/.test(line))).toEqual([]);
    expect(status).toBe(0);
    expect(lines.at(-1)).toBe('16 questions, 0 answers differ from what the code assumes, 0 not settled');
    for (const answer of [
      'GET /health: 200',
      '401, www-authenticate: Bearer, x-amzn-remapped-www-authenticate: null',
      'arrived in the same thread',
      '@email.amazonses.com> in us-east-1',
      'DKIM missing',
      'it is refused: 400 ValidationException: The schedule expression lies in the past.',
      'the field wins: accepted as',
      'It takes --wait 106',
    ]) {
      expect(output).toContain(answer);
    }
    expect(await cloud().sentTo(to)).not.toEqual([]);
    expect(await smokeWorkspacesLeft()).toEqual([]);
  });

  it('concludes nothing from refusals that are about something else, and erases its workspace', async () => {
    await inject({
      service: 'ses',
      action: 'SendEmail',
      kind: 'error',
      code: 'MessageRejected',
      message: 'Did not have authority to send.',
      times: 1000,
    });
    const { status, output, lines } = await smoke(...target(), '--to', to, '--wait', '2');
    await clearFaults();
    expect(status).toBe(1);
    expect(output).toContain('NOT SETTLED: A message leaves through SES\n    failed:');
    expect(output).toContain(
      'NOT SETTLED: The header X-SES-CONFIGURATION-SET beside the field ConfigurationSetName\n' +
        '    400 MessageRejected: Did not have authority to send.',
    );
    expect(lines.at(-1)).toBe('16 questions, 0 answers differ from what the code assumes, 9 not settled');
    expect(await smokeWorkspacesLeft()).toEqual([]);
  });

  it('erases its workspace when it is stopped', async () => {
    const lines: string[] = [];
    const args = [...target(), '--to', to];
    expect(await runSmoke(args, (line) => lines.push(line), AbortSignal.abort())).toBe(1);
    expect(lines).toEqual(['stopped']);
    expect(await smokeWorkspacesLeft()).toEqual([]);
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
