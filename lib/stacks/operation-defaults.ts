/** Time and memory of an operation whose contract says nothing. */
export const operationDefaults = {
  timeoutSeconds: 15,
  /** For short cold starts (docs/cost.md#memory-of-functions). */
  memoryMb: 1024,
} as const;
