/** Signals about who sent a message: compared with what the workspace knows. In a file of its own: the list of public suffixes has 120 KB. */
import { type Address, hostOf } from '../addresses/addresses.ts';
import type { Header } from '../message/headers.ts';
import { lookalikeOf, registeredDomain } from './lookalike.ts';
import { quoted, signal } from './signal.ts';
import type { Signal } from './signal-codes.ts';

export interface SenderMessage {
  readonly from: Address | null;
  readonly replyTo: readonly Address[];
  readonly headers: readonly Header[];
}

export interface SenderContext {
  /** Domains of the workspace. */
  readonly ownDomains: readonly string[];
  /** Domains of those that the workspace has corresponded with. */
  readonly correspondents: readonly string[];
  readonly isFirstContact: boolean;
}

/** Letters of a name that no person has by chance. */
const nameLettersMin = 5;
const usualNames = new Set(
  'email mails inbox support sales shop store hello example server local demo parley office'.split(' '),
);
const addressForm = /[\w.+-]{1,64}@((?:[\p{L}\p{N}-]{1,63}\.){1,8}[\p{L}]{2,24})/u;
const domainForm = /(?:^|[\s("'@/])((?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24})(?=$|[\s)"'/,])/u;
const programForm = /(?:no-?reply|mailer-daemon|postmaster|bounces?)[^@]*@/i;
const listFields = new Set([
  'list-id',
  'list-post',
  'list-unsubscribe',
  'mailing-list',
  'x-mailing-list',
  'list-help',
]);

/** Signals about the sender. */
export function senderSignals(message: SenderMessage, context: SenderContext): Signal[] {
  const { from } = message;
  if (from === null || !from.address.includes('@')) return [];
  return [
    ...lookalikes(message, context),
    ...nameSignals(from, message, context),
    ...replySignals(from, message),
    ...(context.isFirstContact
      ? [signal('first_contact', 'from', `${quoted(from.address)} has not written to this space before.`)]
      : []),
  ];
}

function lookalikes(
  { from, replyTo }: SenderMessage,
  { ownDomains, correspondents }: SenderContext,
): Signal[] {
  const known = [...ownDomains, ...correspondents];
  const seen = new Set<string>();
  const authors = from ? [{ ...from, place: 'from' as const }] : [];
  return [...authors, ...replyTo.slice(0, 10).map((one) => ({ ...one, place: 'reply_to' as const }))].flatMap(
    ({ address, place }) => {
      const domain = registeredDomain(hostOf(address));
      const found = seen.has(domain) ? null : lookalikeOf(domain, known);
      seen.add(domain);
      if (found === null) return [];
      const words = {
        'looks the same': 'looks the same as',
        'differs in one letter': 'differs in one letter from',
        'differs in two letters': 'differs in two letters from',
        'has another ending': 'has another ending than',
      }[found.how];
      const whose = ownDomains.some((one) => registeredDomain(one) === found.of)
        ? 'a domain of this workspace'
        : 'the domain of a correspondent';
      return [
        signal(
          'lookalike_domain',
          place,
          `The domain ${quoted(domain)} ${words} ${quoted(found.of)}, ${whose}.`,
        ),
      ];
    },
  );
}

const isList = ({ headers }: SenderMessage): boolean =>
  headers.some(
    ({ name, value }) =>
      listFields.has(name.toLowerCase()) || (/^precedence$/i.test(name) && /bulk|list/i.test(value)),
  );

function nameSignals({ name, address }: Address, message: SenderMessage, context: SenderContext): Signal[] {
  if (name === null) return [];
  const shown = name.slice(0, 300).toLowerCase();
  const domain = registeredDomain(hostOf(address));
  if (isList(message) || / (?:via|über|durch|par) /.test(shown)) return [];
  const mismatch = (said: string) => [
    signal(
      'display_name_mismatch',
      'from',
      `The name ${quoted(name)} says ${quoted(said)}, but the address is ${quoted(address)}.`,
    ),
  ];
  const [written, writtenHost] = addressForm.exec(shown) ?? [];
  if (written !== undefined && writtenHost !== undefined) {
    return registeredDomain(writtenHost) === domain ? [] : mismatch(written);
  }
  const own = context.ownDomains.map(registeredDomain);
  if (own.includes(domain)) return [];
  const known = new Set([...own, ...context.correspondents.map(registeredDomain)]);
  const [, named = ''] = domainForm.exec(shown) ?? [];
  if (named !== '' && known.has(registeredDomain(named)) && registeredDomain(named) !== domain)
    return mismatch(named);
  const words = shown.split(/[^\p{L}\p{N}]+/u);
  const label = own
    .map((one) => one.split('.')[0] ?? '')
    .find((one) => isTelling(one) && words.includes(one));
  return label === undefined || domain.startsWith(`${label}.`) ? [] : mismatch(label);
}

const isTelling = (label: string): boolean => label.length >= nameLettersMin && !usualNames.has(label);

function replySignals(from: Address, message: SenderMessage): Signal[] {
  const domain = registeredDomain(hostOf(from.address));
  const others = message.replyTo.map(({ address }) => address).filter((address) => address.includes('@'));
  // What takes no answers has them elsewhere.
  if (others.length === 0 || isList(message) || programForm.test(from.address)) return [];
  if (others.some((address) => registeredDomain(hostOf(address)) === domain)) return [];
  const [first = ''] = others;
  return [
    signal(
      'reply_to_elsewhere',
      'reply_to',
      `The message is from ${quoted(from.address)}, and answers go to ${quoted(first)}.`,
    ),
  ];
}
