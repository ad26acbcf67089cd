import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../lib/settings.ts';
import { account, templates, templatesOf } from './templates.ts';

const certificateArn = `arn:aws:acm:eu-central-1:${account}:certificate/1b2c-3d`;

describe('link domains', () => {
  it('are custom domain names that lead to the API, with the target of their CNAME records as outputs', () => {
    const { of, texts } = templatesOf(
      settingsOf({
        account,
        homeRegion: 'eu-central-1',
        apiBaseUrl: 'https://api.example.com',
        apiProxy: true,
        linkDomains: [{ name: 'links.acme.dev', certificateArn }],
      }),
    );
    const [domain] = of('AWS::ApiGatewayV2::DomainName');
    expect(domain?.properties).toMatchObject({
      DomainName: 'links.acme.dev',
      DomainNameConfigurations: [
        { CertificateArn: certificateArn, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
      ],
    });
    const [mapping] = of('AWS::ApiGatewayV2::ApiMapping');
    expect(mapping?.properties).toEqual({
      ApiId: { Ref: of('AWS::ApiGatewayV2::Api').find(({ properties }) => properties.Body)?.logicalId },
      DomainName: { Ref: domain?.logicalId },
      Stage: '$default',
    });
    expect(mapping?.dependsOn).toEqual(
      of('AWS::ApiGatewayV2::Stage').flatMap(({ logicalId, properties }) =>
        properties.StageName === '$default' ? logicalId : [],
      ),
    );
    const { Outputs } = JSON.parse(texts.get('Parley-Api') ?? '');
    expect(Object.values(Outputs)).toContainEqual(
      expect.objectContaining({ Value: { 'Fn::GetAtt': [domain?.logicalId, 'RegionalDomainName'] } }),
    );
  });

  it('are absent by default', () => {
    expect(templates().of('AWS::ApiGatewayV2::DomainName')).toEqual([]);
  });
});
