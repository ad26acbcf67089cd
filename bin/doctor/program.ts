/** The command line of `npm run doctor`. */
import { commandsWith } from '../../clients/cli/src/terminal/command.ts';
import { UsageError } from '../../clients/cli/src/terminal/exit.ts';
import type { Program } from '../../clients/cli/src/terminal/program.ts';
import { deploymentOptions, isRegion, targetOf } from '../operator/deployment-options.ts';
import { explain } from '../operator/explain.ts';
import { quoted } from '../operator/values.ts';

export function doctorProgram(): Program {
  return {
    name: 'npm run doctor --',
    summary: 'Checks an AWS account before and after a deployment.',
    epilogue:
      'The exit code is 0 without failures (warnings allowed), 1 with failures and where nothing could be checked, 2 when the ' +
      'command line is wrong. The usual AWS credentials are used (environment, profile, role). They need read permissions only: ' +
      'ses:GetAccount, ses:DescribeActiveReceiptRuleSet, ses:GetEmailIdentity, lambda:GetAccountSettings, ' +
      'lambda:GetFunctionConfiguration, lambda:GetFunctionRecursionConfig, s3:GetBucketPolicy, sns:GetTopicAttributes, ' +
      'sns:ListSubscriptionsByTopic, sqs:GetQueueAttributes, dynamodb:DescribeTable.',
    commands: commandsWith(deploymentOptions)({
      name: 'doctor',
      summary: 'Checks an AWS account before and after a deployment.',
      details:
        'It says in words what is wrong and what to do. Before the deployment it checks the account alone.',
      options: {
        'mail-regions': {
          type: 'string',
          describe: 'mail regions, with commas, before the deployment; else those of the settings',
        },
      },
      examples: [
        ['--region us-east-1', 'the deployment, or the account before it'],
        [
          '--region us-east-1 --mail-regions us-east-1,eu-central-1',
          'an account that gets these mail regions',
        ],
        ['--local', 'the local run'],
      ],
      run: async (values, { terminal }) => {
        const target = targetOf(values);
        const mailRegions = readRegions(values['mail-regions']);
        const { runDoctor } = await import('./run-doctor.ts');
        return await runDoctor({ ...target, mailRegions }, { terminal, isJson: values.json === true });
      },
    }),
    explain,
  };
}

function readRegions(text: string | undefined): readonly string[] | undefined {
  const names = text?.split(',').map((name) => name.trim());
  const wrong = names?.find((name) => !isRegion(name));
  if (wrong !== undefined)
    throw new UsageError(`--mail-regions: ${quoted(wrong)} is not the name of an AWS region.`);
  return names;
}
