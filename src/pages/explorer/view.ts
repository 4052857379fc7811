/** What can be looked at. */
export const VIEW_KINDS = ['distribution', 'ages', 'connected'] as const;

/** One of the kinds of views. */
export type ViewKind = (typeof VIEW_KINDS)[number];

/**
 * One view of the explorer, as its address says it. Names and numbers are unchecked: the validator
 * of the operation that answers has the last word. A number that cannot be read is NaN.
 */
export interface View {
  readonly kind: ViewKind;
  readonly measurement: string;
  readonly gender: string;
  readonly age: number;
  /** The first is the one the exact point is of; the others are compared with it. */
  readonly countries: readonly string[];
  readonly clothing: string;
  readonly posture: string;
  readonly unit: string;
  readonly percentile: number;
  /** When given, the percentile of this length is looked up and `percentile` does not count. */
  readonly value?: number | undefined;
  /** The second dimension of a connected range. */
  readonly linked: string;
  /** Share of people the connected range covers, in percent. */
  readonly cover: number;
}

/** The view of an address without parameters. */
export const FIRST_VIEW: View = {
  kind: 'distribution',
  measurement: 'Stature',
  gender: 'Female',
  age: 30,
  countries: ['US'],
  clothing: 'nude',
  posture: 'standing_erect',
  unit: 'mm',
  percentile: 50,
  linked: 'SittingHeight',
  cover: 90,
};

/** Reads a view from the parameters of an address; unknown ones do not count. */
export function readView(params: URLSearchParams): View {
  const text = (name: string, fallback: string) => params.get(name) ?? fallback;
  const number = (name: string, fallback: number) => {
    const given = params.get(name)?.trim();
    if (given === undefined) return fallback;
    return given === '' ? Number.NaN : Number(given);
  };
  const kind = VIEW_KINDS.find((name) => name === params.get('view')) ?? FIRST_VIEW.kind;
  const countries = params.getAll('country').flatMap((list) => list.split(','));
  const measurement = text('measurement', FIRST_VIEW.measurement);
  return {
    kind,
    measurement,
    gender: text('gender', FIRST_VIEW.gender),
    age: number('age', FIRST_VIEW.age),
    countries: countries.length === 0 ? FIRST_VIEW.countries : countries,
    clothing: text('clothing', FIRST_VIEW.clothing),
    posture: text('posture', FIRST_VIEW.posture),
    unit: text('unit', FIRST_VIEW.unit),
    percentile: number('percentile', FIRST_VIEW.percentile),
    value: params.has('value') ? number('value', 0) : undefined,
    linked: text('linked', measurement === FIRST_VIEW.linked ? 'Stature' : FIRST_VIEW.linked),
    cover: number('cover', FIRST_VIEW.cover),
  };
}

/** The one query text of a view: what is as at first, or does not count, is left out. */
export function viewQuery(view: View): string {
  const words: string[] = [];
  const add = (name: string, value: string | number, first?: string | number) => {
    if (value !== first) words.push(`${name}=${encodeURIComponent(value)}`);
  };
  add('view', view.kind, FIRST_VIEW.kind);
  add('measurement', view.measurement);
  if (view.kind === 'connected') {
    add('linked', view.linked);
    add('cover', view.cover, FIRST_VIEW.cover);
  }
  add('gender', view.gender);
  add('age', view.age);
  words.push(`country=${view.countries.map(encodeURIComponent).join(',')}`);
  add('clothing', view.clothing, FIRST_VIEW.clothing);
  add('posture', view.posture, FIRST_VIEW.posture);
  add('unit', view.unit, FIRST_VIEW.unit);
  if (view.kind === 'distribution' && view.value !== undefined) add('value', view.value);
  else add('percentile', view.percentile);
  return words.join('&');
}
