/** Conversations as people hold them: with one program all through, and in the ways that make joining hard. */
import { composeId, type SpaceId, type ThreadId, type WorkspaceId } from '../../lib/core/ids.ts';
import { type AnswerFields, type Program, programs, type Seen } from './programs.ts';
import { type Random, seeded } from './random.ts';
import type { Placed } from './score.ts';
import { type Home, newWorld, type Sent, type World } from './world.ts';

const bytes = (n: number) => new Uint8Array(10).fill(n);
const workspaceId: WorkspaceId = composeId('wks', 0, bytes(1));
const home: Home = { workspaceId, spaceId: null };
const space: SpaceId = composeId('spc', 0, bytes(1));
const otherSpace: Home = { workspaceId, spaceId: space };
const otherWorkspace: Home = { workspaceId: composeId('wks', 0, bytes(2)), spaceId: null };

/** Few enough that people write to us about the same thing more than once, and strangers about the same. */
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

/** A message of a conversation; its thread once it was placed. */
interface Turn {
  readonly threadId: ThreadId;
  readonly seen: Seen;
}

/** What a conversation is held with. */
interface Stage {
  readonly world: World;
  readonly random: Random;
  readonly mailbox: string;
  readonly person: string;
  readonly other: string;
  readonly subject: string;
  /** The time of the step at hand. */
  readonly at: () => number;
}

/** One way to hold a conversation. Each step places one message or several that come at once. */
interface Habit {
  readonly name: string;
  /** Each message is a conversation of its own, though it looks like part of the one before. */
  readonly isApart?: true;
  readonly hold: (stage: Stage) => AsyncGenerator<readonly ThreadId[]>;
}

interface In extends AnswerFields {
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
}

async function receive(stage: Stage, mail: In, to: Home = home, recipient = stage.mailbox): Promise<Turn> {
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
  const threadId = await stage.world.receive(raw, to, recipient, stage.at());
  const chain = references?.split(/[\s,]+/) ?? (inReplyTo ? [inReplyTo] : []);
  return { threadId, seen: { messageId, references: chain, subject } };
}

function begin(stage: Stage, program: Program, mail: Partial<In> = {}, to: Home = home): Promise<Turn> {
  const { subject, person: from, mailbox, random } = stage;
  return receive(stage, { subject, from, to: mailbox, messageId: program.newId(random), ...mail }, to);
}

function answer(stage: Stage, program: Program, seen: Seen, mail: Partial<In> = {}): Promise<Turn> {
  return begin(stage, program, { ...program.answer(seen, stage.random), ...mail });
}

/** We write: to begin, or to go on. */
function write(stage: Stage, after: Turn | null, to: readonly string[] = [stage.person], handOffs = 1) {
  const { subject, mailbox, world } = stage;
  const reply = subject.startsWith('Re:') ? subject : `Re: ${subject}`;
  const continues = after && {
    threadId: after.threadId,
    references: [...after.seen.references, after.seen.messageId],
  };
  const mail = { home, from: mailbox, to, subject: after ? reply : subject, continues, handOffs };
  const sent = world.send(mail, stage.at());
  return { sent, turn: turnOf(sent, mail.subject) };
}

function turnOf({ threadId, wireIds, references }: Sent, subject: string, copy = 0): Turn {
  return { threadId, seen: { messageId: wireIds[copy] ?? wireIds[0], references, subject } };
}

/** They write or we do, and both go on with one program. */
function dialogue(program: Program): Habit {
  return {
    name: program.name,
    async *hold(stage) {
      let last = stage.random.below(2) === 0 ? write(stage, null).turn : await begin(stage, program);
      yield [last.threadId];
      for (let turns = 2 + stage.random.below(3); turns > 0; turns--) {
        if (last.seen.messageId.includes('amazonses')) last = await answer(stage, program, last.seen);
        else last = write(stage, last).turn;
        yield [last.threadId];
      }
    },
  };
}

const [gmail, outlook = gmail] = programs;

