import { render } from 'preact';
import { loadSearchSoon } from '../widgets/options.js';
import { firstAnswer } from '../widgets/use-screen.js';
import { App } from './app.js';
import './body.css';

const root = document.getElementById('body-screen');
if (root !== null) {
  // The server's picture has a fixed width. The script draws the picture again in its place.
  root.replaceChildren();
  render(<App first={firstAnswer()} />, root);
  loadSearchSoon();
}
