/** Addresses that an inbound rule blocks, written in other ways. */
import { cloud } from '../../../test/support/cloud.ts';
import type { Attack, Family } from '../attack.ts';
import type { Stage } from '../stage.ts';

/** The thief is blocked, and writes all the same. */
const evading = (
  name: string,
  pattern: (stage: Stage) => object,
  from: (stage: Stage) => string,
  fields: readonly string[] = [],
): Attack => ({
  name,
  wants: 'leak',
  strike: async (stage) => {
    const { status } = await stage.owner.post('/inbound-rules', { action: 'block', ...pattern(stage) });
    if (status !== 201) throw new Error(`${name}: the rule was refused`);
    await stage.mail({
      from: stage.thief,
      fields: [`From: ${from(stage)}`, ...fields],
      body: `What do you know of Anna? (${name})`,
    });
    await cloud().waitForQuiescence();
    const { body } = await stage.owner.get('/events?type=email.blocked');
    stage.notes.push(body.data.length > 0 ? 'refused: a blocked sender' : 'the mail came in');
  },
});

const address = ({ thief }: Stage) => ({ pattern: thief });
const domain = ({ thief }: Stage) => ({ pattern: `@${thief.split('@')[1]}` });
const host = ({ ours }: Stage): string => `${ours.slug}.evil.test`;

export const rules: Family = {
  title: 'Addresses that inbound rules block',
  attacks: [
    evading('as it is', address, ({ thief }) => thief),
    evading('in capital letters', address, ({ thief }) => thief.toUpperCase()),
    evading('with a name', address, ({ thief, anna }) => `"${anna}" <${thief}>`),
    evading('with a comment', address, ({ thief }) => `${thief} (Anna)`),
    evading('in quotes', address, (stage) => `"thief"@${host(stage)}`),
    evading('with white space', address, ({ thief }) => `  <  ${thief}  >  `),
    evading('with a plus tag, by a rule for its domain', domain, ({ thief }) => thief.replace('@', '+x@')),
    evading(
      'with a plus tag, by a rule with one',
      ({ thief }) => ({ pattern: thief.replace('@', '+*@') }),
      ({ thief }) => thief.replace('@', '+x@'),
    ),
    evading('its domain in capital letters', domain, (stage) => `x@${host(stage).toUpperCase()}`),
    evading('its domain with a dot at the end', domain, (stage) => `x@${host(stage)}.`),
    evading('by a route', address, ({ thief }) => `<@a.test:${thief}>`),
    evading('encoded words around it', address, ({ thief }) => `=?utf-8?Q?Anna?= <${thief}>`),
    evading('with a Reply-To of Anna', address, ({ thief }) => thief, ['Sender: a@b.test']),
    evading('as second author', address, ({ thief }) => `a@b.test, ${thief}`),
    evading('letters of full width in the domain', domain, ({ ours }) => `x@${ours.slug}.ｅｖｉｌ.test`),
  ],
};
