/** The search: a dialog with a combobox ("Combobox Pattern", ARIA Authoring Practices Guide). The index is loaded when it opens. */
import MiniSearch from 'minisearch';
import { type SearchEntry, type SearchHit, searchHits, searchOptions } from '../search-options.ts';

const hitsMax = 12;
/** Characters of a query; more is cut. */
const queryMax = 200;

export function search(): void {
  const button = document.querySelector<HTMLButtonElement>('button.search');
  if (!button) return;
  button.hidden = false;
  const { dialog, input, list, status } = elements();
  document.body.append(dialog);
  let index: Promise<MiniSearch<SearchEntry>> | undefined;
  let selected = -1;

  const open = () => {
    index ??= loadIndex();
    dialog.showModal();
    input.select();
  };
  const select = (at: number) => {
    const options = [...list.children];
    options[selected]?.setAttribute('aria-selected', 'false');
    selected = options.length === 0 ? -1 : (at + options.length) % options.length;
    const option = options[selected];
    option?.setAttribute('aria-selected', 'true');
    option?.scrollIntoView({ block: 'nearest' });
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
  };
  const update = async () => {
    const query = input.value.trim().slice(0, queryMax);
    try {
      const hits = query === '' ? [] : searchHits(await (index ?? loadIndex()), query, hitsMax);
      if (query !== input.value.trim().slice(0, queryMax)) return;
      list.replaceChildren(...hits.map(optionOf));
      input.setAttribute('aria-expanded', String(hits.length > 0));
      status.textContent =
        query === '' ? '' : hits.length === 0 ? `Nothing found for “${query}”.` : `${hits.length} results`;
      status.classList.toggle('hidden', hits.length > 0);
      select(0);
    } catch {
      index = undefined;
      status.textContent = 'The search index could not be loaded.';
      status.classList.remove('hidden');
    }
  };
  button.addEventListener('click', open);
  input.addEventListener('input', () => void update());
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') select(selected + 1);
    else if (event.key === 'ArrowUp') select(selected - 1);
    else if (event.key === 'Enter') (list.children[selected] as HTMLElement | undefined)?.click();
    else return;
    event.preventDefault();
  });
  // A link to the page that is open changes the anchor only.
  list.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.addEventListener('keydown', (event) => {
    if (dialog.open || event.defaultPrevented) return;
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select');
    const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping;
    if (!isSlash && !(event.key === 'k' && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    open();
  });
}

function elements() {
  const dialog = document.createElement('dialog');
  dialog.className = 'search-dialog';
  dialog.setAttribute('aria-label', 'Search');
  const input = document.createElement('input');
  // Not `search`: there, Escape clears the text first and leaves the dialog open.
  input.type = 'text';
  input.placeholder = 'Search the documentation';
  for (const [name, value] of Object.entries({
    'aria-label': 'Search the documentation',
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-controls': 'search-hits',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    enterkeyhint: 'search',
    spellcheck: 'false',
    maxlength: String(queryMax),
  })) {
    input.setAttribute(name, value);
  }
  const list = document.createElement('div');
  list.id = 'search-hits';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Results');
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = 'Close';
  close.addEventListener('click', () => dialog.close());
  const row = document.createElement('div');
  row.className = 'search-row';
  row.append(input, close);
  dialog.append(row, status, list);
  return { dialog, input, list, status };
}

async function loadIndex(): Promise<MiniSearch<SearchEntry>> {
  const response = await fetch(document.body.dataset.searchIndex ?? '');
  if (!response.ok) throw new Error(`the search index answered ${response.status}`);
  return MiniSearch.loadJSON<SearchEntry>(await response.text(), searchOptions);
}

/** A link is an option itself: an option may contain no link. */
function optionOf({ url, title, heading, kicker }: SearchHit, at: number): HTMLAnchorElement {
  const option = document.createElement('a');
  option.id = `search-hit-${at}`;
  option.href = url;
  option.tabIndex = -1;
  option.setAttribute('role', 'option');
  option.setAttribute('aria-selected', 'false');
  const name = document.createElement('strong');
  name.textContent = heading || title;
  const page = document.createElement('span');
  page.textContent = heading ? title : kicker;
  option.append(name, page);
  return option;
}
