/** Sends a message over SMTP byte for byte: mail libraries repair line ends, which is what a hostile client does not do. */
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface SmtpMessage {
  /** Envelope addresses, without angle brackets. */
  readonly from: string;
  readonly to: string;
  readonly raw: Buffer;
}

/** The last reply of the server, such as `250 OK 4f…`. */
export interface SmtpReply {
  readonly isAccepted: boolean;
  readonly text: string;
}

/**
 * Sends one message over a connection of its own.
 *
 * @returns the reply to DATA, or the first refusal
 * @throws Error when the connection ends early
 */
export async function sendOverSmtp(port: number, { from, to, raw }: SmtpMessage): Promise<SmtpReply> {
  const socket = connect(port, '127.0.0.1');
  const replies = finalReplies(socket);
  const read = async (): Promise<string> => {
    const { value, done } = await replies.next();
    if (done) throw new Error('the SMTP server closed the connection');
    return value;
  };
  try {
    await read();
    for (const command of ['EHLO fuzz.example.test', `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA']) {
      socket.write(`${command}\r\n`);
      const reply = await read();
      if (/^[45]/.test(reply)) return { isAccepted: false, text: reply };
    }
    socket.write(stuffed(raw));
    socket.write('\r\n.\r\n');
    const reply = await read();
    return { isAccepted: reply.startsWith('2'), text: reply };
  } finally {
    socket.destroy();
  }
}

/** The last line of each reply: `250-` lines continue (RFC 5321, section 4.2.1). */
async function* finalReplies(socket: Socket): AsyncGenerator<string, void> {
  for await (const line of createInterface({ input: socket })) if (!/^\d{3}-/.test(line)) yield line;
}

/** The message with a second dot before each line that begins with one (RFC 5321, section 4.5.2). */
function stuffed(raw: Buffer): Buffer {
  const text = raw.toString('latin1').replace(/\r\n\./g, '\r\n..');
  return Buffer.from(text.startsWith('.') ? `.${text}` : text, 'latin1');
}
