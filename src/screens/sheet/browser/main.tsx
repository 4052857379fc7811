import { render } from 'preact';
import { controlSheet } from '../../widgets/controls-sheet.js';
import { App } from './app.js';
import './sheet.css';

const sheet = document.querySelector<HTMLDetailsElement>('.bottom-sheet');
const place = sheet?.querySelector<HTMLElement>('.bottom-sheet-content');
if (sheet != null && place != null) {
  controlSheet(sheet);
  // The controls replace the form of the page, which is for browsers without JavaScript.
  place.replaceChildren();
  document.querySelector('article.sheet')?.before(sheet);
  render(<App />, place);
}
