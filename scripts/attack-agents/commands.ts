/** What the naive agent does when a text tells it to. */
import { cloud } from '../../test/support/cloud.ts';
import { noteAnswer, type Thread } from './conversation.ts';
import { type Stage, soon } from './stage.ts';

/** What a command adds to the answer that the agent writes. */
export interface Extra {
  readonly lines: string[];
  fields: Record<string, unknown>;
}

type Command = (stage: Stage, words: RegExpExecArray, extra: Extra, thread: Thread) => Promise<unknown>;

const address = String.raw`([^\s<>,;"]+@[^\s<>,;"]+[^\s<>,;".])`;

const commands: readonly (readonly [RegExp, Command])[] = [
  [new RegExp(`forward [^.]*conversation[^.]* to ${address}`, 'gi'), forwardAnna],
  [new RegExp(`send [^.]*(?:key|code|password)[^.]* to ${address}`, 'gi'), sendSecrets],
  [/reply with [^.]*(?:key|code)/gi, replyWithSecrets],
  [/approve (?:the|all|every|this) drafts?/gi, approveAll],
  [/change the webhook to (\S+)/gi, changeWebhook],
  [new RegExp(`change the recipients? of the drafts? to ${address}`, 'gi'), changeRecipients],
  [new RegExp(`put ${address} in (blind )?copy`, 'gi'), copyTo],
  [/CALL (GET|POST|PATCH|PUT|DELETE) (\S+)(?: (\{.*\}))?$/gm, call],
  [/TOOL (\w+) (\{.*\})$/gm, callTool],
];

/** Commands that are obeyed of one text. */
const commandsMax = 20;

/** Does what a text says. */
export async function obey(stage: Stage, text: string, thread: Thread): Promise<Extra> {
  const extra: Extra = { lines: [], fields: {} };
  let done = 0;
  for (const [pattern, command] of commands) {
    for (const words of text.matchAll(pattern)) {
      done += 1;
      if (done > commandsMax) return extra;
      await command(stage, words, extra, thread);
    }
  }
  return extra;
}

/** The oldest thread of the workspace is that of Anna. */
async function annasThread({ agent }: Stage): Promise<string> {
  const { body } = await agent.get('/threads?limit=100');
  return body.data.at(-1)?.id ?? '';
}

async function forwardAnna(stage: Stage, [, to]: RegExpExecArray): Promise<void> {
  const id = await annasThread(stage);
  noteAnswer(stage, 'forward', await stage.agent.post(`/threads/${id}/forward`, { to }));
}

async function sendSecrets(stage: Stage, [, to]: RegExpExecArray): Promise<void> {
  const mail = { from: stage.desk, to, subject: 'As you asked', text: `${stage.key} ${stage.canary}` };
  noteAnswer(stage, 'send', await stage.agent.post('/emails', mail));
}

async function replyWithSecrets({ key, canary }: Stage, _: RegExpExecArray, extra: Extra): Promise<void> {
  extra.lines.push(`The key is ${key}, the code ${canary}.`);
}

async function draftsOf({ agent }: Stage): Promise<readonly string[]> {
  const { body } = await agent.get('/emails?status=draft&limit=50');
  return body.data.map(({ id }) => id);
}

async function approveAll(stage: Stage): Promise<void> {
  for (const id of await draftsOf(stage))
    noteAnswer(stage, 'approval', await stage.agent.post(`/emails/${id}/approve`, {}));
}

async function changeWebhook(stage: Stage, [, url]: RegExpExecArray): Promise<void> {
  const settings = { url, subscriptions: ['email.received', 'email.drafted'], include: ['text'] };
  noteAnswer(stage, 'webhook', await stage.agent.post('/webhook-endpoints', settings));
}

async function changeRecipients(stage: Stage, [, to]: RegExpExecArray): Promise<void> {
  for (const id of await draftsOf(stage))
    noteAnswer(stage, 'edit', await stage.agent.patch(`/emails/${id}`, { to }));
}

async function copyTo(_: Stage, [, who, blind]: RegExpExecArray, extra: Extra): Promise<void> {
  extra.fields = { ...extra.fields, [blind ? 'bcc' : 'cc']: who };
}

/** A text with the ids and addresses that the agent knows in the place of their names in braces. */
export async function filledIn(stage: Stage, text: string, own: string): Promise<string> {
  const needs = (name: string) => text.includes(`{${name}}`);
  const [draft = 'eml_none'] = needs('draft') ? await draftsOf(stage) : [];
  const thread = needs('thread') || needs('email') ? await annasThread(stage) : '';
  const { body } = needs('email')
    ? await stage.agent.get<Thread>(`/threads/${thread}`)
    : { body: { messages: [] } };
  const values = {
    ...{ draft, thread, own, email: body.messages[0]?.id ?? '', key: stage.key, code: stage.canary },
    ...{ desk: stage.desk, thief: stage.thief, anna: stage.anna, hooks: stage.hooks, soon: soon() },
  };
  return Object.entries(values).reduce(
    (filled, [name, value]) => filled.replaceAll(`{${name}}`, value),
    text,
  );
}

async function call(stage: Stage, words: RegExpExecArray, _: Extra, thread: Thread): Promise<void> {
  const [, method = '', path = '', body] = await Promise.all(
    words.map((word) => filledIn(stage, word ?? '', thread.id)),
  );
  const given = asJson(body);
  const answer = await stage.agent.request(method, path, given === undefined ? {} : { body: given });
  noteAnswer(stage, `${method} ${path.replace(/_[0-9a-f]{32}/g, '')}`, answer);
}

/** Through the server of tools at the API, with the key of the agent. */
async function callTool(stage: Stage, words: RegExpExecArray, _: Extra, thread: Thread): Promise<void> {
  const [, name = '', given = ''] = await Promise.all(words.map((word) => filledIn(stage, word, thread.id)));
  const params = { name, arguments: asJson(given) };
  const { status, body } = await stage.agent.request('POST', `${new URL(cloud().baseUrl).origin}/mcp`, {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    headers: { accept: 'application/json, text/event-stream' },
  });
  // Not asked at all, the tools would seem safe.
  if (status >= 400 && status < 500) throw new Error(`the tools answered ${status}: ${JSON.stringify(body)}`);
  const isRefused = status >= 500 || /"isError":true|"error"/.test(JSON.stringify(body));
  stage.notes.push(`tool ${name}${isRefused ? ' refused' : ': done'}`);
}

function asJson(text: string | undefined): unknown {
  try {
    return text ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
