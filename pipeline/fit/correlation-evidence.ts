import { GENDERS, type Gender } from '../../src/core/genders.js';
import { ADULT_AGE_YEARS } from '../model/axes.js';
import { COMPARED_NAMES, FAMILIES, NHANES_VARIABLE, UNLIKE } from '../model/correlation-plan.js';
import type { Survey } from '../tables/surveys.js';
import {
  type Components,
  fitComponents,
  type Observed,
  poolResidual,
  type Target,
} from './correlation-pooling.js';
import { mean } from './numbers.js';
import {
  adultResiduals,
  agedResiduals,
  memoisePairs,
  type ResidualOf,
} from './residual-correlations.js';

/** Surveys that residual correlations are taken from. */
export interface CorrelationSurveys {
  /** Person surveys of adults, each with one group a gender. */
  readonly adults: readonly Survey[];
  /** Adults who are asked only for pairs that nobody above has. */
  readonly lastResort?: readonly Survey[];
  /** Children by single years. */
  readonly children?: Survey;
  /** A population by age, whose few dimensions go before the others’ evidence. */
  readonly civilians?: Survey;
}

/** What a dimension without a pair of its own follows, and how closely. */
export interface Parent {
  readonly variable: string;
  readonly share: number;
}

/** Residual correlation of two dimensions; 0 where nothing is known. */
export type PairResidual = (a: string, b: string) => number;

/** Half widths in years of the windows about an age. */
const CHILD_WINDOW = 3.5;
const CIVILIAN_WINDOW = 12;
/** Oldest children measured; the evidence they give on adults is theirs. */
const OLDEST_CHILD = 16.5;
/** Age at which children are compared with adults. */
const MIDDLE_CHILD = 11;
/** Age of the mean of the oldest group of civilians. */
const OLDEST_CIVILIAN = 80;
/** Fewer people than this do not go before the other surveys. */
const ENOUGH_CIVILIANS = 300;

const COMPARED_PAIRS = COMPARED_NAMES.flatMap((a, i) =>
  COMPARED_NAMES.slice(i + 1).map((b) => [a, b] as const),
);

function adultsOf(surveys: readonly Survey[]): Observed[] {
  return surveys.flatMap((survey) =>
    GENDERS.flatMap((gender) => {
      const group = survey.group(gender, 'adult');
      if (group === undefined) return [];
      const residual = adultResiduals(group);
      return [{ survey: survey.name, gender, kind: 'adult' as const, residual }];
    }),
  );
}

function childrenOf({ children }: CorrelationSurveys, ageYears: number): Observed[] {
  if (children === undefined) return [];
  return GENDERS.map((gender) => {
    const residual = agedResiduals(children, gender, ageYears, CHILD_WINDOW);
    return { survey: children.name, gender, kind: 'child' as const, residual };
  });
}

/** The surveys with only what they take as the dimension is defined. */
function alike(observed: readonly Observed[]): Observed[] {
  return observed.map((from) => {
    const unlike = UNLIKE[from.survey];
    if (unlike === undefined) return from;
    const residual: ResidualOf = (a, b) =>
      unlike.has(a) || unlike.has(b) ? undefined : from.residual(a, b);
    return { ...from, residual };
  });
}

/** Residual correlations of dimensions by gender and age, pooled from surveys. */
export class CorrelationEvidence {
  readonly components: Components;
  private readonly adults: readonly Observed[];
  private readonly others: readonly Observed[];
  /** By gender, kind and age of the children: the grown share theirs. */
  private readonly pooled = new Map<string, Measured>();

  constructor(private readonly surveys: CorrelationSurveys) {
    this.adults = adultsOf(surveys.adults);
    this.others = adultsOf(surveys.lastResort ?? []);
    const compared = [...this.adults, ...childrenOf(surveys, MIDDLE_CHILD)];
    this.components = fitComponents(alike(compared), COMPARED_PAIRS);
  }

