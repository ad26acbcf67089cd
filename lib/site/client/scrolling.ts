/** Blocks that can scroll are stops of the keyboard, and those that fit are none. */
export function scrollingStops(): void {
  const blocks = document.querySelectorAll<HTMLElement>('pre, .table');
  const update = () => {
    for (const block of blocks) {
      const scrolls = block.scrollWidth > block.clientWidth || block.scrollHeight > block.clientHeight;
      if (scrolls) block.tabIndex = 0;
      else block.removeAttribute('tabindex');
    }
  };
  addEventListener('resize', update);
  document.addEventListener('docs-language', () => requestAnimationFrame(update));
  update();
}
