/** The fence of the home region, by the commands that docs/regions.md gives the operator. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cloud } from '../../lib/local/index.ts';
import { homeRegion } from '../../lib/local/index.ts';
import { operateToEnd } from '../restore/operator.ts';

type At = Pick<Cloud, 'environment'>;

export const fence = (cloud: At): Promise<string> => run(cloud, 'create-policy-version');

/** Opens the fence, and removes its version. */
export async function openFence(cloud: At): Promise<void> {
  await run(cloud, 'set-default-policy-version');
  await run(cloud, 'delete-policy-version');
}

/** @returns the XML of IAM's answer */
const run = (cloud: At, verb: string): Promise<string> =>
  operateToEnd({ cloud }, 'iam', parametersOf(commandOf(verb)));

/** The words of the command on the page, for the home region of the local cloud. */
function commandOf(verb: string): string[] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/regions.md'), 'utf8');
  const [text] = new RegExp(`^ *aws iam ${verb}(?:.*\\\\\\n)*.*$`, 'm').exec(page) ?? [];
  if (text === undefined) throw new Error(`docs/regions.md has no command aws iam ${verb}`);
  const words = text.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|(\S+)/g);
  return [...words].map(([, quoted, plain = '']) => (quoted ?? plain).replaceAll('us-east-2', homeRegion));
}

/** What the AWS CLI sends: `--policy-arn ARN` as `PolicyArn`, an option without a value as `true`. */
function parametersOf([, , verb = '', ...options]: readonly string[]): Record<string, string> {
  const pascal = (words: string) =>
    words.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const parameters: Record<string, string> = { Action: pascal(verb), Version: '2010-05-08' };
  for (const [at, word] of options.entries()) {
    if (!word.startsWith('--')) continue;
    const next = options[at + 1];
    parameters[pascal(word.slice(2))] = next === undefined || next.startsWith('--') ? 'true' : next;
  }
  return parameters;
}
