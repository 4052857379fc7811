import { render } from 'preact';
import { loadSearchSoon } from '../widgets/options.js';
import { firstAnswer } from '../widgets/use-screen.js';
import { App } from './app.js';
import './person.css';

const root = document.getElementById('person');
if (root !== null) {
  render(<App first={firstAnswer()} />, root);
  loadSearchSoon();
}
