import type { ShownUnit } from '../../widgets/lengths.js';
import type { FitView } from '../address.js';
import type { FitData } from '../data-types.js';

/** Properties that the parts of the Fit screen share. */
export interface FitParts {
  /** The view of the address. It lacks the sizes that are proposed. */
  readonly asked: FitView;
  /** The view with all its sizes. */
  readonly view: FitView;
  readonly unit: ShownUnit;
  readonly data: FitData | undefined;
  readonly choose: (change: Partial<FitView>) => void;
  readonly slide: (change: Partial<FitView>) => void;
  readonly hold: (held: boolean) => void;
  /** Whether the data is of an earlier view. */
  readonly stale: boolean;
  /** Whether the pictures show other people or another product than the view, or sizes proposed for them. */
  readonly isOld: boolean;
}
