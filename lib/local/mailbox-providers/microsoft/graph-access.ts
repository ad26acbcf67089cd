/** Who calls Microsoft Graph, and with which scopes ("Microsoft Graph permissions reference"). */
import { bearerOf, type ProviderCall, Refusal } from '../http.ts';
import { graphError, graphErrorResponse } from './errors.ts';
import type { GraphMailbox, GraphMessage } from './graph-mailbox.ts';
import type { MicrosoftState } from './state.ts';

export const readingScopes = ['Mail.Read', 'Mail.ReadWrite'] as const;
export const sendingScopes = ['Mail.Send'] as const;
type GraphScope = 'User.Read' | 'Mail.Read' | 'Mail.ReadWrite' | 'Mail.Send';

export interface GraphAccess {
  readonly mailbox: GraphMailbox;
  readonly address: string;
  readonly clientId: string;
}

/** @throws Refusal 401, 403 */
export function accessOf(
  microsoft: MicrosoftState,
  call: ProviderCall,
  anyOf: readonly GraphScope[],
): GraphAccess {
  const token = bearerOf(call);
  const grant = microsoft.grants.ofAccess(token ?? '');
  if (!grant) {
    const message =
      token === null
        ? 'Access token is empty.'
        : 'Lifetime validation failed, the token is expired or not valid.';
    const headers = { 'www-authenticate': 'Bearer realm="", authorization_uri="", error="invalid_token"' };
    const error = { status: 401, code: 'InvalidAuthenticationToken', message };
    throw new Refusal(graphErrorResponse(microsoft, error, headers));
  }
  if (!anyOf.some((scope) => grant.scopes.includes(scope))) {
    throw graphError(
      microsoft,
      403,
      'ErrorAccessDenied',
      'Access is denied. Check credentials and try again.',
    );
  }
  const { address, clientId } = grant;
  return { mailbox: microsoft.mailboxes.of(address), address, clientId };
}

/** The message of `{id}`. @throws Refusal 404 */
export function messageOf(
  microsoft: MicrosoftState,
  mailbox: GraphMailbox,
  { parameters }: ProviderCall,
): GraphMessage {
  const message = mailbox.find(parameters.id ?? '');
  if (message) return message;
  throw itemNotFound(microsoft);
}

export function itemNotFound(microsoft: MicrosoftState): Refusal {
  return graphError(microsoft, 404, 'ErrorItemNotFound', 'The specified object was not found in the store.');
}

/** `Prefer: IdType="ImmutableId"`, of this request only. */
export function prefersImmutableIds({ headers }: ProviderCall): boolean {
  return /\bIdType\s*=\s*"ImmutableId"/i.test(headers.prefer ?? '');
}

/** A message as the API returns it: the properties of `$select`, or those that are modelled. */
export function presentMessage(
  mailbox: GraphMailbox,
  message: GraphMessage,
  { isImmutable, select }: { readonly isImmutable: boolean; readonly select: readonly string[] },
): Record<string, unknown> {
  const properties = {
    receivedDateTime: `${new Date(message.receivedAt).toISOString().slice(0, 19)}Z`,
    internetMessageId: message.facts.messageId,
    subject: message.facts.subject,
    parentFolderId: mailbox.folderId(message.folder),
    conversationId: message.conversationId,
    isDraft: message.isDraft,
  };
  const chosen = Object.entries(properties).filter(([name]) => select.length === 0 || select.includes(name));
  return { id: isImmutable ? message.immutableId : message.id, ...Object.fromEntries(chosen) };
}

/** The properties of `$select`; none: all. */
export function selectOf(text: string | null): readonly string[] {
  return (text ?? '').split(',').flatMap((name) => name.trim() || []);
}
