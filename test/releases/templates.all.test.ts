/** What a release may change in the templates, so that it can be deployed over the previous one, and rolled back (docs/releases.md). */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { flatEnvironment, parseEnvironment, sharedEnvironmentName } from '../../lib/env.ts';
import {
  artefactFile,
  compareVersions,
  releasesKept,
  unpackAssembly,
} from '../../scripts/release/artefact.ts';
import { type Properties, templates } from '../infra/templates.ts';

interface Resource {
  readonly stack: string;
  readonly logicalId: string;
  readonly type: string;
  readonly properties: Properties;
}

const folder = mkdtempSync(join(tmpdir(), 'templates-'));
const version = releasesKept().at(-1) ?? '';
unpackAssembly(readFileSync(artefactFile(version)), folder);
afterAll(() => rmSync(folder, { recursive: true }));

const previous: readonly Resource[] = readdirSync(folder)
  .filter((name) => name.endsWith('.template.json'))
  .flatMap((name) => {
    const { Resources } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const stack = name.replace('.template.json', '');
    return Object.entries<Properties>(Resources).map(([logicalId, { Type, Properties = {} }]) => ({
      ...{ stack, logicalId, type: Type, properties: Properties },
    }));
  });
const before = (type: string) => previous.filter((one) => one.type === type);
const after = (type: string) => templates().of(type);

/** Types whose replacement or deletion loses what they hold. */
const holders = [
  'AWS::DynamoDB::Table',
  'AWS::S3::Bucket',
  'AWS::KMS::Key',
  'AWS::SQS::Queue',
  'AWS::SNS::Topic',
  'AWS::Scheduler::ScheduleGroup',
  'AWS::SES::ConfigurationSet',
  'AWS::SES::ReceiptRuleSet',
];
/** Their properties whose change replaces them (AWS CloudFormation Template Reference). */
const replacing = ['KeySchema', 'FifoQueue', 'QueueName', 'TopicName', 'RuleSetName', 'TableName'];

describe('over the previous release', () => {
  it.each(holders)('%s: none is gone, renamed or replaced', (type) => {
    const facts = (resources: readonly Resource[]) =>
      new Map(
        resources.map(({ stack, logicalId, properties }) => [
          // The names of the stacks of mail regions have their region.
          `${stack.replace(/-Mail-.*/, '-Mail')}/${logicalId}`,
          JSON.stringify(replacing.map((name) => properties[name] ?? null)),
        ]),
      );
    const kept = facts(after(type));
    const changed = [...facts(before(type))].filter(([id, fact]) => kept.get(id) !== fact);
    expect(changed).toEqual([]);
  });

  it('at most one index of the table is added or deleted', () => {
    const indexesOf = (resources: readonly Resource[]) =>
      resources
        .flatMap(({ properties }) => properties.GlobalSecondaryIndexes)
        .map((index) => JSON.stringify(index));
    const [old, now] = [indexesOf(before('AWS::DynamoDB::Table')), indexesOf(after('AWS::DynamoDB::Table'))];
    const changes = [...old.filter((one) => !now.includes(one)), ...now.filter((one) => !old.includes(one))];
    expect(changes.length).toBeLessThanOrEqual(1);
  });

  it('the code of this release starts with the environment of the previous one: Lambda changes code and configuration in two steps', () => {
    const environments = before('AWS::SSM::Parameter').map(({ properties }) => properties.Value);
    const texts = environments.map((value) =>
      typeof value === 'string' ? value : value['Fn::Join'][1].map(String).join(''),
    );
    expect(texts.length).toBe(2);
    for (const text of texts) {
      const variables = flatEnvironment({ [sharedEnvironmentName]: text });
      expect(() => parseEnvironment(variables)).not.toThrow();
    }
  });
});

it('versions are compared by number', () => {
  expect(['0.10.0', '0.9.1', '0.2.0'].sort(compareVersions)).toEqual(['0.2.0', '0.9.1', '0.10.0']);
});
