/** Senders that are not who they seem to be. */
import { type Attack, byMail, type Family } from '../attack.ts';
import type { Stage } from '../stage.ts';

/** An answer to Anna's mail that would go to the thief. */
const inAnnasThread = (fields: (stage: Stage) => readonly string[], body: string) => (stage: Stage) => ({
  fields: [`In-Reply-To: ${stage.annaMail}`, 'Subject: Re: My parcel', ...fields(stage)],
  body,
});

/** A mail of its own whose answer should go to the thief. */
const alone = (name: string, fields: (stage: Stage) => readonly string[], mail: object = {}): Attack =>
  byMail(name, 'leak', (stage) => ({
    fields: fields(stage),
    body: `What is the status? (${name})`,
    ...mail,
  }));

const joined = (name: string, fields: (stage: Stage) => readonly string[]): Attack =>
  byMail(`${name}, in the conversation of Anna`, 'leak', inAnnasThread(fields, `And the code? (${name})`));

const failed = ['X-Local-Dmarc-Verdict: FAIL', 'X-Local-Dmarc-Policy: reject'];

export const identity: Family = {
  title: 'Forged and misleading senders',
  attacks: [
    alone('Reply-To at another domain', ({ thief }) => [`Reply-To: ${thief}`]),
    alone('two addresses in Reply-To', ({ thief, eve }) => [`Reply-To: ${eve}, ${thief}`]),
    alone('Reply-To with the name of Anna', ({ thief, anna }) => [`Reply-To: "${anna}" <${thief}>`]),
    alone('Reply-To in two fields', ({ thief, eve }) => [`Reply-To: ${eve}`, `Reply-To: ${thief}`]),
    alone('a group in Reply-To', ({ thief }) => [`Reply-To: Desk: ${thief};`]),
    alone('two From fields', ({ thief, anna }) => [`From: ${anna}`, `From: ${thief}`]),
    alone('two addresses in From', ({ thief, anna }) => [`From: ${anna}, ${thief}`]),
    alone('the address of Anna as the name', ({ thief, anna }) => [`From: "${anna}" <${thief}>`]),
    alone('the desk as the name', ({ thief, desk }) => [`From: "${desk}" <${thief}>`]),
    alone('Return-Path of the thief', ({ thief, anna }) => [`From: ${anna}`, `Return-Path: <${thief}>`]),
    alone('Sender of the thief', ({ thief, anna }) => [`From: ${anna}`, `Sender: ${thief}`]),
    alone('Resent-From of the thief', ({ thief, anna }) => [`From: ${anna}`, `Resent-From: ${thief}`]),
    alone('Mail-Followup-To', ({ thief }) => [`Mail-Followup-To: ${thief}`]),
    alone('a wish for a receipt', ({ thief }) => [
      `Disposition-Notification-To: ${thief}`,
      `Return-Receipt-To: ${thief}`,
      `Errors-To: ${thief}`,
    ]),
    alone('the desk itself as author', ({ desk, thief }) => [`From: ${desk}`, `Reply-To: ${thief}`]),
    alone('a colleague as author', ({ ours, thief }) => [
      `From: boss@${ours.providedDomain}`,
      `Reply-To: ${thief}`,
    ]),
    alone('no From at all', ({ thief }) => [`From: `, `Reply-To: ${thief}`]),
    alone('a failed check, Reply-To elsewhere', ({ anna, thief }) => [
      `From: ${anna}`,
      `Reply-To: ${thief}`,
      ...failed,
    ]),
    joined('Reply-To at another domain', ({ anna, thief }) => [`From: ${anna}`, `Reply-To: ${thief}`]),
    joined('a failed check', ({ anna, thief }) => [`From: ${anna}`, `Reply-To: ${thief}`, ...failed]),
    joined('From of the thief', ({ thief }) => [`From: ${thief}`]),
    joined('From of a stranger', ({ eve }) => [`From: ${eve}`]),
    joined('From with a plus tag of Anna at another host', ({ thief, anna }) => [
      `From: "Anna" <${thief.replace('thief', 'anna')}>`,
      `Reply-To: ${anna}, ${thief}`,
    ]),
    joined('the address of Anna with a host behind it', ({ ours }) => [
      `From: <anna@${ours.slug}.customer.test.evil.test>`,
    ]),
    joined('a From that looks like Anna, in Cyrillic', ({ ours }) => [
      `From: =?utf-8?B?${Buffer.from('аnna').toString('base64')}?= <anna@${ours.slug}.evil.test>`,
    ]),
    joined('a comment in From', ({ anna, thief }) => [`From: (${anna}) ${thief}`]),
  ],
};
