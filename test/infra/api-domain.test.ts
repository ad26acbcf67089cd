import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../lib/settings.ts';
import { account, templatesOf } from './templates.ts';

const apiDomain = 'api.example.com';
const apiHostedZoneId = 'Z0123456789ABC';
const apiCertificateArn = `arn:aws:acm:us-east-1:${account}:certificate/1b2c-3d`;

describe('the host of the API', () => {
  it('has a certificate and a record that the stack makes in a hosted zone', () => {
    const { of, texts } = templatesOf(settingsOf({ account, apiDomain, apiHostedZoneId }));
    const [certificate] = of('AWS::CertificateManager::Certificate');
    expect(certificate?.properties).toMatchObject({
      DomainName: apiDomain,
      ValidationMethod: 'DNS',
      DomainValidationOptions: [{ DomainName: apiDomain, HostedZoneId: apiHostedZoneId }],
    });
    const [domain] = of('AWS::ApiGatewayV2::DomainName');
    expect(domain?.properties).toMatchObject({
      DomainName: apiDomain,
      DomainNameConfigurations: [
        { CertificateArn: { Ref: certificate?.logicalId }, EndpointType: 'REGIONAL' },
      ],
    });
    const [mapping] = of('AWS::ApiGatewayV2::ApiMapping');
    expect(mapping?.properties).toMatchObject({ DomainName: { Ref: domain?.logicalId }, Stage: '$default' });
    const [record] = of('AWS::Route53::RecordSet');
    expect(record?.properties).toEqual({
      HostedZoneId: apiHostedZoneId,
      Name: apiDomain,
      Type: 'A',
      AliasTarget: {
        DNSName: { 'Fn::GetAtt': [domain?.logicalId, 'RegionalDomainName'] },
        HostedZoneId: { 'Fn::GetAtt': [domain?.logicalId, 'RegionalHostedZoneId'] },
      },
    });
    const { Outputs } = JSON.parse(texts.get('Parley-Api') ?? '');
    expect(Outputs.ApiUrl.Value).toBe('https://api.example.com');
    expect(Outputs.ApiDomainTarget).toBeUndefined();
  });

  it('has the certificate of the operator, who publishes the record', () => {
    const { of, texts } = templatesOf(settingsOf({ account, apiDomain, apiCertificateArn }));
    expect(of('AWS::CertificateManager::Certificate')).toEqual([]);
    expect(of('AWS::Route53::RecordSet')).toEqual([]);
    const [domain] = of('AWS::ApiGatewayV2::DomainName');
    expect(domain?.properties).toMatchObject({
      DomainNameConfigurations: [{ CertificateArn: apiCertificateArn }],
    });
    const { Outputs } = JSON.parse(texts.get('Parley-Api') ?? '');
    expect(Outputs.ApiDomainTarget.Value).toEqual({
      'Fn::GetAtt': [domain?.logicalId, 'RegionalDomainName'],
    });
  });

  it('is what functions write into links', () => {
    const { of } = templatesOf(settingsOf({ account, apiDomain, apiHostedZoneId }));
    const environments = of('AWS::SSM::Parameter').map(({ properties }) => JSON.stringify(properties));
    expect(environments.length).toBeGreaterThan(1);
    for (const one of environments) {
      expect(one).toContain(String.raw`\"API_BASE_URL\":\"https://api.example.com\"`);
    }
  });
});
