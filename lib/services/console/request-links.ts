/** Requests for sign-in links. They are answered alike for members and strangers, so that nobody learns who is one. */
import { now } from '../../adapters/clock.ts';
import { newToken } from '../../adapters/ids.ts';
import { subscriberNetwork } from '../../core/access/ip-networks.ts';
import { linkMs, linkRequests } from '../../core/access/session.ts';
import { memberId } from '../../core/workspaces/workspace.ts';
import { logEvent } from '../../observability/log.ts';
import { countLogin, storeLoginRequest } from '../../storage/workspaces/sessions.ts';

/**
 * Lets a worker mail links to a member; it alone looks for one. Beyond the limits of the address and of the source nothing
 * is mailed.
 *
 * @param baseUrl scheme and host of the links
 */
export async function requestLinks(email: string, sourceIp: string, baseUrl: string): Promise<void> {
  const { windowMs, perAddress, perSource } = linkRequests;
  const member = memberId(email);
  const nowMs = now();
  const [isOfAddress, isOfSource] = await Promise.all([
    countLogin(member, { windowMs, max: perAddress, nowMs }),
    countLogin(`source ${subscriberNetwork(sourceIp)}`, { windowMs, max: perSource, nowMs }),
  ]);
  if (!isOfAddress || !isOfSource) {
    logEvent('login.limited', { cause: isOfSource ? 'address' : 'source' });
    return;
  }
  const requestId = newToken(12);
  const message = { kind: 'mail-links', v: 1, memberId: member, requestId, at: nowMs, baseUrl } as const;
  await storeLoginRequest(message, nowMs + linkMs);
}
