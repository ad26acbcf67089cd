/** Generated conversations: dialogues with one mail program, and situations that make joining hard. */
import { composeId, type SpaceId, type ThreadId, type WorkspaceId } from '../../../../lib/core/ids.ts';
import { type Random, seeded } from '../../../../scripts/random.ts';
import { type InMemoryThreads, newInMemoryThreads, type Scope, type Sent } from './in-memory-threads.ts';
import { type AnswerFields, type Program, programs, type Seen } from './mail-programs.ts';
import type { JoinedMessage } from './score.ts';

const bytes = (n: number) => new Uint8Array(10).fill(n);
const workspaceId: WorkspaceId = composeId('wks', 0, bytes(1));
const home: Scope = { workspaceId, spaceId: null };
const space: SpaceId = composeId('spc', 0, bytes(1));
const otherSpace: Scope = { workspaceId, spaceId: space };
const otherWorkspace: Scope = { workspaceId: composeId('wks', 0, bytes(2)), spaceId: null };

/** Few subjects, so that unrelated conversations share them. */
const subjects = [
  'Invoice',
  'Question',
  'Your order',
  'Meeting on Thursday',
  'Rechnung 4711',
  'Offer',
  'Hello',
  'Bug report',
  'Re-opening',
  'Запрос',
  '見積もり',
] as const;
const peopleCount = 400;
const dayMs = 24 * 60 * 60_000;

/** A message of a conversation, with the thread it joined. */
interface Message {
  readonly threadId: ThreadId;
  readonly seen: Seen;
}

/** The parameters of a conversation. */
interface Setting {
  readonly world: InMemoryThreads;
  readonly random: Random;
  readonly mailbox: string;
  readonly person: string;
  readonly other: string;
  readonly subject: string;
  /** Time of the current step. */
  readonly at: () => number;
}

/** A kind of conversation. Each step adds one message, or several that arrive at once. */
interface Scenario {
  readonly name: string;
  /** Each message is a conversation of its own, although it resembles the previous one. */
  readonly isSeparate?: true;
  readonly run: (setting: Setting) => AsyncGenerator<readonly ThreadId[]>;
}

interface ReceivedFields extends AnswerFields {
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
}

async function receive(
  setting: Setting,
  mail: ReceivedFields,
  to: Scope = home,
  recipient = setting.mailbox,
): Promise<Message> {
  const { inReplyTo, references, subject, messageId, from } = mail;
  const raw = [
    `From: ${from}`,
    `To: ${mail.to}`,
    `Subject: ${subject}`,
    `Message-ID: ${messageId}`,
    ...(inReplyTo ? [`In-Reply-To: ${inReplyTo}`] : []),
    ...(references ? [`References: ${references}`] : []),
    '',
    'Text',
  ].join('\r\n');
  const threadId = await setting.world.receive(raw, to, recipient, setting.at());
  const chain = references?.split(/[\s,]+/) ?? (inReplyTo ? [inReplyTo] : []);
  return { threadId, seen: { messageId, references: chain, subject } };
}

function begin(
  setting: Setting,
  program: Program,
  mail: Partial<ReceivedFields> = {},
  to: Scope = home,
): Promise<Message> {
  const { subject, person: from, mailbox, random } = setting;
  return receive(setting, { subject, from, to: mailbox, messageId: program.newId(random), ...mail }, to);
}

function answer(
  setting: Setting,
  program: Program,
  seen: Seen,
  mail: Partial<ReceivedFields> = {},
): Promise<Message> {
  return begin(setting, program, { ...program.answer(seen, setting.random), ...mail });
}

/** Sends a message of ours: a new one, or a reply. */
function write(
  setting: Setting,
  after: Message | null,
  to: readonly string[] = [setting.person],
  submissions = 1,
) {
  const { subject, mailbox, world } = setting;
  const reply = subject.startsWith('Re:') ? subject : `Re: ${subject}`;
  const continues = after && {
    threadId: after.threadId,
    references: [...after.seen.references, after.seen.messageId],
  };
  const mail = { scope: home, from: mailbox, to, subject: after ? reply : subject, continues, submissions };
  const sent = world.send(mail, setting.at());
  return { sent, turn: turnOf(sent, mail.subject) };
}

function turnOf({ threadId, wireIds, references }: Sent, subject: string, copy = 0): Message {
  return { threadId, seen: { messageId: wireIds[copy] ?? wireIds[0], references, subject } };
}

