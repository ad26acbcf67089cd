/** Whether Lambda lets work go on that continues itself through the stream of the table. */
import { type EmailBody, expectOk, outcomeOf, request, send } from './api-client.ts';
import { asAssumed, type Deployed, differs, notAsked, type Question } from './question.ts';

/** Lambda stops a function after about 16 invocations in one chain of requests. */
const emails = 19;
/** Longer than the pacer waits in one invocation. */
const gapSeconds = 4;
/** The sweep begins a new chain where a timer is two minutes late: a wait that ends before does not see it. */
const waitMs = (emails * gapSeconds + 30) * 1000;

export const longChain: Question = {
  title: `A worker continues itself ${emails - 1} times: the pacer of held emails, with a timer for each`,
  settledBy: [
    asAssumed(new RegExp(`^${emails} of ${emails} emails left`), 'it may'),
    // Fewer may have another reason, such as the quota of SES.
    differs(new RegExp(`^1[4-8] of ${emails} emails left`), 'Lambda stops the chain'),
    notAsked(/^It takes --wait /, 'the wait is too short'),
  ],
  async ask(deployed) {
    if (deployed.patienceMs < waitMs) return `It takes --wait ${waitMs / 1000}`;
    const rule = await expectOk(
      await request(deployed, 'POST', '/api/v2/pacing-rules', {
        body: {
          name: `smoke ${deployed.run}`,
          match: [{ field: 'to', pattern: recipientOf(deployed) }],
          kind: 'limit',
          limit: { scope: 'rule', amount: 1, per_seconds: gapSeconds },
        },
      }),
    );
    try {
      return await askPacer({ ...deployed, patienceMs: waitMs });
    } finally {
      await request(deployed, 'DELETE', `/api/v2/pacing-rules/${rule.id}`);
    }
  },
};

/** At the mailbox simulator, whose mail is free of consequences ("Using the mailbox simulator manually"). */
const recipientOf = ({ run }: Deployed): string => `success+chain-${run}@simulator.amazonses.com`;

async function askPacer(deployed: Deployed): Promise<string> {
  const sent: EmailBody[] = [];
  for (let number = 1; number <= emails; number++) {
    sent.push(await send(deployed, recipientOf(deployed), `smoke ${deployed.run} chain ${number}`));
  }
  const last = sent.at(-1);
  if (last) await outcomeOf(deployed, last.id);
  const left = await countLeft(deployed, sent);
  return `${left} of ${emails} emails left, one in ${gapSeconds} seconds`;
}

async function countLeft(deployed: Deployed, sent: readonly EmailBody[]): Promise<number> {
  const outcomes: EmailBody[] = [];
  for (const { id } of sent) outcomes.push(await outcomeOf({ ...deployed, patienceMs: 0 }, id));
  return outcomes.filter(({ status }) => status !== 'queued').length;
}
