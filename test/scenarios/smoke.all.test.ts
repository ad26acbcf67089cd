/** `npm run smoke` as a process, against the local cloud of the tests. */
import { describe, expect, it } from 'vitest';
import { smokeProgram } from '../../bin/smoke/program.ts';
import { runProgram } from '../../clients/cli/src/terminal/program.ts';
import { env } from '../../lib/env.ts';
import { listWorkspaces } from '../../lib/services/workspaces/workspaces.ts';
import { recordedTerminal } from '../clients/support/recorded-terminal.ts';
import { clearFaults, inject } from '../faults/kit.ts';
import { cloud } from '../support/cloud.ts';
import { runCommandProcess } from '../support/command.ts';

async function smoke(...args: string[]) {
  const { status, output, errors } = await runCommandProcess('smoke', args, { env: cloud().environment });
  return { status, output, errors, lines: output.trim().split('\n') };
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
    const terminal = recordedTerminal();
    const signal = AbortSignal.abort();
    expect(await runProgram(smokeProgram(), [...target(), '--to', to], { terminal, signal })).toBe(130);
    expect(terminal.out()).toBe('stopped\n');
    expect(await smokeWorkspacesLeft()).toEqual([]);
  });

  it('ends with 2 when it is used wrongly, and with 1 when it finds no deployment', async () => {
    expect(await smoke('--region', env().HOME_REGION)).toMatchObject({
      status: 2,
      output: '',
      errors: 'error: --to is missing.\n  See npm run smoke -- --help.\n',
    });
    const { status, errors } = await smoke(...target(), '--to', to, '--stack-prefix', 'other');
    expect(status).toBe(1);
    expect(errors).toContain(`error: There is no deployment "other" in ${env().HOME_REGION}.`);
    expect((await smoke('--help')).output).toContain('Usage: npm run smoke');
  });
});
