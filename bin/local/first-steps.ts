/** The way from the first email to the first webhook, in commands of a shell; the README shows the same ones. */

export interface StepAddresses {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly smtpPort: number;
  /** Domain of the demo workspace. */
  readonly domain: string;
}

export interface Step {
  /** Says what the commands do; ends with a colon. */
  readonly title: string;
  /** Lines that can be pasted. */
  readonly commands: string;
}

const authorization = '-H "Authorization: Bearer $PARLEY_API_KEY"';
const json = `${authorization} -H 'Content-Type: application/json'`;
const recipient = 'anna@example.test';

/** The steps in their order: each needs those before it, in one shell, in the folder of the repository. */
export function firstSteps({ baseUrl, apiKey, smtpPort, domain }: StepAddresses): readonly Step[] {
  const sender = `support@${domain}`;
  const email = {
    from: sender,
    to: recipient,
    subject: 'Your order',
    text: 'It is on its way.',
  };
  const endpoint = { url: 'http://127.0.0.1:4000', subscriptions: ['email.received'] };
  const reply = `From: ${recipient}\\nTo: ${sender}\\nSubject: Re: ${email.subject}\\n\\nThank you!\\n`;
  return [
    {
      title: 'Set the address and the key, which has scope full:',
      commands: `export PARLEY_BASE_URL=${baseUrl}\nexport PARLEY_API_KEY=${apiKey}`,
    },
    {
      title:
        'Receive webhooks. Here the URL may be http://127.0.0.1:…, a deployment takes public https only:',
      commands: `export WEBHOOK_SECRET=$(curl -s "$PARLEY_BASE_URL/webhook-endpoints" \\
  ${json} \\
  -d '${JSON.stringify(endpoint)}' | grep -o 'whsec_[^"]*')
node examples/receiver.mjs &`,
    },
    {
      title: 'Send an email:',
      commands: `curl -s "$PARLEY_BASE_URL/emails" \\
  ${json} \\
  -d '${JSON.stringify(email)}'`,
    },
    {
      title: 'Answer it as Anna, by SMTP; the receiver prints "email.received Thank you!":',
      commands: `printf '${reply}' |
  curl -s smtp://127.0.0.1:${smtpPort} --mail-from ${recipient} --mail-rcpt ${sender} -T -`,
    },
    {
      title: 'Read the thread:',
      commands: `THREAD=$(curl -s "$PARLEY_BASE_URL/threads?limit=1" ${authorization} |
  grep -o 'thr_[0-9a-f]*' | head -1)
curl -s "$PARLEY_BASE_URL/threads/$THREAD" ${authorization}`,
    },
  ];
}
