/** To whom a reply goes, over the messages of a thread. */
import { describe, expect, it } from 'vitest';
import { newIdAt } from '../../lib/adapters/ids.ts';
import type { EmailHead, FullEmail } from '../../lib/core/emails/email.ts';
import { noVerdicts } from '../../lib/core/emails/email.ts';
import { threadBegunBy } from '../../lib/core/ids.ts';
import { noCorrespondence } from '../../lib/core/threads/thread.ts';
import { parseAddressList } from '../../lib/mail/message/received-addresses.ts';
import type { Verdicts } from '../../lib/mail/message/verdicts.ts';
import { ownAmong, ownKeys } from '../../lib/mail/threading/reply-recipients.ts';
import { findDefaultRecipients } from '../../lib/services/threads/default-recipients.ts';
import { storedContent, storedHead } from '../support/stored-mail.ts';

/** A message as a table writes it; address fields as headers have them. */
interface Message {
  readonly status?: EmailHead['status'];
  readonly from?: string;
  readonly to?: string;
  readonly cc?: string;
  readonly replyTo?: string;
  readonly returnPath?: string;
  readonly category?: EmailHead['category'];
  readonly suspicious?: boolean;
  readonly verdicts?: Partial<Verdicts>;
}

const desk = 'desk@own.test';
/** What the stores know of the workspace: the rest of its addresses are those of the thread. */
const isStored = (key: string): boolean => /@(?:.*\.)?own\.test$/.test(key) || key === 'boss@gmail.test';

const threadBase = {
  spaceId: null,
  subject: 'Order 7',
  mailbox: desk,
  otherMailboxes: ['sales@lost.test'],
  participants: [],
  correspondence: noCorrespondence,
  messageCount: 1,
  lastMessageAt: 0,
  createdAt: 0,
  forwardOf: null,
  snippet: '',
  activity: [],
  labels: [],
  unread: false,
  claim: null,
  version: 1,
};

function fullEmail(message: Message, at: number): FullEmail {
  const { from = 'ann@buyer.test', to = desk, cc = '', replyTo = '', returnPath = 'x@relay.test' } = message;
  const [author] = parseAddressList(from);
  const fields = { cc: parseAddressList(cc), bcc: [], replyTo: parseAddressList(replyTo) };
  const id = newIdAt('eml', at);
  const head = storedHead({
    id,
    status: message.status ?? 'received',
    from: author ?? { name: null, address: from },
    to: parseAddressList(to),
    others: [...fields.cc, ...fields.replyTo],
    category: message.category ?? null,
    suspicious: message.suspicious ?? false,
  });
  const headers = [
    { name: 'Return-Path', value: `<${returnPath}>` },
    { name: 'From', value: from },
  ];
  const verdicts = { ...noVerdicts, ...message.verdicts };
  const content = { ...storedContent(''), ...fields, headers, verdicts };
  return { head, content, history: [], chunks: [], extractions: new Map(), engagementCount: 0 };
}

/** The recipients of a reply to a thread of these messages, oldest first, as `to | cc`; and what was read. */
async function replyTo(messages: readonly Message[], replyAll = false) {
  const emails = messages.map((message, at) => fullEmail(message, at + 1));
  const first = emails[0]?.head.id ?? newIdAt('eml', 0);
  const looked: string[][] = [];
  const reads = new Set<string>();
  const { to, cc } = await findDefaultRecipients({
    thread: { ...threadBase, id: threadBegunBy(first), newestEmailId: first },
    heads: emails.map(({ head }) => head).toReversed(),
    replyAll,
    async read(id) {
      reads.add(id);
      return emails.find(({ head }) => head.id === id) ?? null;
    },
    own(known) {
      const own = new Set(known.flatMap((address) => ownKeys(address).slice(0, 1)));
      return {
        isOwn: ownAmong(own),
        async lookUp(addresses) {
          const keys = addresses.flatMap(ownKeys);
          looked.push(keys);
          for (const key of keys.filter(isStored)) own.add(key);
        },
      };
    },
  });
  const addresses = (list: typeof to) => list.map(({ address }) => address).join(' ');
  return { to: addresses(to), cc: addresses(cc), looked, reads: reads.size };
}

