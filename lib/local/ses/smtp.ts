/** The SMTP server for incoming mail: passes envelope and message to SES receiving. */
import type { AddressInfo } from 'node:net';
import { domainToASCII } from 'node:url';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { InboundRouting } from './inbound-routing.ts';

export interface SmtpOptions extends InboundRouting {
  /** 0: a free port. */
  readonly port: number;
  readonly host?: string;
  /** Maximum message size in octets; default 40 MB, SES's limit. */
  readonly sizeMax?: number;
}

export interface SmtpPort {
  readonly port: number;
  close(): Promise<void>;
}

const messageOctetsMax = 40 * 1024 * 1024;

/** Starts the server without authentication and TLS. */
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
      options.accepts(toAsciiDomain(address)).then(
        (isAccepted) =>
          done(isAccepted ? null : reply(550, '5.1.1 Requested action not taken: mailbox unavailable')),
        (error: unknown) => done(localError(error)),
      );
    },
    onData: (stream, session, done) => {
      receiveMessage(stream, session).then(
        (text) => done(null, text),
        (error: unknown) => done(error instanceof SmtpReply ? error : localError(error)),
      );
    },
  });

  const receiveMessage = async (
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
  ): Promise<string> => {
    const raw = await readMessage(stream, sizeMax);
    const { mailFrom, rcptTo } = session.envelope;
    const { received, refused } = await options.receive({
      from: mailFrom === false ? '' : toAsciiDomain(mailFrom.address),
      recipients: [...new Set(rcptTo.map(({ address }) => toAsciiDomain(address)))],
      raw,
      remoteAddress: session.remoteAddress,
      hostName: session.hostNameAppearsAs || 'localhost',
    });
    const [first] = received;
    if (first === undefined) throw reply(550, `5.1.1 No verified domain for ${refused.join(', ')}`);
    return `OK ${first.messageId}`;
  };

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host ?? '127.0.0.1', () => {
      server.off('error', reject);
      // Later errors are of single connections, which clients may reset.
      server.on('error', () => {});
      resolve();
    });
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Reads to the end of DATA even when the message is too long (RFC 5321 section 4.1.1.4). */
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

/** The address with its domain as A-labels; `smtp-server` decodes them to Unicode. */
function toAsciiDomain(address: string): string {
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

function localError(error: unknown): SmtpReply {
  return reply(451, `4.3.0 ${error instanceof Error ? error.message : 'local error'}`);
}
