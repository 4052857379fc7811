import { render } from 'preact';
import { firstAnswer } from '../populations/use-screen.js';
import { App } from './app.js';
import { loadSearchSoon } from './options.js';
import './explore.css';

const root = document.getElementById('explorer');
if (root !== null) {
  render(<App first={firstAnswer()} />, root);
  loadSearchSoon();
}
