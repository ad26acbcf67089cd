import { connect } from 'node:net';
import { createTransport } from 'nodemailer';
import { afterEach, describe, expect, it } from 'vitest';
import type { IncomingMail } from '../../../lib/local/ses/incoming-mail.ts';
import { type SmtpOptions, startSmtp } from '../../../lib/local/ses/smtp.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function setUp(options: Partial<SmtpOptions> = {}) {
  const mails: IncomingMail[] = [];
  const smtp = await startSmtp({
    port: 0,
    accepts: async (address) => address.endsWith('@held.test') || address.endsWith('@xn--bcher-kva.test'),
    receive: async (mail) => {
      mails.push(mail);
      const { recipients } = mail;
      const received = [{ region: 'r', messageId: `id-${mails.length}`, recipients, bucket: 'b', key: 'k' }];
      return { received, refused: [] };
    },
    ...options,
  });
  closing.push(smtp.close);
  return { mails, port: smtp.port };
}

const send = (port: number, from: string, to: string[], raw: string | Buffer) =>
  createTransport({ host: '127.0.0.1', port, ignoreTLS: true }).sendMail({ envelope: { from, to }, raw });

/** A raw SMTP client: sends each part after the reply to the previous one. */
async function converse(port: number, parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let said = '';
  let next = 0;
  for await (const chunk of socket) {
    said += chunk.toString();
    const isWhole = /^\d{3} [^\n]*\n$/m.test(said.slice(said.lastIndexOf('\n', said.length - 2) + 1));
    const part = parts[next];
    if (!isWhole) continue;
    if (part === undefined) socket.end();
    else socket.write(part);
    next++;
  }
  return said;
}

describe('startSmtp', () => {
  it('passes on envelope and message and replies with the id', async () => {
    const { mails, port } = await setUp();
    const sent = await send(
      port,
      'bob@example.com',
      ['ann@held.test', 'al@held.test'],
      'Subject: S\r\n\r\n..dots\r\n',
    );
    expect(sent.response).toContain('OK id-1');
    expect(mails).toEqual([
      {
        from: 'bob@example.com',
        recipients: ['ann@held.test', 'al@held.test'],
        raw: Buffer.from('Subject: S\r\n\r\n..dots\r\n'),
        remoteAddress: '127.0.0.1',
        hostName: expect.any(String),
      },
    ]);
  });

  it('rejects unknown recipients with 550', async () => {
    const { mails, port } = await setUp();
    await expect(send(port, 'b@c.test', ['x@elsewhere.test'], 'x')).rejects.toMatchObject({
      responseCode: 550,
    });
    expect(mails).toEqual([]);
  });

  it('accepts a null reverse-path, 8-bit and NUL octets, and internationalized domains', async () => {
    const { mails, port } = await setUp();
    const raw = Buffer.concat([
      Buffer.from('Subject: S\r\n\r\n'),
      Buffer.from([0, 0xe9, 0xff]),
      Buffer.from('\r\n'),
    ]);
    await converse(port, [
      'EHLO client.test\r\n',
      'MAIL FROM:<> BODY=8BITMIME SMTPUTF8\r\n',
      'RCPT TO:<ann@bücher.test>\r\n',
      'RCPT TO:<al@xn--bcher-kva.test>\r\n',
      'DATA\r\n',
      Buffer.concat([raw, Buffer.from('.\r\n')]),
      'QUIT\r\n',
    ]);
    expect(mails).toMatchObject([
      {
        from: '',
        recipients: ['ann@xn--bcher-kva.test', 'al@xn--bcher-kva.test'],
        raw,
        hostName: 'client.test',
      },
    ]);
  });

  it('rejects long messages with 552, with or without SIZE', async () => {
    const { mails, port } = await setUp({ sizeMax: 1000 });
    const said = await converse(port, [
      'EHLO client.test\r\n',
      'MAIL FROM:<b@c.test> SIZE=1001\r\n',
      'MAIL FROM:<b@c.test>\r\n',
      'RCPT TO:<ann@held.test>\r\n',
      'DATA\r\n',
      `${'x'.repeat(998)}\r\n${'y'.repeat(998)}\r\n.\r\n`,
      'QUIT\r\n',
    ]);
    expect(said.match(/^552/gm)).toHaveLength(2);
    expect(mails).toEqual([]);
  });

  it('replies 451 when the local cloud fails', async () => {
    const { port } = await setUp({ receive: () => Promise.reject(new Error('disk full')) });
    await expect(send(port, 'b@c.test', ['ann@held.test'], 'x')).rejects.toMatchObject({ responseCode: 451 });
  });

  it('serves concurrent connections', async () => {
    const { mails, port } = await setUp();
    await Promise.all(
      Array.from({ length: 50 }, (_, i) => send(port, `s${i}@c.test`, ['ann@held.test'], 'x\r\n')),
    );
    expect(new Set(mails.map(({ from }) => from)).size).toBe(50);
  });
});
