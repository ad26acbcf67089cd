/** The frame of all pages: the name, the pages, whether the run answers. */

import { useEffect, useRef } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { brand } from '../api/parley.ts';
import { useLive } from './live.ts';

const pages = [
  { to: '/', label: 'Mail' },
  { to: '/webhooks', label: 'Webhooks' },
  { to: '/panel', label: 'Panel' },
];

export function Shell() {
  const isLive = useLive();
  const { pathname } = useLocation();
  const isMail = pathname === '/' || pathname.startsWith('/people') || pathname === '/write';
  return (
    <div className="local">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="local-top">
        <span className="local-brand">{brand}</span>
        <nav aria-label="Local run">
          {pages.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              aria-current={(to === '/' ? isMail : pathname === to) ? 'page' : undefined}
            >
              {label}
            </Link>
          ))}
          <a href="/console">Console</a>
          <a href="/docs">Docs</a>
        </nav>
        <span className="local-live" role="status">
          {isLive ? '' : 'The local run has stopped: start it again with npm start.'}
        </span>
      </header>
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

/** Calls back when the visible end of a list is reached. */
export function useEndReached(onReached: () => void) {
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(onReached);
  latest.current = onReached;
  useEffect(() => {
    const element = end.current;
    if (!element) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return end;
}
