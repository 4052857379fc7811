import { render } from 'preact';
import { chartQuery, readView } from '../../src/core/explorer-view.js';
import type { ChartData, ChartProblem } from '../../src/pages/explorer/chart-data-types.js';
import { App } from './app.js';
import { loadSearchSoon } from './options.js';
import './explore.css';
import { cacheChartData } from './use-chart-data.js';

const root = document.getElementById('explorer');
const data = document.getElementById('initial-data')?.textContent;
if (root !== null && data != null) {
  const first = JSON.parse(data) as { data?: ChartData; problem?: ChartProblem };
  const view = readView(new URLSearchParams(location.search));
  if (first.data !== undefined) cacheChartData(chartQuery(view), first.data);
  render(<App initialView={view} initialProblem={first.problem} />, root);
  loadSearchSoon();
}
