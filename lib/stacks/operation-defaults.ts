/** Time and memory of an operation whose contract says nothing. */
export const operationDefaults = {
  timeoutSeconds: 15,
  /**
   * Lambda gives a function processor time in proportion to its memory, a whole processor at 1,769 MB ("Configure Lambda function memory"). Less memory
   * makes waiting cheaper and a cold start longer: 110 ms of processor time (`npm run bench -- --functions`) take 0.2 s here, and 0.8 s at 256 MB.
   */
  memoryMb: 1024,
} as const;
