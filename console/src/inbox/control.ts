/** The control routes of the local run (`/_control`), for what no service has: the side of the people. */
import { type EventType, ParleyError } from 'parley-client';

export interface MailAddress {
  readonly name: string | null;
  readonly address: string;
}

export type Direction = 'received' | 'sent';
export type MailState = 'sent' | 'delivered' | 'delayed' | 'bounced' | 'complained' | 'rejected';

/** A message in a list. */
export interface MailRow {
  readonly id: string;
  readonly person: string;
  readonly direction: Direction;
  readonly at: string;
  readonly subject: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly snippet: string;
  /** null: SES did not send it. */
  readonly state: MailState | null;
}

export interface Person {
  readonly address: string;
  readonly name: string;
  readonly messages: number;
  readonly unread: number;
  readonly newest: MailRow | null;
}

export interface MailFile {
  readonly index: number;
  readonly filename: string | null;
  readonly type: string;
  readonly bytes: number;
  readonly inline: boolean;
}

export interface MailLink {
  readonly url: string;
  readonly text: string;
  readonly isTracked: boolean;
}

export interface MailEvent {
  readonly type: string;
  readonly at: string;
  readonly detail: string | null;
}

/** A message as it is read. */
export interface Mail extends Omit<MailRow, 'from' | 'to'> {
  readonly from: MailAddress | null;
  readonly to: readonly MailAddress[];
  readonly cc: readonly MailAddress[];
  readonly message_id: string | null;
  readonly bytes: number;
  readonly text: string;
  readonly is_text_cut: boolean;
  readonly has_html: boolean;
  readonly has_remote_pictures: boolean;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly files: readonly MailFile[];
  readonly links: readonly MailLink[];
  readonly has_pixel: boolean;
  readonly unsubscribe: 'post' | 'mail' | null;
  readonly ses: {
    readonly id: string;
    readonly region: string;
    readonly recipients: readonly string[];
  } | null;
  /** The email of the service that this is, or answers. */
  readonly email_id: string | null;
  readonly events: readonly MailEvent[];
}

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_before: string | null;
  readonly total: number;
}

/** The addresses of the run. */
export interface RunFacts {
  readonly workspace?: { readonly name: string; readonly slug: string };
  readonly providedDomain?: string;
  readonly smtpPort?: number;
  readonly googleUrl?: string;
  readonly microsoftUrl?: string;
  /** All types, for the endpoint of the built-in receiver. */
  readonly eventTypes?: readonly EventType[];
  readonly steps?: readonly { readonly title: string; readonly commands: string }[];
}

export type Style = 'gmail' | 'outlook' | 'apple';

/** Who received what a person wrote. */
export interface Delivered {
  readonly received: readonly string[];
  readonly people: readonly string[];
}

/** @throws ParleyError with the sentence of the refusal */
export async function control<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T> {
  const response = await fetch(`/_control${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  const text = await response.text();
  if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as T;
  throw new ParleyError('local_run', {
    detail: sentenceOf(text),
    status: response.status,
    request: `${method} /_control${path}`,
  });
}

function sentenceOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: string };
    if (error) return `${error.charAt(0).toUpperCase()}${error.slice(1)}.`;
  } catch {
    // No JSON: the run has ended, or is an older one.
  }
  return 'The local run does not answer as expected.';
}

const segment = encodeURIComponent;

export const personPath = (address: string): string => `/people/${segment(address)}`;
export const personRoute = (address: string): string => `/people/${segment(address)}`;
export const mailPath = (person: string, id: string): string => `${personPath(person)}/${id}`;
export const mailRoute = (person: string, id: string): string => `${personRoute(person)}/messages/${id}`;
