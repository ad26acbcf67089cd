import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../lib/settings.ts';
import { addChecks } from '../../lib/stacks/checks.ts';
import { settings, templates, templatesOf } from './templates.ts';

/** The rule engines take seconds to load, more where other tests run beside. */
const timeoutMs = 90_000;

describe('the templates', () => {
  it(
    'pass the AWS Solutions rules and the rules of CloudFormation',
    () => {
      expect(() => templatesOf(settings, { checks: addChecks })).not.toThrow();
    },
    timeoutMs,
  );

  it(
    'pass them where the account is not known at synthesis',
    () => {
      expect(() => templatesOf(settingsOf({}), { checks: addChecks })).not.toThrow();
    },
    timeoutMs,
  );

  it('stay far from the 500 resources and the megabyte that CloudFormation takes', () => {
    for (const [stack, text] of templates().texts) {
      const count = templates().resources.filter((resource) => resource.stack === stack).length;
      console.log(`${stack}: ${count} resources, ${Math.round(text.length / 1024)} KB`);
      expect(count, stack).toBeLessThan(400);
      expect(text.length, stack).toBeLessThan(800 * 1024);
    }
  });

  it('have no dependency that a reference implies', () => {
    const redundant = templates().resources.flatMap(({ stack, logicalId, dependsOn, properties }) => {
      const text = JSON.stringify(properties);
      return dependsOn
        .filter((id) => text.includes(`{"Ref":"${id}"}`) || text.includes(`"Fn::GetAtt":["${id}",`))
        .map((id) => `${stack}: ${logicalId} depends on ${id}`);
    });
    expect(redundant).toEqual([]);
  });

  it('create what SES writes to, with its policy, before the rule or destination that makes SES write', () => {
    const dependsOn = (type: string) =>
      templates()
        .of(type)
        .map(({ dependsOn }) => dependsOn.map((id) => id.replace(/[0-9A-F]{8}$/, '')).sort());
    const each = <T>(one: T) => settings.mailRegions.map(() => one);
    expect(dependsOn('AWS::SES::ReceiptRule')).toEqual(each(['InboundTopicPolicy', 'RawMailPolicy']));
    expect(dependsOn('AWS::SES::ConfigurationSetEventDestination')).toEqual(
      each(['ProviderEventsTopicPolicy']),
    );
  });

  it('hold no secret and no name of the machine they were made on', () => {
    for (const [stack, text] of templates().texts) {
      expect(text, stack).not.toMatch(/AKIA[0-9A-Z]{16}|-----BEGIN|"(?:password|secret|token)":"/i);
      expect(text, stack).not.toContain(process.cwd());
    }
  });

  it('are the same however often they are made', () => {
    expect(templatesOf(settings).texts).toEqual(templates().texts);
  });

  it('name stacks and resources after the prefix, so that two deployments share an account', () => {
    const other = templatesOf(settingsOf({ ...input, prefix: 'Staging' }));
    const namesIn = ({ resources }: typeof other) =>
      resources
        .map(
          ({ properties: p }) => p.QueueName ?? p.TableName ?? p.BucketName ?? p.FunctionName ?? p.TopicName,
        )
        .filter((name) => name !== undefined);
    expect([...other.texts.keys()].every((name) => name.startsWith('Staging-'))).toBe(true);
    const taken = new Set(namesIn(templates()));
    expect(namesIn(other).filter((name) => taken.has(name))).toEqual([]);
  });
});

const input = { account: settings.account, homeRegion: settings.homeRegion };
