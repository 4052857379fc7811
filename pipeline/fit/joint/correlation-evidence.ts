import { GENDERS, type Gender } from '../../../src/core/genders.js';
import { mean, memoisePairs } from '../../numerics/numbers.js';
import { ADULT_AGE_YEARS } from '../../plans/axes.js';
import {
  COMPARED_NAMES,
  DIFFERENT_DEFINITIONS,
  FAMILIES,
  NHANES_VARIABLE,
} from '../../plans/correlation-plan.js';
import type { Survey } from '../../raw-tables/surveys.js';
import {
  type Components,
  fitComponents,
  type Observed,
  poolResidual,
  type Target,
} from './correlation-pooling.js';
import { adultResiduals, agedResiduals, type ResidualOf } from './residual-correlations.js';

/** Surveys from which residual correlations are taken. */
export interface CorrelationSurveys {
  /** Person surveys of adults, each with one group per gender. */
  readonly adults: readonly Survey[];
  /** Surveys of adults that are used only for pairs that no survey in `adults` has. */
  readonly lastResort?: readonly Survey[];
  /** Children by single years. */
  readonly children?: Survey;
  /** NHANES, by age. It takes precedence over the other surveys for its few dimensions. */
  readonly nhanes?: Survey;
}

/** The variable that a dimension follows in pairs that no survey measured. */
export interface Parent {
  readonly variable: string;
  /** Correlation of the two residuals if no survey measured both. */
  readonly share: number;
}

/** Residual correlation of two dimensions; 0 where nothing is known. */
export type PairResidual = (a: string, b: string) => number;

/** Half widths in years of the windows around an age. */
const CHILD_WINDOW = 3.5;
const NHANES_ADULT_WINDOW = 12;
/** Age of the oldest children measured. Evidence at this age also serves at higher ages. */
const OLDEST_CHILD = 16.5;
/** Age at which children are compared with adults to find how far the two differ. */
const MIDDLE_CHILD = 11;
/** Oldest age at which NHANES is read; its oldest group is 80 and over. */
const OLDEST_IN_NHANES = 80;
/** NHANES does not take precedence over the other surveys if it has fewer people than this. */
const ENOUGH_IN_NHANES = 300;

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

/** Removes from each survey the variables that it defines differently. */
function withSameDefinitions(observed: readonly Observed[]): Observed[] {
  return observed.map((from) => {
    const different = DIFFERENT_DEFINITIONS[from.survey];
    if (different === undefined) return from;
    const residual: ResidualOf = (a, b) =>
      different.has(a) || different.has(b) ? undefined : from.residual(a, b);
    return { ...from, residual };
  });
}

/** Residual correlations of dimensions by gender and age, pooled from surveys. */
export class CorrelationEvidence {
  readonly components: Components;
  private readonly adults: readonly Observed[];
  private readonly others: readonly Observed[];
  /** Pooled correlations by gender, kind and age of the children. Adults of all ages share one entry. */
  private readonly pooled = new Map<string, Measured>();

  constructor(private readonly surveys: CorrelationSurveys) {
    this.adults = adultsOf(surveys.adults);
    this.others = adultsOf(surveys.lastResort ?? []);
    const compared = [...this.adults, ...childrenOf(surveys, MIDDLE_CHILD)];
    this.components = fitComponents(withSameDefinitions(compared), COMPARED_PAIRS);
  }

  /**
   * Residual correlations at an age.
   *
   * @param parentOf the variable that a dimension follows in pairs that no survey measured
   */
  at(
    gender: Gender,
    ageYears: number,
    parentOf: (name: string) => Parent | undefined,
  ): PairResidual {
    const grown = ageYears >= ADULT_AGE_YEARS;
    const target = { gender, kind: grown ? 'adult' : 'child' } as const;
    const pooled = this.pooledFor(target, Math.min(ageYears, OLDEST_CHILD));
    const nhanes = this.nhanesAt(gender, ageYears);
    return completed((a, b) => nhanes(a, b)?.rho ?? pooled(a, b), parentOf);
  }

  private pooledFor(target: Target, childYears: number): Measured {
    const key = `${target.gender}|${target.kind}|${childYears}`;
    const known = this.pooled.get(key);
    if (known !== undefined) return known;
    const children = childrenOf(this.surveys, childYears);
    const all = [...this.adults, ...this.others, ...children];
    const first = target.kind === 'child' ? [...this.adults, ...children] : this.adults;
    const tiers = [withSameDefinitions(first), withSameDefinitions(all), all];
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

  private nhanesAt(gender: Gender, ageYears: number): ResidualOf {
    const { nhanes } = this.surveys;
    if (nhanes === undefined) return () => undefined;
    const window = ageYears >= ADULT_AGE_YEARS ? NHANES_ADULT_WINDOW : CHILD_WINDOW;
    const at = Math.min(ageYears, OLDEST_IN_NHANES);
    const residual = agedResiduals(nhanes, gender, at, window);
    return (a, b) => {
      const [x, y] = [NHANES_VARIABLE[a], NHANES_VARIABLE[b]];
      const found = x === undefined || y === undefined ? undefined : residual(x, y);
      return found !== undefined && found.n >= ENOUGH_IN_NHANES ? found : undefined;
    };
  }
}

type Measured = (a: string, b: string) => number | undefined;

const familyOf = (name: string) => FAMILIES.find(({ others }) => others.includes(name));

/**
 * Correlations of all pairs, including those that were never measured together. Members of a family follow
 * its measured members. Other dimensions follow their parent. The rest of their residual is independent of
 * all others. This is the completion of greatest entropy along that chain (Dempster 1972, Biometrics
 * 28:157).
 */
function completed(
  measured: Measured,
  parentOf: (name: string) => Parent | undefined,
): PairResidual {
  const familiar = (a: string, b: string): number | undefined => {
    const family = familyOf(a);
    if (family === undefined) return undefined;
    if (family.measured.includes(b) || family.others.includes(b)) return measured(...family.within);
    const known = family.measured.flatMap((member) => knownPair(member, b) ?? []);
    return known.length === 0 ? undefined : mean(known);
  };
  const knownPair: Measured = (a, b) => measured(a, b) ?? familiar(a, b) ?? familiar(b, a);
  const parent = (name: string): { variable: string; loading: number } | undefined => {
    const found = parentOf(name);
    if (found === undefined || found.variable === name) return undefined;
    return { variable: found.variable, loading: knownPair(name, found.variable) ?? found.share };
  };
  return (a, b) => {
    if (a === b) return 1;
    const known = knownPair(a, b);
    if (known !== undefined) return known;
    const [pa, pb] = [parent(a), parent(b)];
    const direct = (x: string, y: string) => (x === y ? 1 : knownPair(x, y));
    const viaA = pa && direct(pa.variable, b);
    if (pa !== undefined && viaA !== undefined) return pa.loading * viaA;
    const viaB = pb && direct(a, pb.variable);
    if (pb !== undefined && viaB !== undefined) return pb.loading * viaB;
    if (pa === undefined || pb === undefined) return 0;
    return pa.loading * pb.loading * (direct(pa.variable, pb.variable) ?? 0);
  };
}
