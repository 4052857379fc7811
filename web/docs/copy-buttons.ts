const COPIED_MS = 2000;

/** Adds a copy button to every block of code. It copies the text that the block shows. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLPreElement>('pre.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.textContent ?? '');
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, COPIED_MS);
    });
    const frame = document.createElement('div');
    frame.className = 'code-frame';
    block.before(frame);
    frame.append(block, button);
  }
}
