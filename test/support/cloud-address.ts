/** The addresses of a local cloud, in a form that threads can exchange. */
import type { Cloud } from '../../lib/local/cloud.ts';

export type CloudAddress = Pick<
  Cloud,
  'baseUrl' | 'controlUrl' | 'gatewayUrl' | 'smtpPort' | 'dnsPort' | 'providedDomain' | 'environment'
>;

export function addressOf(cloud: Cloud): CloudAddress {
  const { baseUrl, controlUrl, gatewayUrl, smtpPort, dnsPort, providedDomain, environment } = cloud;
  return { baseUrl, controlUrl, gatewayUrl, smtpPort, dnsPort, providedDomain, environment };
}
