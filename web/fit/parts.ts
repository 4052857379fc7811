import type { FitView } from '../../src/core/fit-view.js';
import type { FitData } from '../../src/pages/explorer/fit-data-types.js';
import type { ShownUnit } from '../populations/lengths.js';

/** What the parts of the Fit screen share. */
export interface FitParts {
  readonly view: FitView;
  readonly unit: ShownUnit;
  readonly data: FitData | undefined;
  readonly choose: (change: Partial<FitView>) => void;
  readonly slide: (change: Partial<FitView>) => void;
  readonly hold: (held: boolean) => void;
}
