/** Tabs within a page (Base UI), and links between pages that look like them. */
import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';

export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly content: ReactNode;
}

export function Tabs({
  label,
  tabs,
  selected,
  onSelect,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** Default: the first one, kept by the component. */
  readonly selected?: string;
  readonly onSelect?: (id: string) => void;
}) {
  return (
    <Base.Root
      defaultValue={tabs[0]?.id}
      {...(selected !== undefined && { value: selected })}
      onValueChange={(value) => onSelect?.(String(value))}
    >
      <Base.List className="tabs" aria-label={label} activateOnFocus>
        {tabs.map(({ id, label: text }) => (
          <Base.Tab key={id} value={id} className="tab">
            {text}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ id, content }) => (
        <Base.Panel key={id} value={id} className="tab-panel">
          {content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}

interface TabLink {
  readonly to: string;
  readonly label: string;
  /** Whether pages below are not of this tab. */
  readonly end?: boolean;
}

/** Tabs that lead to the pages of a section. */
export function TabLinks({ label, links }: { readonly label: string; readonly links: readonly TabLink[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      {links.map(({ to, label: text, end = false }) => (
        <NavLink key={to} to={to} end={end} className="tab">
          {text}
        </NavLink>
      ))}
    </nav>
  );
}
