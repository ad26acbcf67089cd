/** Whether the provided domain is verified by SES, and whether its DNS leads received mail to SES. */
import {
  GetEmailIdentityCommand,
  type GetEmailIdentityCommandOutput,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import { publicAuthority } from '../../lib/adapters/authoritative-dns.ts';
import { clientConfig, sesManagement } from '../../lib/adapters/aws-clients.ts';
import { createLookup } from '../../lib/adapters/dns.ts';
import { type Check, type Deployment, deploymentOf, type Finding, failure, ok, warning } from './check.ts';

/** Only a wildcard record answers for it. */
const probe = 'doctor-probe';

export const providedDomain: Check = {
  title: 'Provided domain',
  needs: 'deployment',
  managesSes: true,
  async examine(examined) {
    const deployment = deploymentOf(examined);
    if (deployment.providedDomain === '') return [ok('The deployment has no provided domain.')];
    return [...(await identity(deployment)), await mx(deployment)];
  },
};

async function identity({ providedDomain: name, defaultRegion: region }: Deployment): Promise<Finding[]> {
  const client = new SESv2Client({ region, ...clientConfig(sesManagement) });
  const found = await client.send(new GetEmailIdentityCommand({ EmailIdentity: name }));
  client.destroy();
  return [dkim(name, found), ...returnPath(region, found)];
}

/** "MailFromAttributes" (Amazon SES API v2 Reference). Mail leaves without it, with SES's own domain in the return path. */
function returnPath(region: string, { MailFromAttributes: found }: GetEmailIdentityCommandOutput): Finding[] {
  const { MailFromDomain: domain, MailFromDomainStatus: status } = found ?? {};
  if (domain === undefined) return [];
  if (status === 'SUCCESS') return [ok(`SES has verified the return path ${domain}.`)];
  return [
    warning(
      `SES has not verified the return path ${domain} (${status}): SPF passes for amazonses.com only.`,
      `Publish ${domain} MX 10 feedback-smtp.${region}.amazonses.com; ${domain} TXT "v=spf1 include:amazonses.com ~all".`,
    ),
  ];
}

/** "DkimAttributes" (Amazon SES API v2 Reference). */
function dkim(
  name: string,
  { DkimAttributes, VerifiedForSendingStatus }: GetEmailIdentityCommandOutput,
): Finding {
  const {
    Status = 'NOT_STARTED',
    Tokens = [],
    SigningHostedZone: zone = 'dkim.amazonses.com',
  } = DkimAttributes ?? {};
  if (Status === 'SUCCESS' && VerifiedForSendingStatus) {
    return ok(`SES has verified the DKIM records of ${name}.`);
  }
  const records = Tokens.map((token) => `${token}._domainkey.${name} CNAME ${token}.${zone}`);
  return failure(
    `SES has not verified the DKIM records of ${name} (${Status}); its mail waits.`,
    `Publish these records: ${records.join('; ')}.`,
  );
}

async function mx({ providedDomain: name, defaultRegion: region, dnsServers }: Deployment): Promise<Finding> {
  const lookup = createLookup({
    servers: dnsServers,
    timeoutMs: 2000,
    authority: publicAuthority(dnsServers),
  });
  const { status, values } = await lookup.mx(`${probe}.${name}`);
  const host = `inbound-smtp.${region}.amazonaws.com`;
  if (values.some(({ exchange }) => exchange.toLowerCase().replace(/\.$/, '') === host)) {
    return ok(`Mail to *.${name} is led to SES in ${region}.`);
  }
  const found =
    status === 'failed'
      ? `The MX record of *.${name} could not be looked up.`
      : `*.${name} has no MX record that leads to SES in ${region}; mail to the workspaces does not arrive.`;
  return failure(found, `Publish *.${name} MX 10 ${host}.`);
}
