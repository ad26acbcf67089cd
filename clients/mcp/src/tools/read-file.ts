/** Reads the text of a file: what was extracted from a received one, or the file itself where it is text. */
import * as z from 'zod';
import { NotPreparedError, type Parley, UnexpectedResponseError } from '../../../typescript/src/index.ts';
import { limits } from '../limits.ts';
import { Untrusted } from '../result.ts';
import { partOf, visible } from '../shown-text.ts';
import { reads, tool } from '../tool.ts';
import { offset } from './arguments.ts';

const textTypes = /^(?:text\/|application\/(?:json|xml|x-ndjson|yaml|x-yaml|csv)\b|[^;]*\+(?:json|xml)\b)/i;

/** @throws UnexpectedResponseError where the file is larger than a tool reads */
async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > limits.downloadBytes) {
      throw new UnexpectedResponseError({ detail: `The text has more than ${limits.downloadBytes} bytes.` });
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** @throws NotPreparedError where neither has text */
async function read(parley: Parley, id: string, signal: AbortSignal): Promise<string> {
  try {
    return await textOf(await parley.attachments.downloadText(id, { signal }));
  } catch (error) {
    if (!(error instanceof NotPreparedError)) throw error;
    const headers = await parley.attachments.inspect(id, { signal });
    if (!textTypes.test(headers.get('content-type') ?? '')) throw error;
    return await textOf(await parley.attachments.download(id, { signal }));
  }
}

export const readFile = tool({
  name: 'read_file',
  title: 'Read file',
  description:
    'Reads the text of a file of an email: of documents, tables, PDF and text files. A long text comes in parts: call again with offset.',
  scope: 'read',
  annotations: reads,
  input: z.strictObject({
    attachment_id: z
      .string()
      .min(1)
      .max(64)
      .describe('Id of a file (att_…), from read_thread or read_email.'),
    offset,
  }),
  async run({ attachment_id: id, offset: from }, { parley, signal }) {
    const { text, hiddenCharacters } = visible(await read(parley, id, signal));
    const part = partOf(text, from, limits.resultCharacters);
    return {
      attachment_id: id,
      ...(hiddenCharacters > 0 && { hidden_characters_removed: hiddenCharacters }),
      characters: part.characters,
      offset: part.offset,
      next_offset: part.nextOffset,
      untrusted: new Untrusted({ text: part.text }),
    };
  },
});
