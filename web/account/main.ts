import { exampleKey } from '../../src/screens/widgets/example-key.js';
import { connectDownloads, connectWayBack } from './downloads.js';
import { connectKeyChoice, showKeptKey } from './key-choice.js';

// A sign-out leads to the sign-in page. There, this call removes the key of the examples.
exampleKey();
connectCopyButtons();
connectKeyChoice();
showKeptKey();
connectDownloads();
connectWayBack();

/** Shows and connects the copy buttons of account pages. */
function connectCopyButtons(): void {
  // Browsers offer the clipboard only on secure origins. Elsewhere, the copy buttons stay hidden.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    const text = document.getElementById(button.dataset.copy ?? '')?.textContent ?? '';
    const said = button.nextElementSibling as HTMLElement | null;
    button.hidden = clipboard === undefined;
    button.addEventListener('click', async () => {
      await clipboard?.writeText(text);
      if (said !== null) said.hidden = false;
    });
  }
}