const stories: readonly Habit[] = [
  {
    name: 'one mail in several hand-offs, each answered by its own id',
    async *hold(stage) {
      const { sent, turn } = write(stage, null, [stage.person, stage.other], 3);
      yield [turn.threadId];
      for (const copy of [0, 1, 2]) {
        const { messageId } = turnOf(sent, stage.subject, copy).seen;
        const bare: Seen = { messageId, references: [], subject: stage.subject };
        const from = copy === 0 ? stage.person : stage.other;
        yield [(await answer(stage, gmail, bare, { from, subject: 'Thanks' })).threadId];
      }
    },
  },
  {
    name: 'two answers at once',
    async *hold(stage) {
      const { turn } = write(stage, null, [stage.person, stage.other]);
      yield [turn.threadId];
      const first = await answer(stage, gmail, turn.seen);
      const second = await answer(stage, outlook, turn.seen, { from: stage.other });
      yield [first.threadId, second.threadId];
      yield [write(stage, second).turn.threadId];
    },
  },
  {
    name: 'the answer before what it answers',
    async *hold(stage) {
      const to = `${stage.other}, ${stage.mailbox}`;
      const messageId = gmail.newId(stage.random);
      const seen: Seen = { messageId, references: [], subject: stage.subject };
      const early = { from: stage.other, to: `${stage.person}, ${stage.mailbox}` };
      yield [(await answer(stage, outlook, seen, early)).threadId];
      const late = await begin(stage, gmail, { messageId, to });
      yield [late.threadId];
      yield [write(stage, late).turn.threadId];
    },
  },
  {
    name: 'copied in midway, several answer what we never saw',
    async *hold(stage) {
      const unseen = [gmail.newId(stage.random), gmail.newId(stage.random)];
      const seen: Seen = {
        messageId: unseen[1] ?? '',
        references: unseen.slice(0, 1),
        subject: stage.subject,
      };
      const first = await answer(stage, gmail, seen, { to: `${stage.other}, ${stage.mailbox}` });
      yield [first.threadId];
      const from = stage.other;
      const second = await answer(stage, outlook, seen, { from, to: `${stage.person}, ${stage.mailbox}` });
      yield [second.threadId];
    },
  },
  {
    name: 'somebody else forwards into the thread',
    async *hold(stage) {
      const { turn } = write(stage, null);
      yield [turn.threadId];
      const mail = { from: stage.other, subject: `Fwd: ${stage.subject}` };
      const forward = await answer(stage, gmail, turn.seen, mail);
      yield [forward.threadId];
      yield [(await answer(stage, gmail, forward.seen)).threadId];
    },
  },
  {
    name: 'through a mailing list that writes its name into the subject',
    async *hold(stage) {
      const list = 'team@lists.buyer.test';
      const first = await begin(stage, gmail, { to: list, subject: `[team] ${stage.subject}` });
      yield [first.threadId];
      let seen = first.seen;
      for (const from of [stage.other, stage.person]) {
        const turn = await answer(stage, outlook, seen, { from, to: list });
        yield [turn.threadId];
        seen = turn.seen;
      }
    },
  },
  {
    name: 'our reply token, and nothing else',
    async *hold(stage) {
      const { turn } = write(stage, null);
      yield [turn.threadId];
      const to = stage.mailbox.replace('@', `+${turn.threadId}@`);
      const mail = { from: stage.other, to, subject: 'Hi', messageId: gmail.newId(stage.random) };
      yield [(await receive(stage, mail, home, to)).threadId];
    },
  },
  {
    // Nothing in the mail says so: the newer thread is taken.
    name: 'no ids, and the older of two threads of one subject is meant',
    async *hold(stage) {
      const { turn } = write(stage, null);
      yield [turn.threadId];
      write(stage, null);
      yield [(await begin(stage, gmail, { subject: `Re: ${stage.subject}` })).threadId];
    },
  },
  {
    name: 'an answer after two months',
    async *hold(stage) {
      const { turn } = write(stage, null);
      yield [turn.threadId];
      const late = { ...stage, at: () => stage.at() + 60 * dayMs };
      yield [(await answer(late, gmail, turn.seen)).threadId];
    },
  },
];

