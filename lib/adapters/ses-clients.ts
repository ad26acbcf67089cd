/** The SES clients of a function. */
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { type ClientOptions, clientConfig } from './aws-clients.ts';

/** The client of each region, created when it is first needed. */
export function sesClients(options: ClientOptions): (region: string) => SESv2Client {
  const clients = new Map<string, SESv2Client>();
  return (region) => {
    const client = clients.get(region) ?? new SESv2Client({ region, ...clientConfig(options) });
    clients.set(region, client);
    return client;
  };
}
