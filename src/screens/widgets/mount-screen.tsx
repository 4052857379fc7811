import { type ComponentType, render } from 'preact';
import { askAgainForPictures } from './ask-again.js';
import { type FirstAnswer, firstAnswer } from './use-screen.js';

/** Shows a screen in the place of its page, with the data that came with the page. */
export function mountScreen<Data>(
  id: string,
  App: ComponentType<{ readonly first: FirstAnswer<Data> }>,
): void {
  askAgainForPictures();
  const root = document.getElementById(id);
  if (root === null) return;
  // The script draws the first view again, in the width of the screen.
  root.replaceChildren();
  render(<App first={firstAnswer()} />, root);
}