/** Either side begins; the other side uses one mail program throughout. */
function dialogue(program: Program): Scenario {
  return {
    name: program.name,
    async *run(setting) {
      let last = setting.random.below(2) === 0 ? write(setting, null).turn : await begin(setting, program);
      yield [last.threadId];
      for (let replies = 2 + setting.random.below(3); replies > 0; replies--) {
        if (last.seen.messageId.includes('amazonses')) last = await answer(setting, program, last.seen);
        else last = write(setting, last).turn;
        yield [last.threadId];
      }
    },
  };
}

const [gmail, outlook = gmail] = programs;

const situations: readonly Scenario[] = [
  {
    name: 'one mail in several submissions, each answered by its own id',
    async *run(setting) {
      const { sent, turn } = write(setting, null, [setting.person, setting.other], 3);
      yield [turn.threadId];
      for (const copy of [0, 1, 2]) {
        const { messageId } = turnOf(sent, setting.subject, copy).seen;
        const bare: Seen = { messageId, references: [], subject: setting.subject };
        const from = copy === 0 ? setting.person : setting.other;
        yield [(await answer(setting, gmail, bare, { from, subject: 'Thanks' })).threadId];
      }
    },
  },
  {
    name: 'two answers at once',
    async *run(setting) {
      const { turn } = write(setting, null, [setting.person, setting.other]);
      yield [turn.threadId];
      const first = await answer(setting, gmail, turn.seen);
      const second = await answer(setting, outlook, turn.seen, { from: setting.other });
      yield [first.threadId, second.threadId];
      yield [write(setting, second).turn.threadId];
    },
  },
  {
    name: 'the answer before the message it answers',
    async *run(setting) {
      const to = `${setting.other}, ${setting.mailbox}`;
      const messageId = gmail.newId(setting.random);
      const seen: Seen = { messageId, references: [], subject: setting.subject };
      const early = { from: setting.other, to: `${setting.person}, ${setting.mailbox}` };
      yield [(await answer(setting, outlook, seen, early)).threadId];
      const late = await begin(setting, gmail, { messageId, to });
      yield [late.threadId];
      yield [write(setting, late).turn.threadId];
    },
  },
  {
    name: 'copied in midway, several answer an unknown message',
    async *run(setting) {
      const unseen = [gmail.newId(setting.random), gmail.newId(setting.random)];
      const seen: Seen = {
        messageId: unseen[1] ?? '',
        references: unseen.slice(0, 1),
        subject: setting.subject,
      };
      const first = await answer(setting, gmail, seen, { to: `${setting.other}, ${setting.mailbox}` });
      yield [first.threadId];
      const from = setting.other;
      const second = await answer(setting, outlook, seen, {
        from,
        to: `${setting.person}, ${setting.mailbox}`,
      });
      yield [second.threadId];
    },
  },
  {
    name: 'somebody else forwards into the thread',
    async *run(setting) {
      const { turn } = write(setting, null);
      yield [turn.threadId];
      const mail = { from: setting.other, subject: `Fwd: ${setting.subject}` };
      const forward = await answer(setting, gmail, turn.seen, mail);
      yield [forward.threadId];
      yield [(await answer(setting, gmail, forward.seen)).threadId];
    },
  },
  {
    name: 'through a mailing list that writes its name into the subject',
    async *run(setting) {
      const list = 'team@lists.buyer.test';
      const first = await begin(setting, gmail, { to: list, subject: `[team] ${setting.subject}` });
      yield [first.threadId];
      let seen = first.seen;
      for (const from of [setting.other, setting.person]) {
        const turn = await answer(setting, outlook, seen, { from, to: list });
        yield [turn.threadId];
        seen = turn.seen;
      }
    },
  },
  {
    name: 'our reply token, and nothing else',
    async *run(setting) {
      const { turn } = write(setting, null);
      yield [turn.threadId];
      const to = setting.mailbox.replace('@', `+${turn.threadId}@`);
      const mail = { from: setting.other, to, subject: 'Hi', messageId: gmail.newId(setting.random) };
      yield [(await receive(setting, mail, home, to)).threadId];
    },
  },
  {
    name: 'our reply token, whose case a server changed',
    async *run(setting) {
      const { turn } = write(setting, null);
      yield [turn.threadId];
      const to = setting.mailbox.replace('@', `+${turn.threadId}@`).toUpperCase();
      const mail = { from: setting.other, to, subject: 'Hi', messageId: gmail.newId(setting.random) };
      yield [(await receive(setting, mail, home, to)).threadId];
    },
  },
  {
    // The message does not tell; the newer thread is chosen.
    name: 'no ids, and the older of two threads of one subject is meant',
    async *run(setting) {
      const { turn } = write(setting, null);
      yield [turn.threadId];
      write(setting, null);
      yield [(await begin(setting, gmail, { subject: `Re: ${setting.subject}` })).threadId];
    },
  },
  {
    name: 'an answer after two months',
    async *run(setting) {
      const { turn } = write(setting, null);
      yield [turn.threadId];
      const late = { ...setting, at: () => setting.at() + 60 * dayMs };
      yield [(await answer(late, gmail, turn.seen)).threadId];
    },
  },
];

