/** Writes the addresses of the local cloud for scripts and for `npm run admin -- --local`. */
import { writeFileSync } from 'node:fs';
import type { Cloud } from '../../lib/local/index.ts';
import type { Demo } from './demo.ts';
import { environmentFile, readyFile } from './folders.ts';

export function writeAddressFiles(cloud: Cloud, { apps, owner: _owner, ...demo }: Demo): void {
  const { baseUrl, smtpPort, dnsPort, controlUrl } = cloud;
  const { google, microsoft } = cloud.mailboxProviders;
  const ready = {
    inboxUrl: inboxUrlOf(cloud),
    baseUrl,
    ...demo,
    smtpPort,
    dnsPort,
    controlUrl,
    googleUrl: google.url,
    microsoftUrl: microsoft.url,
    connectUrls: apps.map(({ connectUrl }) => connectUrl),
  };
  // Whoever waits for the second one finds both.
  writeFileSync(environmentFile, jsonOf(cloud.environment), ownerOnly);
  writeFileSync(readyFile, jsonOf(ready), ownerOnly);
}

/** The page of the run in a browser. */
export const inboxUrlOf = ({ baseUrl }: Pick<Cloud, 'baseUrl'>): string => `${new URL(baseUrl).origin}/`;

/** They contain the key. */
const ownerOnly = { mode: 0o600 };

const jsonOf = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
