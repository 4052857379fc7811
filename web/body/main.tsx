import { render } from 'preact';
import { loadSearch } from '../explore/options.js';
import { firstAnswer } from '../populations/use-screen.js';
import { App } from './app.js';
import './body.css';

/** When the search is fetched: after what is seen first, and before someone types. */
const SEARCH_DELAY_MS = 500;

const root = document.getElementById('body-screen');
if (root !== null) {
  // The server's picture has a fixed width. The script draws it again in the same place.
  root.replaceChildren();
  render(<App first={firstAnswer()} />, root);
  setTimeout(() => loadSearch().catch(() => undefined), SEARCH_DELAY_MS);
}
