/** A line chart by day (uPlot), in the colors of the scheme. For screen readers it is a picture; the page has a table, too. */
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export interface Series {
  readonly label: string;
  /** Name of a design token. */
  readonly color: `--${string}`;
}

const height = 200;

function optionsOf(series: readonly Series[], width: number): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const font = '11px system-ui, sans-serif';
  const axis = {
    stroke: token('--soft'),
    font,
    ticks: { show: false },
    grid: { stroke: token('--line'), width: 1 },
  };
  return {
    width,
    height,
    // Days begin at midnight in UTC.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    legend: { live: true },
    cursor: { points: { size: 6 }, drag: { x: false, y: false } },
    scales: { y: { range: (_, __, max) => [0, Math.max(4, max * 1.1)] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 60,
        values: '{MMM} {D}',
        incrs: [86_400, 7 * 86_400, 14 * 86_400],
      },
      {
        ...axis,
        size: 46,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6, 1e7],
      },
    ],
    series: [
      {
        label: 'Day',
        value: (_, seconds) => (seconds === null ? '' : new Date(seconds * 1000).toISOString().slice(0, 10)),
      },
      ...series.map(({ label, color }) => ({
        label,
        stroke: token(color),
        value: (_: uPlot, value: number | null) => value?.toLocaleString() ?? '',
        fill: `color-mix(in oklab, ${token(color)} 9%, transparent)`,
        width: 1.5,
        points: { show: false },
      })),
    ],
  };
}

export function Chart({
  title,
  days,
  series,
  values,
}: {
  readonly title: string;
  /** `2026-01-31` */
  readonly days: readonly string[];
  readonly series: readonly Series[];
  /** Of each series, by day. */
  readonly values: readonly (readonly number[])[];
}) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const data: uPlot.AlignedData = [
      days.map((day) => Date.parse(day) / 1000),
      ...values.map((of) => [...of]),
    ];
    let plot: uPlot | null = null;
    const draw = () => {
      plot?.destroy();
      plot = new uPlot(optionsOf(series, element.clientWidth), data, element);
    };
    draw();
    const resize = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }));
    resize.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    return () => {
      resize.disconnect();
      scheme.removeEventListener('change', draw);
      plot?.destroy();
    };
  }, [days, series, values]);
  const sums = series.map(
    ({ label }, at) => `${label}: ${values[at]?.reduce((sum, one) => sum + one, 0) ?? 0}`,
  );
  return (
    <figure className="chart">
      <figcaption>{title}</figcaption>
      <div
        ref={frame}
        role="img"
        aria-label={`${title} by day. ${sums.join(', ')}. The table below has the days.`}
      />
    </figure>
  );
}
