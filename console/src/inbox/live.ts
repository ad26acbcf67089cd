/** Keeps the page in step with the run: waits for changes and reads again what they are about. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { control } from './control.ts';

interface ChangePage {
  readonly position: number;
  readonly changes: readonly { readonly kind: 'mail' | 'event' | 'service' | 'webhook' }[];
  readonly missed: boolean;
}

/** What each kind of change makes old. */
const queriesOf = {
  mail: ['people', 'mails', 'panel'],
  event: ['people', 'mails', 'mail'],
  service: ['service', 'panel'],
  webhook: ['receiver', 'service'],
} as const;

const retryMs = 1_000;

/** Whether the run answers. */
export function useLive(): boolean {
  const client = useQueryClient();
  const [isLive, setIsLive] = useState(true);
  useEffect(() => {
    let isOver = false;
    const wait = async () => {
      let position: number | null = null;
      while (!isOver) {
        try {
          const path: string = position === null ? '/changes' : `/changes?after=${position}`;
          const page: ChangePage = await control<ChangePage>('GET', path);
          if (isOver) return;
          const stale = new Set<string>(page.changes.flatMap(({ kind }) => queriesOf[kind]));
          // After the first answer and a restart of the run, all may be old.
          const isAll = page.missed || position === null;
          position = page.position;
          setIsLive(true);
          await client.invalidateQueries({
            predicate: ({ queryKey }) => isAll || stale.has(String(queryKey[0])),
          });
        } catch {
          position = null;
          setIsLive(false);
          await new Promise((resolve) => setTimeout(resolve, retryMs));
        }
      }
    };
    void wait();
    return () => {
      isOver = true;
    };
  }, [client]);
  return isLive;
}
