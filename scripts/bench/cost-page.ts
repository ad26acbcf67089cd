/** The figures of `docs/cost.md`. */

import { withText } from '../written-text.ts';
import { type ChainsMeasured, fixedTable, unitsTable, volumes, waitsTable } from './chain-page.ts';
import { billOf } from './chain-sums.ts';
import { table } from './figures.ts';
import { fixedBillOf, monthOf } from './month.ts';
import { pricesCheckedOn } from './prices.ts';

const monthStart = '<!-- Written by npm run bench -- --chain -->';
const unitsStart = '<!-- Units, written by npm run bench -- --chain -->';
const fixedStart = '<!-- Fixed charges, written by npm run bench -- --chain -->';
const waitsStart = '<!-- Assumed waits, written by npm run bench -- --chain -->';

/** The page with new figures. @throws Error where it has no place for them, or a chain was not measured */
export function withFigures(page: string, measured: ChainsMeasured, day: string): string {
  const texts = [
    [monthStart, monthText(measured, day)],
    [unitsStart, unitsTable(measured.chains)],
    [fixedStart, fixedTable(measured.fixedUse)],
    [waitsStart, waitsTable()],
  ] as const;
  return texts.reduce((written, [start, text]) => withText(written, start, text), page);
}

function monthText({ chains, fixedUse }: ChainsMeasured, day: string): string {
  const sumsOf = (name: string) => {
    const found = chains.find((chain) => chain.name === name);
    if (!found) throw new Error(`the chain ${name} was not measured`);
    return found.sums;
  };
  const [send, receive] = [sumsOf('send-two'), sumsOf('receive')];
  const fixedSum = Object.values(fixedBillOf(fixedUse)).reduce((sum, one) => sum + one, 0);
  const rows = volumes.map((emails) => {
    const sent = monthOf(send, emails);
    const money = [sent.work, monthOf(receive, emails).work, sent.storage, fixedSum, sent.ses];
    return [emails.toLocaleString('en-US'), ...money.map(dollars)];
  });
  const million = (name: string) => billOf(sumsOf(name).usage).dollarsPerMillion.toFixed(0);
  return `Dollars a month, measured on ${day}, at prices checked on ${pricesCheckedOn}:

${table(['Emails a month', 'Sending', 'Receiving', 'Storage', 'Fixed', 'SES'], rows)}

A million sent emails without any endpoint cost $${million('send')}, and $${million('send-no-log')} with the event log off; with two endpoints $${million('send-two')} and $${million('send-two-no-log')}.`;
}

function dollars(value: number): string {
  const digits = value < 100 ? 2 : 0;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
