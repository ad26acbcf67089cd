/** A button that copies a block of code. */
export function copyButtons(): void {
  for (const figure of document.querySelectorAll('figure.code')) {
    const code = figure.querySelector('code');
    if (!code) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-live', 'polite');
    button.addEventListener('click', () => void copy(button, code.textContent ?? ''));
    figure.append(button);
  }
}

async function copy(button: HTMLButtonElement, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    // The browser refused, as on plain http: the reader copies by hand.
    button.textContent = 'Not allowed';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2000);
}