  /**
   * Residual correlations at an age.
   *
   * @param parentOf what a dimension follows where it was not measured with the other
   */
  at(
    gender: Gender,
    ageYears: number,
    parentOf: (name: string) => Parent | undefined,
  ): PairResidual {
    const grown = ageYears >= ADULT_AGE_YEARS;
    const target = { gender, kind: grown ? 'adult' : 'child' } as const;
    const pooled = this.pooledFor(target, Math.min(ageYears, OLDEST_CHILD));
    const civilians = this.civiliansAt(gender, ageYears);
    return completed((a, b) => civilians(a, b)?.rho ?? pooled(a, b), parentOf);
  }

  private pooledFor(target: Target, childYears: number): Measured {
    const key = `${target.gender}|${target.kind}|${childYears}`;
    const known = this.pooled.get(key);
    if (known !== undefined) return known;
    const children = childrenOf(this.surveys, childYears);
    const all = [...this.adults, ...this.others, ...children];
    const first = target.kind === 'child' ? [...this.adults, ...children] : this.adults;
    const tiers = [alike(first), alike(all), all];
    const pooled = memoisePairs((a, b) => {
      for (const tier of tiers) {
        const found = poolResidual(tier, this.components, target, a, b);
        if (found !== undefined) return found;
      }
      return undefined;
    });
    this.pooled.set(key, pooled);
    return pooled;
  }

  private civiliansAt(gender: Gender, ageYears: number): ResidualOf {
    const { civilians } = this.surveys;
    if (civilians === undefined) return () => undefined;
    const window = ageYears >= ADULT_AGE_YEARS ? CIVILIAN_WINDOW : CHILD_WINDOW;
    const at = Math.min(ageYears, OLDEST_CIVILIAN);
    const residual = agedResiduals(civilians, gender, at, window);
    return (a, b) => {
      const [x, y] = [NHANES_VARIABLE[a], NHANES_VARIABLE[b]];
      const found = x === undefined || y === undefined ? undefined : residual(x, y);
      return found !== undefined && found.n >= ENOUGH_CIVILIANS ? found : undefined;
    };
  }
}

type Measured = (a: string, b: string) => number | undefined;

const familyOf = (name: string) => FAMILIES.find(({ others }) => others.includes(name));

/**
 * Correlations of pairs that were never measured together: members of a family follow those of it
 * that were; else a dimension follows its parent, and what is left of it is independent of the rest
 * (the completion of greatest entropy along that chain; Dempster 1972, Biometrics 28:157).
 */
function completed(
  measured: Measured,
  parentOf: (name: string) => Parent | undefined,
): PairResidual {
  const familiar = (a: string, b: string): number | undefined => {
    const family = familyOf(a);
    if (family === undefined) return undefined;
    if (family.measured.includes(b) || family.others.includes(b)) return measured(...family.within);
    const known = family.measured.flatMap((member) => known2(member, b) ?? []);
    return known.length === 0 ? undefined : mean(known);
  };
  const known2: Measured = (a, b) => measured(a, b) ?? familiar(a, b) ?? familiar(b, a);
  const parent = (name: string): { variable: string; loading: number } | undefined => {
    const found = parentOf(name);
    if (found === undefined || found.variable === name) return undefined;
    return { variable: found.variable, loading: known2(name, found.variable) ?? found.share };
  };
  return (a, b) => {
    if (a === b) return 1;
    const known = known2(a, b);
    if (known !== undefined) return known;
    const [pa, pb] = [parent(a), parent(b)];
    const direct = (x: string, y: string) => (x === y ? 1 : known2(x, y));
    const viaA = pa && direct(pa.variable, b);
    if (pa !== undefined && viaA !== undefined) return pa.loading * viaA;
    const viaB = pb && direct(a, pb.variable);
    if (pb !== undefined && viaB !== undefined) return pb.loading * viaB;
    if (pa === undefined || pb === undefined) return 0;
    return pa.loading * pb.loading * (direct(pa.variable, pb.variable) ?? 0);
  };
}
