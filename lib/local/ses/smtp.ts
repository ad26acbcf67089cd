/** The SMTP port: mail from outside, handed to SES's receiving as envelope and bytes. */
import type { AddressInfo } from 'node:net';
import { domainToASCII } from 'node:url';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { IncomingMail } from './receiving.ts';
import type { Reception } from './ses.ts';

export interface SmtpOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly host?: string;
  /** Octets of a message; default 40 MB, as SES stores. */
  readonly sizeMax?: number;
  accepts(address: string): Promise<boolean>;
  receive(mail: IncomingMail): Promise<Reception>;
}

export interface SmtpPort {
  readonly port: number;
  close(): Promise<void>;
}

const messageOctetsMax = 40 * 1024 * 1024;

/** Starts listening. No authentication and no TLS: the port is for one machine. */
export async function startSmtp(options: SmtpOptions): Promise<SmtpPort> {
  const { sizeMax = messageOctetsMax } = options;
  const server = new SMTPServer({
    name: 'inbound-smtp.local',
    size: sizeMax,
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 1,
    onRcptTo: ({ address }, _session, done) => {
      options.accepts(inAscii(address)).then(
        (isHeld) => done(isHeld ? null : reply(550, '5.1.1 Requested action not taken: mailbox unavailable')),
        (error: unknown) => done(localFault(error)),
      );
    },
    onData: (stream, session, done) => {
      take(stream, session).then(
        (text) => done(null, text),
        (error: unknown) => done(error instanceof SmtpReply ? error : localFault(error)),
      );
    },
  });

  const take = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> => {
    const raw = await readMessage(stream, sizeMax);
    const { mailFrom, rcptTo } = session.envelope;
    const { received, refused } = await options.receive({
      from: mailFrom === false ? '' : inAscii(mailFrom.address),
      recipients: [...new Set(rcptTo.map(({ address }) => inAscii(address)))],
      raw,
      remoteAddress: session.remoteAddress,
      hostName: session.hostNameAppearsAs || 'localhost',
    });
    const [first] = received;
    if (first === undefined) throw reply(550, `5.1.1 Nobody holds ${refused.join(', ')}`);
    return `OK ${first.messageId}`;
  };

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host ?? '127.0.0.1', () => {
      server.off('error', reject);
      // From here on errors are of single connections, which clients may break as they please.
      server.on('error', () => {});
      resolve();
    });
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Reads to the end even when the message is too long, as the client sends on until its final dot. */
async function readMessage(stream: SMTPServerDataStream, sizeMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let octets = 0;
  for await (const chunk of stream) {
    octets += chunk.length;
    if (octets <= sizeMax) chunks.push(chunk);
  }
  if (octets > sizeMax || stream.sizeExceeded) throw reply(552, '5.3.4 Message too big for system');
  return Buffer.concat(chunks);
}

/** `smtp-server` shows international domains in Unicode; SES and DNS know them in ASCII. */
function inAscii(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return /\P{ASCII}/u.test(domain) ? `${address.slice(0, at + 1)}${domainToASCII(domain)}` : address;
}

class SmtpReply extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(message);
    this.name = 'SmtpReply';
    this.responseCode = responseCode;
  }
}

function reply(code: number, message: string): SmtpReply {
  return new SmtpReply(code, message);
}

function localFault(error: unknown): SmtpReply {
  return reply(451, `4.3.0 ${error instanceof Error ? error.message : 'local error'}`);
}
