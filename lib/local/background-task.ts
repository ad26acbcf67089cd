/** Background work of the local cloud, which quiescence waits for. */
export interface BackgroundTask {
  /** A description of running or pending work; null: none. */
  pendingWork(): string | null;
  close(): Promise<void>;
}
