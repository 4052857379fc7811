import { render } from 'preact';
import type { Look, LookProblem } from '../../src/pages/explorer/look-types.js';
import { readView, viewQuery } from '../../src/pages/explorer/view.js';
import { App } from './app.js';
import './explore.css';
import { keepLook } from './use-look.js';

const root = document.getElementById('explorer');
const data = document.getElementById('first-look')?.textContent;
if (root !== null && data != null) {
  const first = JSON.parse(data) as { look?: Look; problem?: LookProblem };
  const view = readView(new URLSearchParams(location.search));
  if (first.look !== undefined) keepLook(viewQuery(view), first.look);
  render(<App firstView={view} firstProblem={first.problem} />, root);
}
