/** `npm run simulate:mailboxes`: an afternoon of 10,000 mailboxes on virtual time; writes bench/mailboxes.md. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type SimulationResult, simulate, totalOf, unitsOf } from './mailboxes/simulate.ts';

const { values } = parseArgs({ options: { mailboxes: { type: 'string', default: '10000' } } });
const mailboxes = Number(values.mailboxes);
const usual = { mailboxes, minutes: 240, pushShare: 0.9, lostShare: 0.05, messagesPerDay: 20 };
const outage = { from: 90, to: 150 };
const figure = (value: number) => Math.round(value).toLocaleString('en-US');

function row(name: string, { calls }: SimulationResult, from: number, to: number): string {
  const part = calls.slice(from, to);
  const totals = part.map(totalOf);
  const mean = totals.reduce((sum, one) => sum + one, 0) / totals.length;
  const units = Math.max(...part.map(unitsOf));
  return `| ${name} | ${figure(mean)} | ${figure(Math.max(...totals))} | ${figure(units)} | ${((100 * units) / 1_200_000).toFixed(1)} % |`;
}

const calm = await simulate({ ...usual, outage: null });
const down = await simulate({ ...usual, outage });
const delayOf = ({ delays }: SimulationResult, share: number) =>
  `${((delays[Math.floor(delays.length * share)] ?? delays.at(-1) ?? 0) / 1000).toFixed(0)} s`;
writeFileSync(
  new URL('../bench/mailboxes.md', import.meta.url),
  `# Mailboxes on virtual time

\`npm run simulate:mailboxes -- --mailboxes ${values.mailboxes}\` runs the code of \`lib/services/mailboxes\` for four hours against a model of a provider. ${figure(mailboxes)} mailboxes are connected within the
first minute; each gets 20 messages a day. Nine of ten have pushes, of which 5 % are lost. Calls are those that find mail; each message costs one more to read.

Quotas: Gmail allows a project 1,200,000 units a minute, and a user 15,000 ("Usage limits", Gmail API; history.list 2, messages.list 5, messages.get 5, watch 100, messages.send 100). Microsoft
Graph allows an app 10,000 calls in ten minutes for each mailbox ("Microsoft Graph service-specific throttling limits", Outlook), which no mailbox comes near: a poll is three calls.

| Minutes | Calls a minute: mean | most | Gmail units: most | of the quota of one project |
|---|---:|---:|---:|---:|
${row('the first, with all connections', calm, 0, 1)}
${row('30 to 210', calm, 30, 210)}
${row('before an outage of an hour, 60 to 90', down, 60, 90)}
${row('its first 20 minutes', down, 90, 110)}
${row('the rest of it', down, 110, 150)}
${row('16 minutes after it', down, 150, 166)}
${row('later', down, 170, 210)}

Without an outage ${figure(calm.messages)} messages came, ${calm.repeated} were queued twice and ${calm.missing} never; half of them were found within ${delayOf(calm, 0.5)}, 99 % within ${delayOf(calm, 0.99)}. With it
${figure(down.messages)} came, ${down.repeated} were queued twice and ${down.missing} never.

Renewals: a watch of Gmail lasts seven days and is renewed after 3.5 to 5.3, hence ${figure(mailboxes / (4.4 * 1440))} a minute; a subscription of Graph lasts six days and is renewed after 3 to 4.5.
`,
);
