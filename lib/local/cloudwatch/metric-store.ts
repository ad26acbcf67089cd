/**
 * Data points of CloudWatch metrics, as the emulated services publish them while somebody watches the alarms. Minutes pass when the
 * watch says so: on a busy machine, the local clock runs on between its moves.
 */

export interface MetricId {
  readonly region: string;
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

interface DataPoint {
  readonly minute: number;
  readonly value: number;
}

/** A metric without the region: the home region's. */
export type Published = Omit<MetricId, 'region' | 'dimensions'> &
  Partial<MetricId> & { readonly value: number };

export interface MetricStore {
  /** Keeps a value if the store records; otherwise it is forgotten, as nobody reads it. */
  put(metric: Published): void;
  /** Keeps values from now on. */
  record(): void;
  /** Values belong to the next minute from now on. */
  endMinute(): void;
  /** The values of some ended minutes. @param ago minutes between the end of the last one and now */
  read(id: MetricId, minutes: number, ago: number): readonly number[];
}

/** Longer than any alarm looks back. */
const minutesKept = 120;

export function createMetricStore(homeRegion: string): MetricStore {
  const points = new Map<string, DataPoint[]>();
  let isRecording = false;
  let minute = 0;
  return {
    put({ region = homeRegion, namespace, name, dimensions = {}, value }) {
      if (!isRecording) return;
      const key = keyOf({ region, namespace, name, dimensions });
      const kept = points.get(key) ?? [];
      // Seldom, since it copies the list.
      const isLong = (kept[0]?.minute ?? minute) < minute - 2 * minutesKept;
      const list = isLong ? kept.filter((point) => point.minute >= minute - minutesKept) : kept;
      list.push({ minute, value });
      points.set(key, list);
    },
    record() {
      isRecording = true;
    },
    endMinute() {
      minute += 1;
    },
    read(id, minutes, ago) {
      const end = minute - ago;
      const found = (points.get(keyOf(id)) ?? []).filter(
        (point) => point.minute >= end - minutes && point.minute < end,
      );
      return found.map(({ value }) => value);
    },
  };
}

function keyOf({ region, namespace, name, dimensions }: MetricId): string {
  const sorted = Object.entries(dimensions).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([region, namespace, name, sorted]);
}
