/** Checks the ports of a run before anything is started. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { Refused } from '../../clients/cli/src/terminal/exit.ts';
import { type PortOption, type Ports, portOptions } from './options.ts';

const host = '127.0.0.1';
/** Time that the owner of a port has to say what it is. */
const answerMs = 500;

/** @throws Refused with one sentence that names the ports which cannot be used, and the options that change them */
export async function checkPorts(ports: Ports): Promise<void> {
  const findings = await Promise.all(
    portOptions.map(async (option) => ({ option, code: await obstacleOf(option, ports[option]) })),
  );
  const denied = findings.find(({ code }) => code !== null && code !== 'EADDRINUSE');
  if (denied) throw new Refused(obstacleText(denied.option, ports[denied.option], denied.code));
  const taken = findings.filter(({ code }) => code !== null).map(({ option }) => option);
  if (taken.length === 0) return;
  const isParley = (await Promise.all(taken.map((option) => isOfParley(option, ports[option])))).includes(
    true,
  );
  throw new Refused(takenText(taken, ports, isParley));
}

/** An error of the start, or the refusal of a port that another process has taken since the check. */
export async function explainTakenPort(error: unknown, ports: Ports): Promise<unknown> {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return error;
  return await checkPorts(ports).then(
    () => error,
    (refusal: unknown) => refusal,
  );
}

/** The error code of a listener at this port; null: there is none. */
async function obstacleOf(option: PortOption, port: number): Promise<string | null> {
  if (port === 0) return null;
  try {
    const tcp = createServer();
    const listening = once(tcp, 'listening');
    tcp.listen(port, host);
    await listening;
    await closed(tcp);
    if (option !== 'dns-port') return null;
    const udp = createSocket('udp4');
    const bound = once(udp, 'listening');
    udp.bind(port, host);
    await bound;
    await closed(udp);
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

const closed = (server: { close(done: () => void): unknown }) =>
  new Promise<void>((resolve) => void server.close(resolve));

function obstacleText(option: PortOption, port: number, code: string | null): string {
  if (code === 'EACCES')
    return `Port ${port} (--${option}) may be used by an administrator only: choose one above 1023.`;
  return `Port ${port} (--${option}) cannot be used (${code}): choose another one.`;
}

function takenText(taken: readonly PortOption[], ports: Ports, isParley: boolean): string {
  const names = taken.map((option) => `${ports[option]} (--${option})`);
  const last = names.pop();
  const list = names.length === 0 ? `Port ${last} is` : `Ports ${names.join(', ')} and ${last} are`;
  const [owner, remedy] = isParley
    ? [' by another npm start of Parley', 'Stop it there with Ctrl-C, or use']
    : ['', 'Use'];
  const free = taken.map((option) => `--${option} 0`).join(' ');
  const which = taken.length === 1 ? 'a free port' : 'free ports';
  return `${list} in use${owner}. ${remedy} ${which}: npm start -- ${free}`;
}

/** What is asked at a port of another run, and what it answers. DNS says nothing about its server. */
const signs: Readonly<
  Record<Exclude<PortOption, 'dns-port'>, { readonly path: string | null; readonly sign: string }>
> = {
  port: { path: '/_control', sign: '"GET /sent/last/message-id' },
  'smtp-port': { path: null, sign: '220 inbound-smtp.local ' },
  'google-port': { path: '/mail', sign: 'Mailboxes of the local Google' },
  'microsoft-port': { path: '/mail', sign: 'Mailboxes of the local Microsoft' },
};

/** Whether the owner of a port is a run of Parley. */
async function isOfParley(option: PortOption, port: number): Promise<boolean> {
  if (option === 'dns-port') return false;
  const { path, sign } = signs[option];
  const question = path === null ? '' : `GET ${path} HTTP/1.0\r\nHost: localhost\r\n\r\n`;
  return (await answerOf(port, question)).includes(sign);
}

/** The first 64 KB that the owner of a port answers; empty where it does not. */
function answerOf(port: number, question: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ port, host, timeout: answerMs }, () => void socket.write(question));
    const end = () => {
      socket.destroy();
      resolve(answer);
    };
    setTimeout(end, answerMs).unref();
    socket.on('data', (bytes) => {
      answer += bytes;
      if (question === '' || answer.length > 65_536) end();
    });
    for (const event of ['error', 'end', 'timeout', 'close']) socket.on(event, end);
  });
}
