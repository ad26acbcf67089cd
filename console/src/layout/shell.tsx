/** The frame of the console: navigation, who is signed in, the open section. */
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { Navigate, NavLink, Route, Routes, useLocation } from 'react-router';
import { brand } from '../api/parley.ts';
import { forgetSession, signOut, useSession } from '../api/session.ts';
import { IconButton } from '../kit/button.tsx';
import { Icon } from '../kit/icon.tsx';
import { Page } from '../kit/page.tsx';
import { Loading } from '../kit/progress.tsx';
import { showToast } from '../kit/toast.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { sections } from './sections.tsx';

export function Shell() {
  const [isMenuOpen, setMenuOpen] = useState(false);
  const { pathname } = useLocation();
  // Closes with each navigation.
  useEffect(() => setMenuOpen(false), [pathname]);
  return (
    <div className={isMenuOpen ? 'shell menu-open' : 'shell'}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="topbar">
        <IconButton
          label="Menu"
          aria-expanded={isMenuOpen}
          aria-controls="navigation"
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          <Icon name={isMenuOpen ? 'close' : 'menu'} />
        </IconButton>
        <span className="brand">{brand}</span>
      </header>
      <aside className="sidebar" id="navigation" aria-label="Workspace">
        <Workspace />
        <nav aria-label="Console">
          <ul>
            {sections.map(({ path, label, icon }) => (
              <li key={path}>
                <NavLink to={`/${path}`}>
                  <Icon name={icon} />
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <SignedIn />
      </aside>
      <main id="main" tabIndex={-1}>
        <ErrorBoundary key={pathname.split('/')[1]}>
          <Suspense fallback={<Loading />}>
            <Routes>
              <Route index element={<Navigate to="/conversations" replace />} />
              {sections.map(({ path, Content }) => (
                <Route key={path} path={`${path}/*`} element={<Content />} />
              ))}
              <Route path="enter" element={<Navigate to="/conversations" replace />} />
              <Route
                path="*"
                element={<Page title="No such page">Choose a section in the navigation.</Page>}
              />
            </Routes>
          </Suspense>
        </ErrorBoundary>
      </main>
    </div>
  );
}

function Workspace() {
  const { workspace } = useSession();
  return (
    <div className="workspace">
      <span className="mark" aria-hidden="true">
        {workspace.name.slice(0, 1).toUpperCase()}
      </span>
      <span className="workspace-name">{workspace.name}</span>
    </div>
  );
}

function SignedIn() {
  const { email, role } = useSession();
  const client = useQueryClient();
  const leave = () =>
    signOut({ everywhere: false }).then(
      () => forgetSession(client),
      () => showToast('Signing out failed. Try again.'),
    );
  return (
    <div className="signed-in">
      <div>
        <span className="signed-in-email" title={email}>
          {email}
        </span>
        <span className="soft">{role}</span>
      </div>
      <IconButton label="Sign out" onClick={() => void leave()}>
        <Icon name="out" />
      </IconButton>
    </div>
  );
}
