/** What the pictures show: conversations of a shop, made through the API and by SMTP as its customers do. */
import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import { Parley } from '../../clients/typescript/src/index.ts';

/** What `npm start` writes for programs, as far as it is read here. */
export interface Addresses {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly providedDomain: string;
  readonly smtpPort: number;
  readonly controlUrl: string;
  readonly googleUrl: string;
  readonly connectUrls: readonly string[];
}

/** Where the pages with this data are. */
export interface DemoData {
  /** Scheme and host of the local run. */
  readonly origin: string;
  readonly addresses: Addresses;
  /** The unsubscribe page of the newsletter. */
  readonly unsubscribeUrl: string;
}

interface Conversation {
  readonly person: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly answer: string | null;
}

const conversations: readonly Conversation[] = [
  {
    person: { name: 'Anna Berg', address: 'anna@example.test' },
    subject: 'Your order 1042',
    text: 'Hello Anna,\n\nyour order is on its way and should arrive on Thursday.\n\nMax of Harbour Coffee',
    answer: 'Thank you! Could you leave it with the neighbours at number 12?\n\nAnna',
  },
  {
    person: { name: 'Tomás Ruiz', address: 'tomas@example.test' },
    subject: 'Invoice for October',
    text: 'Hello Tomás,\n\nthe invoice for October is attached to your account.\n\nHarbour Coffee',
    answer: 'The address of our company has changed. Can you write a new one?\n\nTomás',
  },
  {
    person: { name: 'Mei Tanaka', address: 'mei@example.test' },
    subject: 'How was the tasting?',
    text: 'Hello Mei,\n\nwhat did you think of the new roast?\n\nHarbour Coffee',
    answer: null,
  },
];

/** Makes the data in the demo workspace, and waits until it has arrived. */
export async function makeDemoData(addresses: Addresses): Promise<DemoData> {
  const { apiKey, baseUrl, providedDomain, smtpPort } = addresses;
  const client = new Parley({ apiKey, baseUrl });
  const smtp = createTransport({ host: '127.0.0.1', port: smtpPort, ignoreTLS: true });
  const from = { name: 'Harbour Coffee', address: `hello@${providedDomain}` };
  for (const { answer, person, subject, text } of conversations) {
    await client.emails.send({ from, to: [person], subject, text }, { waitSeconds: 20 });
    if (answer === null) continue;
    const inReplyTo = await control(addresses, '/sent/last/message-id');
    await smtp.sendMail({ from: person, to: from, subject: `Re: ${subject}`, text: answer, inReplyTo });
  }
  const newsletter = { subject: 'New roasts in November', text: 'Three new roasts.\n\n{{unsubscribe_url}}' };
  const to = [{ name: 'Anna Berg', address: 'anna@example.test' }];
  await client.emails.send({ from, to, ...newsletter, unsubscribe: true }, { waitSeconds: 20 });
  await control(addresses, '/settle', 'POST');
  smtp.close();
  const unsubscribeUrl = await unsubscribeUrlOf(addresses, newsletter.subject);
  return { origin: new URL(baseUrl).origin, addresses, unsubscribeUrl };
}

/** From the header of the mail that SES was given. */
async function unsubscribeUrlOf(addresses: Addresses, subject: string): Promise<string> {
  type Listed = { readonly data: readonly { readonly id: string }[] };
  const { data } = JSON.parse(await control(addresses, '/sent?to=anna@example.test')) as Listed;
  for (const { id } of data) {
    const { wire } = JSON.parse(await control(addresses, `/sent/${id}`)) as { readonly wire: string };
    const mail = await PostalMime.parse(wire);
    const header = mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value;
    const url = /<(https?:[^>]+)>/.exec(header ?? '')?.[1];
    if (url && mail.subject === subject) return url;
  }
  throw new Error('the newsletter has no unsubscribe link');
}

async function control({ controlUrl }: Addresses, path: string, method = 'GET'): Promise<string> {
  const response = await fetch(`${controlUrl}${path}`, { method });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return text.trim();
}
