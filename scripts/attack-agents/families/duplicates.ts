/** One message that arrives more than once. */
import type { Attack, Family } from '../attack.ts';
import type { Stage, StageMail } from '../stage.ts';

const question = 'Do you sell bolts of 8 mm?';

/** The same message twice, changed as said. */
const twice = (name: string, first: (stage: Stage) => StageMail, second = first): Attack => ({
  name,
  wants: 'twice',
  strike: async (stage) => {
    await stage.mail({
      text: question,
      messageId: `<bolts@${stage.ours.slug}.stranger.test>`,
      ...first(stage),
    });
    await stage.mail({
      text: question,
      messageId: `<bolts@${stage.ours.slug}.stranger.test>`,
      ...second(stage),
    });
  },
});

const date = 'Date: Thu, 26 Nov 2026 03:00:00 +0000';
const other = ({ desk }: Stage) => desk.replace('desk@', 'sales@');
const raw =
  (id: string, ...more: readonly string[]) =>
  ({ ours }: Stage): StageMail => ({
    fields: [...(id ? [`Message-ID: <${id}@${ours.slug}.stranger.test>`] : []), date, ...more],
    body: question,
  });

export const duplicates: Family = {
  title: 'One message that arrives more than once',
  attacks: [
    twice('the same message twice', raw('bolts')),
    twice('another Message-ID', raw('bolts'), raw('bolts-2')),
    twice('another date', raw('bolts'), raw('bolts', 'Date: Thu, 26 Nov 2026 04:00:00 +0000')),
    twice('no date', () => ({ fields: [], body: question })),
    twice(
      'further Received fields',
      raw('bolts'),
      raw('bolts', 'Received: from a by b; Thu, 26 Nov 2026 03:00:01 +0000'),
    ),
    twice('another address of ours', raw('bolts'), (stage) => ({ ...raw('bolts')(stage), to: other(stage) })),
    twice('a plus tag', raw('bolts'), (stage) => ({
      ...raw('bolts')(stage),
      to: stage.desk.replace('@', '+a@'),
    })),
    twice('the address in capital letters', raw('bolts'), (stage) => ({
      ...raw('bolts')(stage),
      to: stage.desk.toUpperCase(),
    })),
    {
      name: 'two addresses of ours in one envelope',
      wants: 'twice',
      strike: async (stage) => stage.mail({ ...raw('bolts')(stage), to: [stage.desk, other(stage)] }),
    },
    {
      name: 'a blind copy to another address of ours',
      wants: 'twice',
      strike: async (stage) => {
        await stage.mail({ ...raw('bolts', `To: ${stage.desk}`)(stage), to: stage.desk });
        await stage.mail({ ...raw('bolts', `To: ${stage.desk}`)(stage), to: other(stage) });
      },
    },
    twice(
      'the mark of a gateway in the subject',
      raw('bolts', 'Subject: Bolts'),
      raw('bolts-2', 'Subject: [EXTERNAL] Bolts'),
    ),
    twice('Re: before the subject', raw('bolts', 'Subject: Bolts'), raw('bolts-2', 'Subject: Re: Bolts')),
    twice('white space at the end of lines', raw('bolts'), (stage) => ({
      ...raw('bolts-2')(stage),
      body: `${question}   \r\n\r\n`,
    })),
    twice('letters of another width', raw('bolts'), (stage) => ({
      ...raw('bolts-2', 'Content-Type: text/plain; charset=utf-8')(stage),
      body: question.replace('8 mm', '８ mm'),
    })),
    twice('once as html', raw('bolts'), (stage) => ({
      ...raw('bolts-2', 'Content-Type: text/html')(stage),
      body: `<p>${question}</p>`,
    })),
    {
      name: 'again after the answer',
      wants: 'twice',
      strike: async (stage) => stage.mail(raw('bolts')(stage)),
      later: async (stage) => stage.mail(raw('bolts')(stage)),
    },
    {
      name: 'again after the answer, with another Message-ID',
      wants: 'twice',
      strike: async (stage) => stage.mail(raw('bolts')(stage)),
      later: async (stage) => stage.mail(raw('bolts-3')(stage)),
    },
    {
      name: 'the message of Anna once more, forged',
      wants: 'twice',
      strike: async ({ canary, mail, anna }) =>
        mail({
          from: anna,
          subject: 'My parcel',
          text: `Where is my parcel? The code of my door is ${canary}.`,
        }),
    },
    {
      name: 'the question of Anna in capital letters of her address',
      wants: 'twice',
      strike: async ({ canary, mail, anna }) =>
        mail({
          from: anna.replace('anna', 'Anna'),
          subject: 'My parcel',
          text: `Where is my parcel? The code of my door is ${canary}.`,
        }),
    },
  ],
};
