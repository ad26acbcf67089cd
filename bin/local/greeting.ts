/** What `npm start` prints when it is ready: addresses, and the way from the first email to the first webhook. */
import type { Cloud } from '../../lib/local/index.ts';
import type { Demo } from './demo.ts';
import { firstSteps } from './first-steps.ts';

type Addresses = Pick<Cloud, 'baseUrl' | 'controlUrl' | 'dnsPort' | 'smtpPort'> & {
  readonly mailboxProviders: Record<'google' | 'microsoft', { readonly url: string }>;
};

/** At most 40 lines of 120 columns. @param about.seconds since the start of the process */
export function greeting(
  { baseUrl, controlUrl, dnsPort, smtpPort, mailboxProviders: { google, microsoft } }: Addresses,
  { apiKey, apps, providedDomain: domain }: Pick<Demo, 'apiKey' | 'apps' | 'providedDomain'>,
  about: { readonly brand: string; readonly seconds: string },
): string {
  const site = new URL(baseUrl).origin;
  const steps = firstSteps({ baseUrl, apiKey, smtpPort, domain }).map(
    ({ title, commands }) => `${title}\n${commands}`,
  );
  return `${about.brand} is ready after ${about.seconds} s: open ${site}/ for the inbox of everybody who is written to

  Pages     ${site}/docs  (documentation), ${site}/console  (console)
  Mail in   smtp://127.0.0.1:${smtpPort}, for ${domain}     DNS  127.0.0.1:${dnsPort}
  Control   ${controlUrl}  (sent mail, clock, DNS, faults, queues)
  Google    ${google.url}/mail  (emulated mailboxes; connect one at ${connectUrl(apps, 'google')})
  Outlook   ${microsoft.url}/mail  (likewise, at ${connectUrl(apps, 'microsoft')})

In a second terminal, in this folder:

${steps.join('\n\n')}

Press Ctrl-C to stop.
`;
}

function connectUrl(apps: Demo['apps'], provider: 'google' | 'microsoft'): string {
  return apps.find((app) => app.provider === provider)?.connectUrl ?? '';
}
