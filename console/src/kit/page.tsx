/** The frame of a page: title, what can be done, content. */
import type { ReactNode } from 'react';
import { brand } from '../api/parley.ts';
import { classes } from './classes.ts';

export function Page({
  title,
  lead,
  actions,
  back,
  isWide,
  children,
}: {
  readonly title: string;
  /** One sentence. */
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  /** Link to the list that the page is of. */
  readonly back?: ReactNode;
  /** Without a limit of width. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={classes('page', isWide && 'wide')}>
      <title>{`${title} · ${brand}`}</title>
      <header className="page-header">
        <div>
          {back && <div className="back">{back}</div>}
          <h1 title={title}>{title}</h1>
          {lead && <p className="soft">{lead}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A part of a page with a heading. */
export function Section({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="section">
      <header>
        <h2>{title}</h2>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

/** Names and values. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
