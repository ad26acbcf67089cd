/** Marks the section in view in the table of contents. */
export function currentSection(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.sections a')].map((link) => [
      link.hash.slice(1),
      link,
    ]),
  );
  const headings = [...links.keys()].flatMap((id) => document.getElementById(decodeURIComponent(id)) ?? []);
  if (headings.length === 0) return;
  let current: HTMLAnchorElement | undefined;
  const update = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 140);
    const next = links.get((passed.at(-1) ?? headings[0])?.id ?? '');
    if (next === current) return;
    current?.removeAttribute('aria-current');
    next?.setAttribute('aria-current', 'location');
    current = next;
    const list = next?.closest<HTMLElement>('.contents');
    if (next && list) list.scrollTop = next.offsetTop - list.clientHeight / 2;
  };
  let isWaiting = false;
  addEventListener(
    'scroll',
    () => {
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(() => {
        isWaiting = false;
        update();
      });
    },
    { passive: true },
  );
  update();
}
