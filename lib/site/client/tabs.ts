/** Samples in several languages as tabs ("Tabs Pattern", ARIA Authoring Practices Guide). The choice holds for all pages. */
const storageKey = 'docs-language';

export function languageTabs(): void {
  const groups = [...document.querySelectorAll<HTMLElement>('.samples')].map(tabsOf);
  const choose = (language: string) => {
    remember(language);
    for (const select of groups) select(language);
  };
  const known = remembered();
  if (known) for (const select of groups) select(known);
  document.addEventListener('docs-language', (event) => {
    if (event instanceof CustomEvent) choose(String(event.detail));
  });
}

/** Turns a group into tabs. @returns a function that selects a language, where the group has it */
function tabsOf(group: HTMLElement, at: number): (language: string) => void {
  const panels = [...group.querySelectorAll<HTMLElement>('figure[data-language]')];
  const list = document.createElement('div');
  list.className = 'tabs';
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language');
  const tabs = panels.map((panel, index) => {
    const caption = panel.querySelector('figcaption');
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.id = `tab-${at}-${index}`;
    tab.textContent = caption?.textContent ?? '';
    tab.setAttribute('role', 'tab');
    panel.id = `panel-${at}-${index}`;
    tab.setAttribute('aria-controls', panel.id);
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    caption?.remove();
    tab.addEventListener('click', () => announce(panel));
    list.append(tab);
    return tab;
  });
  const show = (index: number) => {
    for (const [other, panel] of panels.entries()) {
      panel.hidden = other !== index;
      tabs[other]?.setAttribute('aria-selected', String(other === index));
      if (tabs[other]) tabs[other].tabIndex = other === index ? 0 : -1;
    }
  };
  list.addEventListener('keydown', (event) => {
    const current = tabs.indexOf(event.target as HTMLButtonElement);
    const next = nextIndex(event.key, current, tabs.length);
    const panel = next === null ? undefined : panels[next];
    if (next === null || !panel) return;
    event.preventDefault();
    announce(panel);
    tabs[next]?.focus();
  });
  group.prepend(list);
  group.classList.add('tabbed');
  show(0);
  return (language) => {
    const index = panels.findIndex((panel) => panel.dataset.language === language);
    if (index >= 0) show(index);
  };
}

function nextIndex(key: string, current: number, count: number): number | null {
  if (key === 'ArrowRight') return (current + 1) % count;
  if (key === 'ArrowLeft') return (current + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}

function announce(panel: HTMLElement): void {
  const before = panel.parentElement?.getBoundingClientRect().top ?? 0;
  document.dispatchEvent(new CustomEvent('docs-language', { detail: panel.dataset.language }));
  // Samples above have other heights now: the one that was chosen stays where it was.
  window.scrollBy(0, (panel.parentElement?.getBoundingClientRect().top ?? 0) - before);
}

function remembered(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

function remember(language: string): void {
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // Storage is blocked: the choice holds for this page.
  }
}