const unrelated: readonly Scenario[] = [
  {
    name: 'the same subject from a stranger',
    isSeparate: true,
    async *run(setting) {
      yield [write(setting, null).turn.threadId];
      const from = `${setting.random.token(12)}@stranger.test`;
      yield [(await begin(setting, gmail, { from, subject: `Re: ${setting.subject}` })).threadId];
    },
  },
  {
    name: 'a new matter of the same subject from the same person',
    isSeparate: true,
    async *run(setting) {
      yield [write(setting, null).turn.threadId];
      yield [(await begin(setting, gmail)).threadId];
    },
  },
  {
    name: 'an answer about another ticket of the same subject',
    isSeparate: true,
    async *run(setting) {
      const [ours, theirs] = [setting.random.token(6), setting.random.token(6)];
      const subject = `[Ticket ${ours}] ${setting.subject}`;
      yield [write({ ...setting, subject }, null).turn.threadId];
      yield [
        (await begin(setting, gmail, { subject: `Re: [Ticket ${theirs}] ${setting.subject}` })).threadId,
      ];
    },
  },
  {
    name: 'a forward that begins something new',
    isSeparate: true,
    async *run(setting) {
      yield [write(setting, null).turn.threadId];
      yield [(await begin(setting, gmail, { subject: `Fwd: ${setting.subject}` })).threadId];
    },
  },
];

/** A forged answer to an email of another space or workspace. */
function forgery(name: string, to: Scope): Scenario {
  return {
    name,
    isSeparate: true,
    async *run(setting) {
      const { turn } = write(setting, null);
      yield [turn.threadId];
      const forged = gmail.answer(turn.seen, setting.random);
      const from = `${setting.random.token(12)}@evil.test`;
      yield [(await begin(setting, gmail, { ...forged, from }, to)).threadId];
    },
  };
}

export const scenarios: readonly [Scenario, ...Scenario[]] = [
  dialogue(gmail),
  ...programs.slice(1).map(dialogue),
  ...situations,
  ...unrelated,
  forgery('a reference forged by a stranger to another space', otherSpace),
  forgery('a reference forged by a stranger in another workspace', otherWorkspace),
  {
    name: 'strangers whose broken programs write the same id into every mail',
    isSeparate: true,
    async *run(setting) {
      for (const { name } of programs.slice(0, 2)) {
        const from = `${setting.random.token(12)}@stranger.test`;
        const mail = { from, subject: name, inReplyTo: '<undefined>', references: '<0@localhost>' };
        yield [(await begin(setting, gmail, mail)).threadId];
      }
    },
  },
];

/**
 * Runs `count` interleaved conversations over 60 days, each scenario equally often.
 *
 * @returns every message with the thread it joined
 */
export async function runConversations(count: number, seed: number): Promise<JoinedMessage[]> {
  const random = seeded(seed);
  const world = newInMemoryThreads(random);
  const steps: { at: number; conversation: number }[] = [];
  let clock = 0;
  const conversations = Array.from({ length: count }, (_, conversation) => {
    const scenario = scenarios[conversation % scenarios.length] ?? scenarios[0];
    const starts = random.below(60 * dayMs);
    let at = starts;
    for (let step = 0; step < 6; step++, at += random.below(2 * dayMs)) steps.push({ at, conversation });
    const person = random.below(peopleCount);
    const setting: Setting = {
      world,
      random,
      mailbox: random.pick(['support@acme.dev', 'sales@acme.dev']),
      person: `person-${person}@buyer.test`,
      other: `person-${(person + 1 + random.below(20)) % peopleCount}@buyer.test`,
      subject: `${random.pick(subjects)}${random.below(3) === 0 ? '' : ` ${random.below(500)}`}`,
      at: () => clock,
    };
    return { scenario, steps: scenario.run(setting) };
  });
  const joined: JoinedMessage[] = [];
  for (const { at, conversation } of steps.sort((a, b) => a.at - b.at)) {
    clock = at;
    const held = conversations[conversation];
    const turn = await held?.steps.next();
    if (!held || !turn || turn.done) continue;
    for (const threadId of turn.value) {
      const { name: scenario, isSeparate } = held.scenario;
      joined.push({ scenario, conversation: isSeparate ? -1 - joined.length : conversation, threadId });
    }
  }
  return joined;
}