const ann: Message = {};
const sent: Message = { status: 'delivered', from: desk, to: 'ann@buyer.test' };
const bounce: Message = { from: 'mailer-daemon@mx.test', category: 'bounce' };
const failed: Message = { suspicious: true, replyTo: 'forger@evil.test' };
const own: Message = { from: 'colleague@own.test', to: 'desk@own.test, zoe@buyer.test' };
const forged: Message = { replyTo: 'forger@evil.test' };

describe('findDefaultRecipients', () => {
  it.each<[string, readonly Message[], string]>([
    ['a customer wrote last', [sent, ann], 'ann@buyer.test'],
    ['we wrote last', [ann, { ...sent, to: 'zoe@buyer.test' }], 'ann@buyer.test'],
    ['nothing was received', [sent], 'ann@buyer.test'],
    ['a bounce came after a sent message', [sent, bounce], 'ann@buyer.test'],
    ['a bounce came after an answer', [sent, ann, sent, bounce], 'ann@buyer.test'],
    ['mail that failed a check came last', [sent, failed], 'ann@buyer.test'],
    ['mail of our own came last', [sent, own], 'ann@buyer.test'],
    ['all of these came one after the other', [sent, ann, own, failed, bounce], 'ann@buyer.test'],
    ['mail of a lost address of ours came last', [sent, { from: 'sales@lost.test' }], 'ann@buyer.test'],
    [
      'mail of an address that sent came last',
      [{ ...sent, from: 'a@gone.test' }, { from: 'A@gone.test' }],
      'ann@buyer.test',
    ],
    [
      'an automatic reply came last',
      [sent, { from: 'out@buyer.test', category: 'out_of_office' }],
      'out@buyer.test',
    ],
    ['a word without a domain came last', [sent, { from: 'MAILER-DAEMON' }], 'ann@buyer.test'],
    ['the author has no address at all', [sent, { from: '' }], 'ann@buyer.test'],
    [
      'the owner of the mailbox wrote last elsewhere',
      [ann, { status: 'sent', from: 'boss@gmail.test', to: 'cy@buyer.test' }],
      'ann@buyer.test',
    ],
    [
      'only the owner of the mailbox wrote',
      [{ status: 'sent', from: 'boss@gmail.test', to: 'cy@buyer.test' }],
      'cy@buyer.test',
    ],
    ['only a bounce came', [bounce], ''],
    ['only mail that failed a check came', [failed], ''],
    ['we wrote to ourselves only', [{ ...sent, to: 'desk@own.test, a@sub.own.test' }], ''],
    [
      'we wrote to a customer and ourselves',
      [{ ...sent, to: 'desk@own.test, ann@buyer.test' }],
      'ann@buyer.test',
    ],
    ['the newest sent message went to ourselves', [sent, { ...sent, to: 'desk@own.test' }], ''],
    ['only our own colleague wrote', [own], ''],
    ['there is no message', [], ''],
  ])('answers whom the conversation is with when %s', async (_, messages, to) => {
    expect((await replyTo(messages)).to).toBe(to);
  });

  it.each<[string, Message, string]>([
    ['the same domain', { replyTo: 'desk@buyer.test' }, 'desk@buyer.test'],
    ['the same registered domain', { replyTo: 'desk@help.buyer.test' }, 'desk@help.buyer.test'],
    [
      'another customer of a suffix',
      { from: 'a@one.github.io', replyTo: 'b@two.github.io' },
      'a@one.github.io',
    ],
    ['another domain', forged, 'ann@buyer.test'],
    ['another domain beside the same', { replyTo: 'forger@evil.test, two@buyer.test' }, 'two@buyer.test'],
    ['another domain with DKIM', { ...forged, verdicts: { dkim: 'PASS' } }, 'forger@evil.test'],
    [
      'another domain with SPF of the author',
      { ...forged, returnPath: 'x@mail.buyer.test', verdicts: { spf: 'PASS' } },
      'forger@evil.test',
    ],
    [
      'another domain with SPF of the forger',
      { ...forged, returnPath: 'x@evil.test', verdicts: { spf: 'PASS' } },
      'ann@buyer.test',
    ],
    [
      'another domain with SPF of nobody',
      { ...forged, returnPath: '', verdicts: { spf: 'PASS' } },
      'ann@buyer.test',
    ],
    [
      'another domain with two authors',
      { ...forged, from: 'ann@buyer.test, forger@evil.test', verdicts: { dkim: 'PASS' } },
      'ann@buyer.test',
    ],
    ['our own address', { replyTo: desk, verdicts: { dkim: 'PASS' } }, 'ann@buyer.test'],
    [
      'our own address in another spelling',
      { replyTo: 'DESK+vip@Own.Test.', verdicts: { dkim: 'PASS' } },
      'ann@buyer.test',
    ],
    ['our own and another address', { replyTo: 'desk@own.test, two@buyer.test' }, 'two@buyer.test'],
  ])('reads Reply-To of an answer when it names %s', async (_, message, to) => {
    expect((await replyTo([sent, message])).to).toBe(to);
  });

  it('reads Reply-To of another domain when the message began the thread', async () => {
    expect((await replyTo([forged, sent])).to).toBe('forger@evil.test');
  });

  it('reads Reply-To of mail in our own name only when it began the thread, as the form of a website does', async () => {
    const form = { from: 'web@own.test', replyTo: 'visitor@home.test', verdicts: { dkim: 'PASS' } };
    expect((await replyTo([form, sent])).to).toBe('visitor@home.test');
    expect((await replyTo([sent, form])).to).toBe('ann@buyer.test');
    expect((await replyTo([{ ...form, replyTo: desk }, sent])).to).toBe('ann@buyer.test');
  });

  const everybody = {
    to: 'desk@own.test, bo@buyer.test, sales@lost.test',
    cc: 'boss+x@GMAIL.test, cy@buyer.test',
  };
  it.each<[string, readonly Message[], string, string]>([
    ['an answer', [sent, { ...ann, ...everybody }], 'ann@buyer.test bo@buyer.test', 'cy@buyer.test'],
    ['a sent message', [{ ...sent, ...everybody }, bounce], 'bo@buyer.test', 'cy@buyer.test'],
    [
      'a sent message with others in Cc only',
      [{ ...sent, to: desk, cc: 'cy@buyer.test' }],
      'cy@buyer.test',
      '',
    ],
    ['one of us alone', [{ ...own, cc: 'cy@buyer.test' }], '', ''],
    [
      'one address twice',
      [{ to: 'ann@BUYER.test, bo@buyer.test', cc: 'Bo@buyer.test' }],
      'ann@buyer.test bo@buyer.test',
      '',
    ],
  ])('leaves out every address of the workspace when reply_all answers %s', async (_, messages, to, cc) => {
    expect(await replyTo(messages, true)).toMatchObject({ to, cc });
  });

  it.each<[string, string, string]>([
    ['case', 'DESK@OWN.test', ''],
    ['a tag', 'desk+1@own.test', ''],
    ['a tag of a mailbox', 'boss+news@gmail.test', ''],
    ['a subdomain', 'a@b.own.test', ''],
    ['a name with the same end', 'a@notown.test', 'a@notown.test'],
    ['another address of the provider', 'chef@gmail.test', 'chef@gmail.test'],
  ])('knows an address of the workspace by %s', async (_, address, to) => {
    expect((await replyTo([{ ...sent, to: address }])).to).toBe(to);
  });

  it('reads one message and looks up what its head names at the same time when the newest answer counts', async () => {
    const { looked, reads } = await replyTo([sent, { ...ann, cc: 'cy@buyer.test' }, sent, bounce], true);
    expect(reads).toBe(1);
    expect(looked[0]).toEqual(['ann@buyer.test', desk, 'cy@buyer.test']);
  });
});