const intruders: readonly Habit[] = [
  {
    name: 'the same subject from a stranger',
    isApart: true,
    async *hold(stage) {
      yield [write(stage, null).turn.threadId];
      const from = `${stage.random.token(12)}@stranger.test`;
      yield [(await begin(stage, gmail, { from, subject: `Re: ${stage.subject}` })).threadId];
    },
  },
  {
    name: 'a new matter of the same subject from the same person',
    isApart: true,
    async *hold(stage) {
      yield [write(stage, null).turn.threadId];
      yield [(await begin(stage, gmail)).threadId];
    },
  },
  {
    name: 'a forward that begins something new',
    isApart: true,
    async *hold(stage) {
      yield [write(stage, null).turn.threadId];
      yield [(await begin(stage, gmail, { subject: `Fwd: ${stage.subject}` })).threadId];
    },
  },
];

/** Answers a mail of ours that lies elsewhere. */
function forgery(name: string, to: Home): Habit {
  return {
    name,
    isApart: true,
    async *hold(stage) {
      const { turn } = write(stage, null);
      yield [turn.threadId];
      const forged = gmail.answer(turn.seen, stage.random);
      const from = `${stage.random.token(12)}@evil.test`;
      yield [(await begin(stage, gmail, { ...forged, from }, to)).threadId];
    },
  };
}

export const habits: readonly [Habit, ...Habit[]] = [
  dialogue(gmail),
  ...programs.slice(1).map(dialogue),
  ...stories,
  ...intruders,
  forgery('a reference forged by a stranger to another space', otherSpace),
  forgery('a reference forged by a stranger in another workspace', otherWorkspace),
  {
    name: 'strangers whose broken programs write the same id into every mail',
    isApart: true,
    async *hold(stage) {
      for (const { name } of programs.slice(0, 2)) {
        const from = `${stage.random.token(12)}@stranger.test`;
        const mail = { from, subject: name, inReplyTo: '<undefined>', references: '<0@localhost>' };
        yield [(await begin(stage, gmail, mail)).threadId];
      }
    },
  },
];

/**
 * Holds `count` conversations at once over 60 days, each habit as often as the others.
 *
 * @returns every message with the thread it came to lie in
 */
export async function converse(count: number, seed: number): Promise<Placed[]> {
  const random = seeded(seed);
  const world = newWorld(random);
  const steps: { at: number; conversation: number }[] = [];
  let clock = 0;
  const conversations = Array.from({ length: count }, (_, conversation) => {
    const habit = habits[conversation % habits.length] ?? habits[0];
    const starts = random.below(60 * dayMs);
    let at = starts;
    for (let step = 0; step < 6; step++, at += random.below(2 * dayMs)) steps.push({ at, conversation });
    const person = random.below(peopleCount);
    const stage: Stage = {
      world,
      random,
      mailbox: random.pick(['support@acme.dev', 'sales@acme.dev']),
      person: `person-${person}@buyer.test`,
      other: `person-${(person + 1 + random.below(20)) % peopleCount}@buyer.test`,
      subject: `${random.pick(subjects)}${random.below(3) === 0 ? '' : ` ${random.below(500)}`}`,
      at: () => clock,
    };
    return { habit, turns: habit.hold(stage) };
  });
  const placed: Placed[] = [];
  for (const { at, conversation } of steps.sort((a, b) => a.at - b.at)) {
    clock = at;
    const held = conversations[conversation];
    const turn = await held?.turns.next();
    if (!held || !turn || turn.done) continue;
    for (const threadId of turn.value) {
      const { name: habit, isApart } = held.habit;
      placed.push({ habit, conversation: isApart ? -1 - placed.length : conversation, threadId });
    }
  }
  return placed;
}
