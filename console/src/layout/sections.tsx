/** The sections of the console: path, name, icon, and the code that is loaded when a section is opened. */
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { IconName } from '../kit/icon.tsx';

export interface ConsoleSection {
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  readonly Content: LazyExoticComponent<ComponentType>;
}

const loaded = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] }));

export const sections: readonly ConsoleSection[] = [
  {
    path: 'conversations',
    label: 'Conversations',
    icon: 'inbox',
    Content: loaded(() => import('../pages/conversations/section.tsx'), 'Conversations'),
  },
  {
    path: 'drafts',
    label: 'Drafts',
    icon: 'draft',
    Content: loaded(() => import('../pages/drafts/section.tsx'), 'Drafts'),
  },
  {
    path: 'domains',
    label: 'Domains',
    icon: 'globe',
    Content: loaded(() => import('../pages/domains/section.tsx'), 'Domains'),
  },
  {
    path: 'mailboxes',
    label: 'Mailboxes',
    icon: 'mailbox',
    Content: loaded(() => import('../pages/mailboxes/section.tsx'), 'Mailboxes'),
  },
  {
    path: 'webhooks',
    label: 'Webhooks',
    icon: 'webhook',
    Content: loaded(() => import('../pages/webhooks/section.tsx'), 'Webhooks'),
  },
  {
    path: 'events',
    label: 'Events',
    icon: 'list',
    Content: loaded(() => import('../pages/events/section.tsx'), 'Events'),
  },
  {
    path: 'inbound-rules',
    label: 'Inbound rules',
    icon: 'shield',
    Content: loaded(() => import('../pages/inbound-rules/section.tsx'), 'InboundRules'),
  },
  {
    path: 'suppressions',
    label: 'Suppressions',
    icon: 'block',
    Content: loaded(() => import('../pages/suppressions/section.tsx'), 'Suppressions'),
  },
  {
    path: 'pacing',
    label: 'Pacing',
    icon: 'clock',
    Content: loaded(() => import('../pages/pacing/section.tsx'), 'Pacing'),
  },
  {
    path: 'settings',
    label: 'Settings',
    icon: 'settings',
    Content: loaded(() => import('../pages/settings/section.tsx'), 'Settings'),
  },
];
