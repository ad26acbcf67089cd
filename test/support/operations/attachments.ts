import { conversationOf } from '../conversation.ts';
import type { OperationGroup } from '../operation-fixtures.ts';

export const fixtures: OperationGroup = {
  resources: {
    attachment_id: async (context) => (await conversationOf(context)).attachment,
  },
  operations: {
    create: { body: () => ({ filename: 'film.mp4', content_type: 'video/mp4', size: 10_000_000 }) },
    download: {},
    inspect: {},
    'download-text': {},
  },
};
