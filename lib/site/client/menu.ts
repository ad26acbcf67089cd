/** The navigation on narrow screens, behind a button. */
export function menu(): void {
  const button = document.querySelector<HTMLButtonElement>('button.menu');
  const navigation = document.querySelector<HTMLElement>('#navigation');
  if (!button || !navigation) return;
  document.documentElement.classList.add('scripted');
  button.hidden = false;
  const showCurrent = () => {
    const current = navigation.querySelector('[aria-current="page"]');
    if (current instanceof HTMLElement) {
      navigation.scrollTop = current.offsetTop - navigation.clientHeight / 2;
    }
  };
  const set = (isOpen: boolean) => {
    button.setAttribute('aria-expanded', String(isOpen));
    document.documentElement.classList.toggle('menu-open', isOpen);
    showCurrent();
  };
  const isOpen = () => button.getAttribute('aria-expanded') === 'true';
  button.addEventListener('click', () => set(!isOpen()));
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !isOpen()) return;
    set(false);
    button.focus();
  });
  // Leaving the menu by keyboard closes it, so that focus is never behind it.
  navigation.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && relatedTarget !== button && !navigation.contains(relatedTarget))
      set(false);
  });
  showCurrent();
}
