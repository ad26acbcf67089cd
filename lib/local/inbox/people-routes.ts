/** The control routes of people and their mail. */
import * as z from 'zod';
import { mailFrame } from '../../http/pages/mail-frame.ts';
import { ControlResponse, type ControlRoutes, fail } from '../control-route.ts';
import type { Correspondence } from './correspondence.ts';
import { presentEntry, presentMessage, presentPerson, type ViewOptions } from './mail-view.ts';
import type { Entry, People, Person } from './people.ts';
import { quoteStyles } from './quotes.ts';
import type { Reactions } from './reactions.ts';

export interface PeopleTarget {
  readonly people: People;
  readonly view: ViewOptions;
  readonly correspondence: Correspondence;
  readonly reactions: Reactions;
}

const textMax = 500_000;
const address = z
  .string()
  .trim()
  .max(320)
  .regex(/^[^\s<>",;]+@[^\s<>",;]+$/, 'is an address');
const file = z.strictObject({
  filename: z.string().max(500),
  type: z
    .string()
    .max(200)
    .regex(/^[\w.+-]+\/[\w.+-]+$/, 'is a media type')
    .default('application/octet-stream'),
  content: z.base64().transform((text) => Buffer.from(text, 'base64')),
});
const written = {
  name: z.string().max(200).default(''),
  text: z.string().max(textMax),
  style: z.enum(quoteStyles).default('gmail'),
  files: z.array(file).max(50).default([]),
  verdicts: z.enum(['pass', 'none', 'spam']).default('pass'),
};
const bodies = {
  message: z.strictObject({
    ...written,
    to: z.array(address).min(1).max(50),
    cc: z.array(address).max(50).default([]),
    subject: z.string().max(2000).default(''),
  }),
  answer: z.strictObject({ ...written, all: z.boolean().default(false), quote: z.boolean().default(true) }),
  autoReply: z.strictObject({
    text: z.string().max(textMax).default('I am out of the office until Monday.'),
  }),
  bounce: z.strictObject({ kind: z.enum(['hard', 'soft']).default('hard') }),
  click: z.strictObject({ url: z.string().max(10_000).nullable().default(null) }),
};

const pageMax = 100;

/** Items of a list from a position on, newest first. */
function pageOf<T>(items: readonly T[], query: URLSearchParams, positionOf: (item: T) => number) {
  const limit = Math.min(pageMax, Math.max(1, Number(query.get('limit') ?? 50) || 50));
  const before = query.has('before') ? Number(query.get('before')) : Number.POSITIVE_INFINITY;
  const rest = items.filter((item) => positionOf(item) < before);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return { page, next: rest.length > limit && last ? String(positionOf(last)) : null };
}

const positionOfPerson = ({ entries }: Person) => entries.at(-1)?.position ?? 0;

export function peopleRoutes(target: PeopleTarget): ControlRoutes {
  return {
    ...listRoutes(target),
    ...contentRoutes(target),
    ...writingRoutes(target),
    ...reactionRoutes(target),
  };
}

function personOf({ people }: PeopleTarget, parameters: Readonly<Record<string, string>>): Person {
  return people.find(parameters.address ?? '') ?? fail(404, `nobody has the address ${parameters.address}`);
}

function entryOf(target: PeopleTarget, parameters: Readonly<Record<string, string>>): Entry {
  const { entries } = personOf(target, parameters);
  return (
    entries.find(({ position }) => String(position) === parameters.id) ??
    fail(404, `${parameters.address} has no message ${parameters.id}`)
  );
}

function listRoutes(target: PeopleTarget): ControlRoutes {
  const { people, view } = target;
  return {
    'GET /people': {
      summary: 'Lists the people of the local inbox, newest mail first: ?q=TEXT, ?limit=, ?before=.',
      handle: async ({ query }) => {
        const text = query.get('q')?.trim().toLowerCase() ?? '';
        const all = people.list();
        const found = text === '' ? all : all.filter((person) => matches(person, text));
        const { page, next } = pageOf(found, query, positionOfPerson);
        const data = await Promise.all(page.map((person) => presentPerson(person, view)));
        return { data, next_before: next, total: all.length };
      },
    },
    'GET /people/{address}/messages': {
      summary: 'Lists the messages of a person, newest first: ?limit=, ?before=.',
      handle: async ({ parameters, query }) => {
        const entries = [...(people.find(parameters.address ?? '')?.entries ?? [])].reverse();
        const { page, next } = pageOf(entries, query, ({ position }) => position);
        const data = await Promise.all(page.map((entry) => presentEntry(entry, view)));
        return { data, next_before: next, total: entries.length };
      },
    },
    'POST /people/{address}/read': {
      summary: 'Marks the messages of a person as read.',
      handle: ({ parameters }) => people.markRead(parameters.address ?? ''),
    },
  };
}

function matches({ address: of, name, entries }: Person, text: string): boolean {
  const subject = entries.at(-1)?.mail.facts.subject ?? '';
  return [of, name, subject].some((one) => one.toLowerCase().includes(text));
}

