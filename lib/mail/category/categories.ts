/** What a received message is (docs/concepts/reading-mail.md). */

export const categories = [
  'human',
  'out_of_office',
  'auto_reply',
  'bounce',
  'verification',
  'transactional',
  'notification',
  'marketing',
  'spam',
] as const;
export type Category = (typeof categories)[number];
