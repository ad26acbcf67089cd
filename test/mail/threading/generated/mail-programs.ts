/** Reply headers by mail program. */
import type { Random } from '../../../../scripts/random.ts';

/** A message as its recipient received it. */
export interface Seen {
  readonly messageId: string;
  readonly references: readonly string[];
  readonly subject: string;
}

/** The header fields of an answer. */
export interface AnswerFields {
  /** As written; may hold more than an id. */
  readonly inReplyTo?: string;
  readonly references?: string;
  readonly subject: string;
}

export interface Program {
  readonly name: string;
  /** A Message-ID in the form of the program. */
  readonly newId: (random: Random) => string;
  readonly answer: (seen: Seen, random: Random) => AnswerFields;
}

const prefixes = [
  'Re: ',
  'RE: ',
  'AW: ',
  'Antw: ',
  'SV: ',
  'VS: ',
  'Odp: ',
  'R: ',
  'RIF: ',
  'RES: ',
  'YNT: ',
  'Vá: ',
  'Отв: ',
  'ΑΠ: ',
  '回复：',
  '答复: ',
  '回覆：',
  '返信：',
  '답장: ',
  'תגובה: ',
  'رد: ',
  'Re[2]: ',
  'RE : ',
] as const;

const at = (host: string) => (random: Random) => `<${random.token(24)}@${host}>`;
const answered = (subject: string, prefix = 'Re: ') =>
  subject.toLowerCase().startsWith(prefix.toLowerCase().trim()) ? subject : `${prefix}${subject}`;
const chain = (seen: Seen) => [...seen.references, seen.messageId];

/** In-Reply-To and References as in RFC 5322 3.6.4. */
const whole =
  (prefix = 'Re: ', separator = ' ') =>
  (seen: Seen): AnswerFields => ({
    inReplyTo: seen.messageId,
    references: chain(seen).join(separator),
    subject: answered(seen.subject, prefix),
  });

const gatewayTags = [
  '[EXTERNAL] ',
  '[EXT] ',
  '[External Email] ',
  '(Extern) ',
  '***SPAM*** ',
  '[buyers] ',
] as const;
const automatic = [
  'Automatic reply: ',
  'Out of Office AutoReply: ',
  'Automatische Antwort: ',
  'Abwesenheitsnotiz: ',
  'Réponse automatique : ',
  'Respuesta automática: ',
  'Autosvar: ',
  '自动回复：',
] as const;

export const programs: readonly [Program, ...Program[]] = [
  { name: 'Gmail', newId: (random) => `<CA+${random.token(40)}@mail.gmail.com>`, answer: whole() },
  {
    name: 'Outlook, desktop',
    newId: at('BY5PR01MB1234.prod.exchangelabs.com'),
    answer: (seen, random) => whole(random.pick(['RE: ', 'AW: ', 'RV: ']), '\r\n ')(seen),
  },
  {
    name: 'Outlook, web',
    newId: at('AM0PR04MB5678.eurprd04.prod.outlook.com'),
    answer: whole('Re: ', '\r\n '),
  },
  {
    name: 'Outlook, mobile: the last reference only',
    newId: at('DB9PR06MB9012.eurprd06.prod.outlook.com'),
    answer: (seen) => ({ ...whole()(seen), references: seen.messageId }),
  },
  { name: 'Apple Mail', newId: at('example-mac.local'), answer: whole() },
  {
    name: 'iOS: no References, In-Reply-To as on the wire',
    newId: at('icloud.com'),
    answer: (seen) => ({ inReplyTo: seen.messageId, subject: answered(seen.subject) }),
  },
  { name: 'Thunderbird', newId: at('buyer.test'), answer: whole() },
  {
    name: 'Yahoo: few references',
    newId: (random) => `<${random.below(1e9)}.${random.below(1e9)}@mail.yahoo.com>`,
    answer: (seen) => ({ ...whole()(seen), references: chain(seen).slice(-2).join(' ') }),
  },
  { name: 'Proton', newId: at('protonmail.com'), answer: whole() },
  {
    name: 'a phone that writes no ids',
    newId: at('phone.test'),
    answer: ({ subject }) => ({ subject: answered(subject) }),
  },
  {
    name: 'subject only, prefixes of many languages',
    newId: at('local.test'),
    answer: ({ subject }, random) => ({ subject: `${random.pick(prefixes)}${subject}` }),
  },
  {
    name: 'subject only, tagged by a gateway or a list',
    newId: at('tags.test'),
    answer: ({ subject }, random) => {
      const mark = random.pick(gatewayTags);
      return { subject: random.below(2) === 0 ? `RE: ${mark}${subject}` : `${mark}RE: ${subject}` };
    },
  },
  {
    name: 'subject only, TR: and Réf. :',
    newId: at('notes.test'),
    answer: ({ subject }, random) => ({ subject: `${random.pick(['TR : ', 'TR: ', 'Réf. : '])}${subject}` }),
  },
  {
    name: 'automatic replies, subject only',
    newId: at('absent.test'),
    answer: ({ subject }, random) => ({ subject: `${random.pick(automatic)}${subject}` }),
  },
  {
    name: 'ids in another case, subject changed',
    newId: (random) => `<MiXed-${random.token(24)}@Mail.Test>`,
    answer: (seen, random) => ({
      inReplyTo: seen.messageId.toUpperCase(),
      references: chain(seen)
        .map((id) => id.toLowerCase())
        .join(' '),
      subject: `Now about ${random.token(6)}`,
    }),
  },
  {
    name: 'References only',
    newId: at('refs.test'),
    answer: (seen) => ({ references: chain(seen).join(' '), subject: answered(seen.subject) }),
  },
  {
    name: 'In-Reply-To with words around it',
    newId: at('old.test'),
    answer: (seen) => ({
      inReplyTo: `Your message of "Mon, 2 Nov 2026" ${seen.messageId}`,
      subject: answered(seen.subject),
    }),
  },
  {
    name: 'ids without brackets',
    newId: at('bare.test'),
    answer: (seen) => ({
      inReplyTo: seen.messageId.slice(1, -1),
      references: chain(seen)
        .map((id) => id.slice(1, -1))
        .join(','),
      subject: answered(seen.subject),
    }),
  },
  {
    name: 'subject changed within the thread',
    newId: at('mail.test'),
    answer: (seen, random) => ({ ...whole()(seen), subject: `Now about ${random.token(6)}` }),
  },
];
