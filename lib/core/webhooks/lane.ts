/** Lanes of endpoints: those that answer quickly, and those that do not. Each has its own queue and workers. */
export const lanes = ['fast', 'slow'] as const;
export type Lane = (typeof lanes)[number];
