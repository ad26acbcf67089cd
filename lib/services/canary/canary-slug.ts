/** The workspace of the canary; an operator erases it as any other, and the next run makes another one. */
export const canarySlug = 'canary-parley';
