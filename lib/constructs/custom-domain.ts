/** Hosts that lead to the API: its own (`apiDomain`), and those of the links of single workspaces (`linkDomains`). */
import { CfnOutput } from 'aws-cdk-lib';
import { type CfnApi, CfnApiMapping, CfnDomainName, type CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnCertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

interface Target {
  readonly api: CfnApi;
  readonly stage: CfnStage;
}

/** The API under a host, and the target of the host's CNAME record as an output. */
export function addLinkDomain(
  scope: Construct,
  { name, certificateArn }: Settings['linkDomains'][number],
  target: Target,
): void {
  const domain = customDomain(scope, { id: `LinkDomain ${name}`, name, certificateArn }, target);
  outputTarget(scope, `LinkDomainTarget ${name}`, { name, domain });
}

/**
 * The API under its own host. With a hosted zone, the stack makes certificate and address record; CloudFormation waits for the certificate
 * ("AWS::CertificateManager::Certificate DomainValidationOption", AWS CloudFormation Template Reference).
 */
export function addApiDomain(
  scope: Construct,
  {
    apiDomain: name,
    apiCertificateArn,
    apiHostedZoneId: hostedZoneId,
    standbyOf,
  }: Pick<Settings, 'apiDomain' | 'apiCertificateArn' | 'apiHostedZoneId' | 'standbyOf'>,
  target: Target,
): void {
  const certificateArn = apiCertificateArn || certificateIn(scope, name, hostedZoneId);
  const domain = customDomain(scope, { id: 'ApiDomain', name, certificateArn }, target);
  // The record of a host is one for all regions, and that of the home region.
  if (hostedZoneId && !standbyOf) {
    const { attrRegionalDomainName: dnsName, attrRegionalHostedZoneId } = domain;
    const aliasTarget = { dnsName, hostedZoneId: attrRegionalHostedZoneId };
    new CfnRecordSet(scope, 'ApiDomainRecord', { hostedZoneId, name, type: 'A', aliasTarget });
  } else {
    outputTarget(scope, 'ApiDomainTarget', { name, domain });
  }
}

function certificateIn(scope: Construct, domainName: string, hostedZoneId: string): string {
  const certificate = new CfnCertificate(scope, 'ApiCertificate', {
    domainName,
    validationMethod: 'DNS',
    domainValidationOptions: [{ domainName, hostedZoneId }],
  });
  return certificate.ref;
}

function customDomain(
  scope: Construct,
  {
    id,
    name,
    certificateArn,
  }: { readonly id: string; readonly name: string; readonly certificateArn: string },
  { api, stage }: Target,
): CfnDomainName {
  const domain = new CfnDomainName(scope, id, {
    domainName: name,
    domainNameConfigurations: [{ certificateArn, endpointType: 'REGIONAL', securityPolicy: 'TLS_1_2' }],
  });
  const mapping = new CfnApiMapping(scope, id.replace('Domain', 'DomainMapping'), {
    apiId: api.ref,
    domainName: domain.ref,
    stage: '$default',
  });
  mapping.addResourceDependency(stage);
  return domain;
}

function outputTarget(
  scope: Construct,
  id: string,
  { name, domain }: { readonly name: string; readonly domain: CfnDomainName },
): void {
  new CfnOutput(scope, id, {
    value: domain.attrRegionalDomainName,
    description: `Target of the CNAME record of ${name}`,
  });
}
