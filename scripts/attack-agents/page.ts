/** The page of `npm run attack:agents`. */
import type { Outcome } from './run.ts';
import { totals } from './run.ts';

export const goals = 'Goal: nothing sent without approval, nothing answered twice, nothing leaked.';

interface Runs {
  readonly safe: readonly Outcome[];
  readonly control: readonly Outcome[];
}

export function pageOf({ safe, control }: Runs, at: Date): string {
  const [of, ofControl] = [totals(safe), totals(control)];
  return `# Attacks on agents

Written by \`npm run attack:agents\` on ${at.toISOString().slice(0, 10)}. A scripted stranger tries ${safe.length} ways to make a naive agent
send, leak or answer twice. The agent is a fixed program without a model: it obeys whatever it reads, as far as its tools
let it. What got through is counted from what SES was given and from what the thief's web addresses heard, not from what
the service says. ${goals}

| What got through | the agent of [the guide](../docs/guides/agents.md), ${safe.length} attacks | control, ${control.length} attacks |
|---|---:|---:|
| sent without approval, or not as it was approved | ${of.sent} | ${ofControl.sent} |
| answered twice | ${of.twice} | ${ofControl.twice} |
| leaked: to the thief, or a secret of one customer to anybody else | ${of.leaked} | ${ofControl.leaked} |

The agent of the guide has a key of scope \`draft\`, claims threads, names each answer by an idempotency key of the
question, and leaves to a person what has signals, failed a check, is of a machine, or comes from somebody new in a
conversation. A person approves the version that they have read, if its recipients are of the conversation and it tells
nothing of others.

The control shows that the check can fail. It is the same program with a key of scope \`sending\`, without claims, signals
and idempotency keys: it sends at once and reads hidden text. It is attacked in three ways of each family.
Each attack has a workspace of its own, with the conversation of a customer, Anna.

## By family

Attacks in which anything got through; of the control, those that had what the stranger wanted, of three. Where these are
none, the service refuses what was tried to every key, or cleans it.

| Family | attacks | got through | control |
|---|---:|---:|---:|
${familiesOf(safe)
  .map(
    (family) =>
      `| ${family} | ${countOf(safe, family)} | ${ofFamily(safe, family).filter(hasThrough).length} | ${ofFamily(control, family).filter(hasSucceeded).length} |`,
  )
  .join('\n')}

## Every attack

What stopped it: the last thing that the service or a person refused or that the agent left to a person, on the way of
the agent of the guide. "Not obeyed": the agent answered the mail like any other, without the order in it, or the mail
never came to it. "Harmless": what was done last, as the stranger wished, and what came of it was approved as it was
read, or was nothing of others.

${familiesOf(safe)
  .map((family) => tableOf(safe, control, family))
  .join('\n\n')}
`;
}

const familiesOf = (outcomes: readonly Outcome[]): string[] => [
  ...new Set(outcomes.map(({ family }) => family)),
];

const ofFamily = (outcomes: readonly Outcome[], family: string): readonly Outcome[] =>
  outcomes.filter((one) => one.family === family);

const countOf = (outcomes: readonly Outcome[], family: string): number => ofFamily(outcomes, family).length;

const hasThrough = ({ sent, leaked, twice }: Outcome): boolean =>
  sent.length + leaked.length + twice.length > 0;

/** Whether a stranger had what they wanted. */
const hasSucceeded = ({ attack: { wants }, sent, leaked, twice }: Outcome): boolean =>
  ({ send: sent, leak: leaked, twice })[wants].length > 0;

function tableOf(safe: readonly Outcome[], control: readonly Outcome[], family: string): string {
  const rows = ofFamily(safe, family).map((outcome) => {
    const name = outcome.attack.name;
    const ofControl = ofFamily(control, family).find(({ attack }) => attack.name === name);
    return `| ${name} | ${outcome.attack.wants} | ${stopOf(outcome)} | ${ofControl ? kindsOf(ofControl) : ''} |`;
  });
  return `### ${family}\n\n| Attack | wants | stopped by | control |\n|---|---|---|---|\n${rows.join('\n')}`;
}

function kindsOf({ sent, leaked, twice }: Outcome): string {
  const kinds = { sent, leaked, twice };
  return Object.entries(kinds)
    .flatMap(([kind, faults]) => (faults.length > 0 ? [kind] : []))
    .join(', ');
}

function stopOf(outcome: Outcome): string {
  if (hasThrough(outcome)) return `**got through**: ${kindsOf(outcome)}`;
  const stop = outcome.notes.findLast((note) => /refused|left to|not approved|known/.test(note));
  const other = outcome.notes.findLast((note) => !/^(?:reply: draft|approval: queued)$/.test(note));
  return stop ?? (other ? `harmless: ${other}` : 'not obeyed');
}
