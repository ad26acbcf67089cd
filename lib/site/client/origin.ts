/** Pages are built before their host is known: the example host is replaced by the one that serves the page. */
const example = 'https://api.example.com';

export function showOrigin(): void {
  for (const element of document.querySelectorAll('[data-origin], pre code')) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeValue?.includes(example)) {
        node.nodeValue = node.nodeValue.replaceAll(example, location.origin);
      }
    }
  }
}
