/** Requests for sign-in links. They are answered alike for members and strangers, so that nobody learns who is one. */
import { isIPv6 } from 'node:net';
import { now } from '../../adapters/clock.ts';
import { newToken } from '../../adapters/ids.ts';
import { sendToQueue } from '../../adapters/queues.ts';
import { linkRequests } from '../../core/access/session.ts';
import { logEvent } from '../../observability/log.ts';
import { addressHash } from '../../storage/table/keys.ts';
import { countLogin } from '../../storage/workspaces/sessions.ts';

/**
 * Lets a worker mail links to a member; it alone looks for one. Beyond the limits of the address and of the source nothing
 * is mailed.
 *
 * @param baseUrl scheme and host of the links
 */
export async function requestLinks(email: string, sourceIp: string, baseUrl: string): Promise<void> {
  const { windowMs, perAddress, perSource } = linkRequests;
  const hash = addressHash(email);
  const nowMs = now();
  const [isOfAddress, isOfSource] = await Promise.all([
    countLogin(hash, { windowMs, max: perAddress, nowMs }),
    countLogin(addressHash(`source ${networkOf(sourceIp)}`), { windowMs, max: perSource, nowMs }),
  ]);
  if (!isOfAddress || !isOfSource) {
    logEvent('console.login_limited', { cause: isOfSource ? 'address' : 'source' });
    return;
  }
  const requestId = newToken(12);
  await sendToQueue(
    { kind: 'mail-links', v: 1, addressHash: hash, requestId, at: nowMs, baseUrl },
    requestId,
  );
}

/** The part of an address that one subscriber has: of IPv6 the first 64 bits (RFC 6177, section 2; RFC 4291, section 2.5.4). */
function networkOf(sourceIp: string): string {
  if (!isIPv6(sourceIp) || sourceIp.includes('.')) return sourceIp;
  const { hostname } = new URL(`http://[${sourceIp.replace(/%.*/, '')}]`);
  const [head = '', tail] = hostname.slice(1, -1).split('::');
  const groups = head.split(':').filter(Boolean);
  const rest = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const zeros = Array.from({ length: 8 - groups.length - rest.length }, () => '0');
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':');
}
