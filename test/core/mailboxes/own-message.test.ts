import { describe, expect, it } from 'vitest';
import { composeId } from '../../../lib/core/ids.ts';
import {
  chunkOfMessageId,
  messageIdOfChunk,
  ownIdOfSentMessage,
} from '../../../lib/core/mailboxes/own-message.ts';

const emailId = composeId('eml', 1, new Uint8Array(10));
const own = `<${emailId}@acme.test>`;
const foreign = '<CAx@mail.gmail.com>';
const none = { messageId: null, inReplyTo: [], references: [], headers: [] };

describe('ownIdOfSentMessage', () => {
  it.each([
    ['its Message-ID', { ...none, messageId: own }],
    [
      'the id that Google has replaced',
      {
        ...none,
        messageId: foreign,
        headers: [{ name: 'X-Google-Original-Message-ID', value: ` ${own}` }],
      },
    ],
    ['the end of its References', { ...none, messageId: foreign, references: [foreign, own] }],
  ])('finds our id in %s', (_, message) => {
    expect(ownIdOfSentMessage(message)).toEqual({ emailId, messageId: own });
  });

  it.each([
    ['answers our message', { ...none, messageId: foreign, inReplyTo: [own], references: [foreign, own] }],
    ['cites our message in between', { ...none, messageId: foreign, references: [own, foreign] }],
    ['has no id of ours', { ...none, messageId: foreign }],
  ])('finds none where the owner wrote a message that %s', (_, message) => {
    expect(ownIdOfSentMessage(message)).toBeNull();
  });
});

describe('messageIdOfChunk', () => {
  it('gives each chunk an id that names the email and the chunk', () => {
    const ids = [0, 1, 42].map((number) => messageIdOfChunk(own, number));
    expect(ids).toEqual([own, `<${emailId}@1.acme.test>`, `<${emailId}@42.acme.test>`]);
    expect(ids.map((id) => chunkOfMessageId(own, id))).toEqual([0, 1, 42]);
  });
});
