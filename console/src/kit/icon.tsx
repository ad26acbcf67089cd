/** Line icons of 16 by 16, without a library. */
const paths = {
  inbox: 'M2 9l2-6h8l2 6v4H2V9zm0 0h3.5l1 2h3l1-2H14',
  draft: 'M3 13l.7-3L11 2.7l2.3 2.3L6 12.3 3 13zm6.5-8.8l2.3 2.3',
  globe: 'M8 2a6 6 0 100 12A6 6 0 008 2zM2 8h12M8 2c4 4 4 8 0 12M8 2C4 6 4 10 8 14',
  mailbox: 'M2 4h12v8H2V4zm0 .5l6 4.5 6-4.5',
  webhook:
    'M5 11a2.5 2.5 0 11-2-3.9M5 11h5.5M8 4.500a2.500 2.500 0 113 3.500M8 6L5.500 10.500M11 8.500a2.500 2.500 0 11-1 4.500',
  list: 'M2.500 4h11M2.500 8h11M2.500 12h7',
  block: 'M8 2a6 6 0 100 12A6 6 0 008 2zM3.800 3.800l8.400 8.400',
  shield: 'M8 2l5 2v3.500c0 3-2 5.200-5 6.500-3-1.300-5-3.500-5-6.500V4l5-2z',
  clock: 'M8 2a6 6 0 100 12A6 6 0 008 2zM8 4.500V8l2.500 1.500',
  settings: 'M2 5h7M12 5h2M2 11h2M7 11h7M10.500 3.500v3M5.500 9.500v3',
  menu: 'M2.500 4.500h11M2.500 8h11M2.500 11.500h11',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M6 6h7v7H6V6zM10 6V3H3v7h3',
  check: 'M3 8.500l3.500 3.500L13 4.500',
  more: 'M3.500 8h.01M8 8h.01M12.500 8h.01',
  file: 'M4 2h5l3 3v9H4V2zm5 0v3h3',
  reply: 'M6 4L2.500 7.500 6 11M2.500 7.500H9c3 0 4.500 1.500 4.500 5',
  forward: 'M10 4l3.500 3.500L10 11M13.500 7.500H7c-3 0-4.500 1.500-4.500 5',
  search: 'M7 2.500a4.500 4.500 0 100 9 4.500 4.500 0 000-9zM10.300 10.300L14 14',
  back: 'M9.500 3.500L5 8l4.500 4.500',
  out: 'M6 3H3v10h3M7 8h7M11 5l3 3-3 3',
  alert: 'M8 2.500L14 13H2L8 2.500zM8 6.500v3M8 11.300v.01',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
