/** `npm run doctor` as a process, against the local cloud of the tests. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LambdaClient, PutFunctionRecursionConfigCommand, type RecursiveLoop } from '@aws-sdk/client-lambda';
import { SESClient, SetActiveReceiptRuleSetCommand } from '@aws-sdk/client-ses';
import { ConfirmSubscriptionCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { localEnvironmentFile } from '../../lib/adapters/operator-target.ts';
import { env } from '../../lib/env.ts';
import { clearFaults, inject } from '../faults/kit.ts';
import { cloud } from '../support/cloud.ts';
import { runCommandProcess } from '../support/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-doctor-'));

beforeAll(() => {
  const file = join(folder, localEnvironmentFile);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(cloud().environment));
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(clearFaults);

const doctor = (...args: string[]) => doctorIn(args.includes('--local') ? {} : cloud().environment, args);

async function doctorIn(environment: Readonly<Record<string, string>>, args: readonly string[]) {
  const { status, output, errors } = await runCommandProcess('doctor', args, {
    cwd: folder,
    env: environment,
  });
  const lines = output.split('\n').map((line) => line.trim());
  return { status, output, errors, failures: lines.filter((line) => line.startsWith('FAILURE')) };
}

const regions = () => env().MAIL_REGIONS;
const account = '111111111111';
const alarmTopics = () => [
  { region: env().HOME_REGION, name: 'parley-home-alarms' },
  ...regions().map((region) => ({ region, name: 'parley-mail-alarms' })),
];
const arnOf = ({ region, name }: { region: string; name: string }) =>
  `arn:aws:sns:${region}:${account}:${name}`;

describe('npm run doctor', () => {
  it('examines the table that the deployment has adopted, in each check of a table', async () => {
    const { failures } = await doctorIn({ ...cloud().environment, TABLE_NAME: 'parley-2' }, []);
    const missing = failures.filter((failure) => failure.includes('ResourceNotFoundException'));
    expect(missing).toHaveLength(4);
  });

  it('says that nobody gets the alarms, then that a subscription is not confirmed, then that all is well', async () => {
    const first = await doctor('--local');
    expect(first.failures).toEqual(
      alarmTopics().map(({ region, name }) => `FAILURE Nobody gets the alarms of ${name} in ${region}.`),
    );
    expect(first.status).toBe(1);
    const client = (region: string) => new SNSClient({ region });
    for (const topic of alarmTopics()) {
      const subscription = { TopicArn: arnOf(topic), Protocol: 'email', Endpoint: 'ops@acme.dev' };
      await client(topic.region).send(new SubscribeCommand(subscription));
    }
    const second = await doctor('--local');
    expect(second.failures).toHaveLength(alarmTopics().length);
    expect(second.output).toContain('is not confirmed.');
    expect(second.output).toContain('Confirm it with the link in the mail from SNS to ops@acme.dev.');
    for (const topic of alarmTopics()) {
      const confirmation = { TopicArn: arnOf(topic), Token: 'ops@acme.dev' };
      await client(topic.region).send(new ConfirmSubscriptionCommand(confirmation));
    }
    const third = await doctor('--local');
    expect(third.failures).toEqual([]);
    expect(third.status).toBe(0);
    expect(third.output).toContain('SES may write received mail of us-east-1 into the bucket');
    expect(third.output).toContain('has verified the DKIM records of mail.parley.test');
  });

  it('says which receipt rule set is not active, and how to activate it', async () => {
    const [region = ''] = regions();
    const client = new SESClient({ region });
    await client.send(new SetActiveReceiptRuleSetCommand({}));
    const { status, failures, output } = await doctor('--local');
    await client.send(new SetActiveReceiptRuleSetCommand({ RuleSetName: env().RECEIPT_RULE_SET }));
    expect(failures).toContain(
      `FAILURE No receipt rule set is active in ${region}: SES refuses all received mail.`,
    );
    expect(output).toContain(`aws ses set-active-receipt-rule-set --region ${region} --rule-set-name parley`);
    expect(status).toBe(1);
  });

  it('says of which functions Lambda does not stop recursive loops, and how to mend it', async () => {
    const client = new LambdaClient({ region: env().HOME_REGION });
    const set = (RecursiveLoop: RecursiveLoop) =>
      client.send(
        new PutFunctionRecursionConfigCommand({ FunctionName: 'parley-worker-sync-mailbox', RecursiveLoop }),
      );
    await set('Allow');
    const { status, failures, output } = await doctor('--local');
    await set('Terminate');
    expect(failures).toContainEqual(
      expect.stringMatching(/^FAILURE Lambda allows recursive loops of parley-worker-sync-mailbox, /),
    );
    expect(output).toContain(
      'Run aws lambda put-function-recursion-config --function-name parley-worker-sync-mailbox --recursive-loop Terminate.',
    );
    expect(status).toBe(1);
    expect((await doctor('--local')).output).toMatch(
      /ok +Lambda stops recursive loops of each of the \d+ functions\./,
    );
  });

  it('says that a wildcard MX record is missing', async () => {
    const name = `*.${env().PROVIDED_DOMAIN}`;
    const { data } = await cloud().control<{ data: { name: string; type: string }[] }>('GET', '/dns');
    const records = data.filter((record) => record.name === name && record.type === 'MX');
    expect(records).toHaveLength(1);
    await cloud().control('DELETE', '/dns', { name, type: 'MX' });
    const { failures, output } = await doctor('--local');
    await cloud().control('POST', '/dns', { records });
    expect(failures.join('\n')).toContain(`${name} has no MX record that leads to SES`);
    expect(output).toContain(`Publish ${name} MX 10 inbound-smtp.`);
  });

  it('goes on with the other checks when AWS does not answer one', async () => {
    await inject({
      service: 'ses',
      action: 'GetAccount',
      kind: 'error',
      code: 'AccessDeniedException',
      message: 'no',
    });
    const { failures, output } = await doctor('--local');
    expect(failures[0]).toBe('FAILURE AWS did not answer the check: AccessDeniedException: no');
    expect(output).toContain('Lambda in us-east-1 runs at most 1000 functions at the same time.');
    expect(output).toContain('The setting lambdaConcurrency is 1000.');
  });

  it('reads a deployment by its functions when it is not the local run', async () => {
    const { output } = await doctor('--region', env().HOME_REGION);
    expect(output).toContain(`The deployment "parley" in ${env().HOME_REGION}:`);
    expect(output).toContain('SNS in eu-central-1 may send to the queue parley-inbound.');
  });

  it('checks the account alone before a deployment', async () => {
    const { status, failures, output } = await doctor(
      '--region',
      env().HOME_REGION,
      '--stack-prefix',
      'other',
    );
    expect(output).toContain(
      `No deployment was found in ${env().HOME_REGION}; the account before a deployment:`,
    );
    // The rule set of the cloud of the tests.
    expect(failures).toEqual(
      regions().map(
        (region) =>
          `FAILURE The receipt rule set "parley" is active in ${region}; the deployment will replace it.`,
      ),
    );
    expect(output).not.toContain('Alarms');
    expect(status).toBe(1);
  });

  it('prints one JSON object with --json', async () => {
    const { status, output, errors } = await doctor('--local', '--json');
    const report = JSON.parse(output);
    expect(errors).toBe('');
    expect(report).toMatchObject({
      deployment: 'parley',
      home_region: env().HOME_REGION,
      mail_regions: regions(),
    });
    expect(report.failures).toBe(
      report.findings.filter((one: { status: string }) => one.status === 'failure').length,
    );
    expect(status).toBe(report.failures > 0 ? 1 : 0);
  });

  it('ends with 2 when it is used wrongly, and with 1 when it finds no target', async () => {
    expect(await doctor('--wrong')).toMatchObject({
      status: 2,
      output: '',
      errors: 'error: There is no option --wrong here.\n  See npm run doctor -- --help.\n',
    });
    expect(await runCommandProcess('doctor', [], { cwd: folder })).toMatchObject({ status: 1, output: '' });
    expect((await doctor('--help')).output).toContain('Usage: npm run doctor');
  });
});
