/** The scopes of a suppression (docs/concepts/suppressions.md#suppression-fields). */

export const suppressionScopes = ['all', 'optional'] as const;
/** `optional` blocks only mail that was sent with `unsubscribe: true`. */
export type SuppressionScope = (typeof suppressionScopes)[number];
