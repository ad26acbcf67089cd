/** Whether the provided domain is verified by SES, and whether its DNS leads received mail to SES. */
import { GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { publicAuthority } from '../../lib/adapters/authoritative-dns.ts';
import { clientConfig, sesManagement } from '../../lib/adapters/aws-clients.ts';
import { createLookup } from '../../lib/adapters/dns.ts';
import { type Check, type Deployment, deploymentOf, type Finding, failure, ok } from './check.ts';

/** Only a wildcard record answers for it. */
const probe = 'doctor-probe';

export const providedDomain: Check = {
  title: 'Provided domain',
  needs: 'deployment',
  managesSes: true,
  async examine(examined) {
    const deployment = deploymentOf(examined);
    if (deployment.providedDomain === '') return [ok('The deployment has no provided domain.')];
    return [await dkim(deployment), await mx(deployment)];
  },
};

/** "DkimAttributes" (Amazon SES API v2 Reference). */
async function dkim({ providedDomain: name, defaultRegion: region }: Deployment): Promise<Finding> {
  const client = new SESv2Client({ region, ...clientConfig(sesManagement) });
  const identity = await client.send(new GetEmailIdentityCommand({ EmailIdentity: name }));
  client.destroy();
  const {
    Status = 'NOT_STARTED',
    Tokens = [],
    SigningHostedZone: zone = 'dkim.amazonses.com',
  } = identity.DkimAttributes ?? {};
  if (Status === 'SUCCESS' && identity.VerifiedForSendingStatus) {
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
