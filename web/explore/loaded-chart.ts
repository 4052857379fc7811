import type { View } from '../../src/core/explorer-view.js';
import type { ChartData } from '../../src/pages/explorer/chart-data-types.js';

/** Chart data and the view it belongs to. */
export interface LoadedChart {
  readonly data: ChartData;
  readonly view: View;
}
