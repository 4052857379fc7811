/** The kinds of views that the explorer offers. */
export const VIEW_KINDS = ['distribution', 'ages', 'connected'] as const;

/** One kind of view. */
export type ViewKind = (typeof VIEW_KINDS)[number];

/**
 * One view of the explorer, as read from its address. The browser and the server share this type.
 * Names and numbers are unchecked: the validator of the operation checks them. A number that cannot
 * be parsed is NaN.
 */
export interface View {
  readonly kind: ViewKind;
  readonly measurement: string;
  readonly gender: string;
  readonly age: number;
  /** The exact point belongs to the first country; the others are compared with it. */
  readonly countries: readonly string[];
  readonly clothing: string;
  readonly posture: string;
  readonly unit: string;
  readonly percentile: number;
  /** When given, the percentile of this length is looked up and `percentile` is ignored. */
  readonly value?: number | undefined;
  /** The second dimension of a connected range. */
  readonly linked: string;
  /** Share of people the connected range covers, in percent. */
  readonly cover: number;
}

/** The view of an address without parameters. */
export const DEFAULT_VIEW: View = {
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

/** Reads a view from the parameters of an address; unknown parameters are ignored. */
export function readView(params: URLSearchParams): View {
  const text = (name: string, fallback: string) => params.get(name) ?? fallback;
  const number = (name: string, fallback: number) => {
    const given = params.get(name)?.trim();
    if (given === undefined) return fallback;
    return given === '' ? Number.NaN : Number(given);
  };
  const kind = VIEW_KINDS.find((name) => name === params.get('view')) ?? DEFAULT_VIEW.kind;
  const countries = params.getAll('country').flatMap((list) => list.split(','));
  const measurement = text('measurement', DEFAULT_VIEW.measurement);
  return {
    kind,
    measurement,
    gender: text('gender', DEFAULT_VIEW.gender),
    age: number('age', DEFAULT_VIEW.age),
    countries: countries.length === 0 ? DEFAULT_VIEW.countries : countries,
    clothing: text('clothing', DEFAULT_VIEW.clothing),
    posture: text('posture', DEFAULT_VIEW.posture),
    unit: text('unit', DEFAULT_VIEW.unit),
    percentile: number('percentile', DEFAULT_VIEW.percentile),
    value: params.has('value') ? number('value', 0) : undefined,
    linked: text('linked', measurement === DEFAULT_VIEW.linked ? 'Stature' : DEFAULT_VIEW.linked),
    cover: number('cover', DEFAULT_VIEW.cover),
  };
}

/** The canonical query of a view, without defaults and without values that the kind ignores. */
export function viewQuery(view: View): string {
  const words: string[] = [];
  const add = (name: string, value: string | number, first?: string | number) => {
    if (value !== first) words.push(`${name}=${encodeURIComponent(value)}`);
  };
  add('view', view.kind, DEFAULT_VIEW.kind);
  add('measurement', view.measurement);
  if (view.kind === 'connected') {
    add('linked', view.linked);
    add('cover', view.cover, DEFAULT_VIEW.cover);
  }
  add('gender', view.gender);
  add('age', view.age);
  words.push(`country=${view.countries.map(encodeURIComponent).join(',')}`);
  add('clothing', view.clothing, DEFAULT_VIEW.clothing);
  add('posture', view.posture, DEFAULT_VIEW.posture);
  add('unit', view.unit, DEFAULT_VIEW.unit);
  if (view.kind === 'distribution' && view.value !== undefined) add('value', view.value);
  else add('percentile', view.percentile);
  return words.join('&');
}
