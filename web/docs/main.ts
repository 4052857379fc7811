import {
  exampleKey,
  forgetExampleKey,
  startOf,
  withKey,
} from '../../src/screens/widgets/example-key.js';

showOwnKey();
addCopyButtons();
askAgain();

/** Asks a few times again for pictures of scenes that a busy service refused. */
function askAgain(): void {
  for (const picture of document.querySelectorAll<HTMLImageElement>('img[src*="/scene.svg"]')) {
    const { src } = picture;
    let left = 6;
    const again = (): void => {
      if (left-- > 0) {
        setTimeout(() => {
          picture.src = src;
        }, 5_000);
      }
    };
    picture.addEventListener('error', again);
    if (picture.complete && picture.naturalWidth === 0) again();
  }
}

/** Shows the reader's test key in the examples of the page, with a notice. */
function showOwnKey(): void {
  const key = exampleKey();
  if (key === undefined) return;
  const undo: (() => void)[] = [];
  for (const block of document.querySelectorAll('pre.code')) {
    const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const node = text;
      const before = node.nodeValue ?? '';
      const after = withKey(before, key);
      if (after === before) continue;
      node.nodeValue = after;
      undo.push(() => {
        node.nodeValue = before;
      });
    }
  }
  if (undo.length > 0) document.querySelector('.docs-text h1')?.after(notice(key, undo));
}

/** A notice that says whose key the examples show. Its button puts the placeholder back. */
function notice(key: string, undo: readonly (() => void)[]): HTMLElement {
  const text = document.createElement('p');
  text.className = 'notice own-key';
  text.setAttribute('role', 'status');
  const start = document.createElement('code');
  start.textContent = `${startOf(key)}…`;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Forget it';
  button.addEventListener('click', () => {
    forgetExampleKey();
    for (const step of undo) step();
    text.textContent = 'This browser has forgotten the key. The examples show <API_KEY> again.';
  });
  text.append('Your test key ', start, ' is in the examples on this page. ', button);
  return text;
}

const COPIED_MS = 2000;

/** Adds a copy button to every block of code. The button copies the text that the block shows. */
function addCopyButtons(): void {
  // Browsers offer the clipboard on secure origins only.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard === undefined) return;
  for (const block of document.querySelectorAll<HTMLPreElement>('pre.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await clipboard.writeText(block.textContent ?? '');
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
