import { render } from 'preact';
import { loadSearchSoon } from '../widgets/options.js';
import { firstAnswer } from '../widgets/use-screen.js';
import { App } from './app.js';
import './sizes.css';

const root = document.getElementById('sizes');
if (root !== null) {
  render(<App first={firstAnswer()} />, root);
  loadSearchSoon();
}
