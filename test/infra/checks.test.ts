import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../lib/settings.ts';
import { settings, templates, templatesOf } from './templates.ts';

describe('the templates', () => {
  it('are well below 500 resources and 1 MB, the limits of CloudFormation', () => {
    for (const [stack, text] of templates().texts) {
      const count = templates().resources.filter((resource) => resource.stack === stack).length;
      console.log(`${stack}: ${count} resources, ${Math.round(text.length / 1024)} KB`);
      expect(count, stack).toBeLessThan(400);
      expect(text.length, stack).toBeLessThan(800 * 1024);
    }
  });

  it('have no DependsOn when a reference implies it', () => {
    const redundant = templates().resources.flatMap(({ stack, logicalId, dependsOn, properties }) => {
      const text = JSON.stringify(properties);
      return dependsOn
        .filter((id) => text.includes(`{"Ref":"${id}"}`) || text.includes(`"Fn::GetAtt":["${id}",`))
        .map((id) => `${stack}: ${logicalId} depends on ${id}`);
    });
    expect(redundant).toEqual([]);
  });

  it('create the bucket and the topic with their policies before the rule or destination that uses them', () => {
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

  it('contain no secret and no path of the machine that synthesized them', () => {
    for (const [stack, text] of templates().texts) {
      expect(text, stack).not.toMatch(/AKIA[0-9A-Z]{16}|-----BEGIN|"(?:password|secret|token)":"/i);
      expect(text, stack).not.toContain(process.cwd());
    }
  });

  it('are identical when they are synthesized again', () => {
    expect(templatesOf(settings).texts).toEqual(templates().texts);
  });

  it('prefix the names of stacks and resources, so that an account can have two deployments', () => {
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
