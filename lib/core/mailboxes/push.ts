/** Pushes of the mail providers, parsed. Anybody can post them: nothing in them is believed before it is proved. */
import * as z from 'zod';

/** Bytes of a push that are read; Google's have 500, and Microsoft collects up to some hundred notifications in one. */
export const pushBytesMax = 256 * 1024;
/** Mailboxes of one push of Microsoft that are synchronized; the address names one. */
const notificationsMax = 1000;

const googlePush = z.object({ message: z.object({ data: z.base64().max(4096) }) });
const googleData = z.object({ emailAddress: z.string().max(320) });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * The address of a push of Gmail, in lower case ("Configure push notifications in Gmail API", receive notifications); null
 * for any other body.
 */
export function addressOfGooglePush(body: string): string | null {
  if (body.length > pushBytesMax) return null;
  const push = googlePush.safeParse(parsed(body));
  if (!push.success) return null;
  const data = googleData.safeParse(parsed(Buffer.from(push.data.message.data, 'base64').toString('utf8')));
  return data.success ? data.data.emailAddress.toLowerCase() : null;
}

const microsoftPush = z.object({
  value: z
    .array(
      z.object({
        clientState: z.string().max(1024).nullish(),
        subscriptionId: z.string().max(256).nullish(),
        /** Of lifecycle notifications: `reauthorizationRequired`, `subscriptionRemoved` or `missed`. */
        lifecycleEvent: z.string().max(64).nullish(),
      }),
    )
    .max(notificationsMax),
});

export interface MicrosoftNotification {
  /** The secret of the subscription; null: the notification names none. */
  readonly clientState: string | null;
  /** The subscription has to be made anew, or renewed at once. */
  readonly isAboutSubscription: boolean;
}

/**
 * The notifications of a push of Microsoft Graph ("Receive change notifications through webhooks", "Reduce missing change
 * notifications"); none for any other body.
 */
export function microsoftNotifications(body: string): MicrosoftNotification[] {
  if (body.length > pushBytesMax) return [];
  const push = microsoftPush.safeParse(parsed(body));
  if (!push.success) return [];
  return push.data.value.map(({ clientState, lifecycleEvent }) => ({
    clientState: clientState ?? null,
    isAboutSubscription:
      lifecycleEvent === 'reauthorizationRequired' || lifecycleEvent === 'subscriptionRemoved',
  }));
}