function contentRoutes(target: PeopleTarget): ControlRoutes {
  const { view } = target;
  return {
    'GET /people/{address}/messages/{id}': {
      summary: 'Returns a message: text, headers, files, links and what became of it.',
      handle: ({ parameters }) =>
        presentMessage(entryOf(target, parameters), personOf(target, parameters), view),
    },
    'GET /people/{address}/messages/{id}/source': {
      summary: 'Returns the message as it was delivered.',
      handle: ({ parameters }) =>
        new ControlResponse(entryOf(target, parameters).mail.raw, {
          'content-type': 'text/plain; charset=utf-8',
          'content-disposition': 'inline; filename="message.eml"',
        }),
    },
    'GET /people/{address}/messages/{id}/html': {
      summary: 'Returns the html for a sandboxed frame; ?pictures=remote loads those of other hosts.',
      handle: async ({ parameters, query }) => {
        const { html, attachments } = await view.reader.parsed(entryOf(target, parameters).mail);
        const path = `/_control/people/${encodeURIComponent(parameters.address ?? '')}/messages/${parameters.id}/files`;
        const files = new Map(
          attachments.flatMap(({ cid }, index) => (cid === null ? [] : [[cid, `${path}/${index}`]])),
        );
        const withRemotePictures = query.get('pictures') === 'remote';
        const { body, headers } = mailFrame({ html: html ?? '', files, withRemotePictures });
        return new ControlResponse(Buffer.from(body), headers ?? {});
      },
    },
    'GET /people/{address}/messages/{id}/files/{index}': {
      summary: 'Returns a file of a message.',
      handle: async ({ parameters }) => {
        const { attachments } = await view.reader.parsed(entryOf(target, parameters).mail);
        const found = attachments[Number(parameters.index)] ?? fail(404, 'the message has no such file');
        return fileResponse(found);
      },
    },
  };
}

/** Types that a browser shows without running anything of them. */
const shownTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

function fileResponse(found: { contentType: string; filename: string | null; content: Uint8Array }) {
  const isShown = shownTypes.includes(found.contentType);
  const name = encodeURIComponent(found.filename ?? 'file').replaceAll("'", '%27');
  return new ControlResponse(Buffer.from(found.content), {
    'content-type': isShown ? found.contentType : 'application/octet-stream',
    'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
    'content-security-policy': "default-src 'none'; sandbox",
  });
}

function authorOf(text: string): string {
  const author = address.safeParse(text);
  return author.success ? author.data.toLowerCase() : fail(422, `"${text}" is no address to write from`);
}

function writingRoutes(target: PeopleTarget): ControlRoutes {
  const { correspondence } = target;
  return {
    'POST /people/{address}/messages': {
      summary:
        'Writes as a person: {to, cc?, subject, text, name?, files?: [{filename, type, content}], verdicts?}.',
      handle: ({ parameters, body }) =>
        correspondence.write(authorOf(parameters.address ?? ''), body(bodies.message)),
    },
    'POST /people/{address}/messages/{id}/replies': {
      summary: `Answers as the person: {text, style: ${quoteStyles.join(' | ')}, all?, quote?, files?, verdicts?}.`,
      handle: ({ parameters, body }) => {
        const person = personOf(target, parameters);
        const answer = body(bodies.answer);
        return correspondence.answer(entryOf(target, parameters), {
          ...answer,
          name: answer.name === '' ? person.name : answer.name,
        });
      },
    },
    'POST /people/{address}/messages/{id}/auto-reply': {
      summary: 'Answers as an out-of-office program: {text?}.',
      handle: ({ parameters, body }) =>
        correspondence.autoReply(entryOf(target, parameters), body(bodies.autoReply).text),
    },
  };
}

function reactionRoutes(target: PeopleTarget): ControlRoutes {
  const { reactions } = target;
  return {
    'POST /people/{address}/messages/{id}/bounce': {
      summary: 'Reports a bounce after the delivery: {kind: hard | soft}.',
      handle: ({ parameters, body }) =>
        reactions.report(
          entryOf(target, parameters),
          body(bodies.bounce).kind === 'hard' ? 'bounce' : 'soft-bounce',
        ),
    },
    'POST /people/{address}/messages/{id}/complain': {
      summary: 'Reports the message as spam.',
      handle: ({ parameters }) => reactions.report(entryOf(target, parameters), 'complaint'),
    },
    'POST /people/{address}/messages/{id}/open': {
      summary: 'Loads the open-tracking pixels, as a mail program does.',
      handle: async ({ parameters }) => ({ fetched: await reactions.open(entryOf(target, parameters)) }),
    },
    'POST /people/{address}/messages/{id}/click': {
      summary: 'Follows a tracked link: {url?}; default: the first one.',
      handle: ({ parameters, body }) => reactions.click(entryOf(target, parameters), body(bodies.click).url),
    },
    'POST /people/{address}/messages/{id}/unsubscribe': {
      summary: 'Unsubscribes as Gmail does, with one click or by mail.',
      handle: ({ parameters }) => reactions.unsubscribe(entryOf(target, parameters)),
    },
  };
}
