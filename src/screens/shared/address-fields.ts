import { withPoint } from '../../core/typed-values.js';

/** Tells the visitor, in a sentence, which part of an address the page cannot show. */
export type Say = (notice: string) => void;

// Only this file and dimension-fields.ts decode and encode the queries of the screens' addresses.

/** Reads and writes one part of a view. */
export interface Field<Value> {
  /** Reads the part from an address. If the page cannot show it, returns the default and calls `say`. */
  read(params: URLSearchParams, say: Say): Value;
  /** The encoded parameters of the part, such as `unit=cm`; empty for the default. */
  write(value: Value): readonly string[];
}

/** The fields of a view, in the order of the address. */
export type Fields<View> = { readonly [Name in keyof View]-?: Field<View[Name]> };

/** The view that fields read and write. Names and numbers from an address are not checked yet. */
export type ViewOf<All> = {
  readonly [Name in keyof All]: All[Name] extends Field<infer Value> ? Value : never;
};

/** How a page reads and writes its address. */
export interface ReadableAddress<View> {
  readonly path: string;
  /** The view of a query. Missing parameters have their defaults. */
  read(query: string, say?: Say): View;
  /** The canonical query, in a fixed order and without defaults. */
  query(view: View): string;
}

/** The address of a screen. */
export interface ScreenAddress<View> extends ReadableAddress<View> {
  /** The part of the query that decides the data. If absent, the whole query decides. */
  dataQuery?(view: View): string;
  title(view: View): string;
  /** Whether a view shows a visitor's own person, so that only the visitor's browser may keep it. By default, none does. */
  isOwn?(view: View): boolean;
}

interface AddressParts<View> extends Pick<ScreenAddress<View>, 'path' | 'title' | 'isOwn'> {
  readonly fields: Fields<View>;
  /** Fields that change only how the data are drawn. */
  readonly drawn?: readonly (keyof View)[];
}

/** The address of a screen whose views have the same fields, each with its own parameters. */
export function screenAddress<View>({ fields, drawn, ...more }: AddressParts<View>) {
  const read = (query: string, say: Say = UNSAID): View => readFields(fields, query, say);
  const query = (view: View, ignored?: readonly (keyof View)[]): string =>
    writeFields(fields, view, ignored);
  return { ...more, read, query, dataQuery: (view: View) => query(view, drawn) };
}

/** The address of a view: the path of its screen and its query. */
export function addressOf<View>(
  { path, query }: Pick<ReadableAddress<View>, 'path' | 'query'>,
  view: View,
): string {
  const written = query(view);
  return written === '' ? path : `${path}?${written}`;
}

/** The view of a query. The query is the text after the question mark of an address. */
export function readFields<View>(fields: Fields<View>, query: string, say: Say): View {
  const params = new URLSearchParams(query);
  const entries = Object.entries<Field<unknown>>(fields);
  return Object.fromEntries(
    entries.map(([name, field]) => [name, field.read(params, say)]),
  ) as View;
}

/** Parts of a query as one query. Empty parts leave nothing. */
export function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('&');
}

/** A view of which a file is asked. */
export interface AskedFile<View, Format> {
  readonly view: View;
  readonly format: Format;
}

/** The address of a page that downloads a view as a file: the query of the view, and the format. The first is the default. */
export function formatAddress<View, Format extends string>(
  path: string,
  { read, query }: Pick<ReadableAddress<View>, 'read' | 'query'>,
  formats: readonly [Format, ...Format[]],
): ReadableAddress<AskedFile<View, Format>> {
  const field = choice<Format>('format', 'format', formats, formats[0]);
  return {
    path,
    read: (text) => ({ view: read(text), format: readField(field, text) }),
    query: ({ view, format }) => joined(query(view), ...field.write(format)),
  };
}

/** Reads one part of a view from a query. For an empty query, returns the default. */
export function readField<Value>(field: Field<Value>, query = '', say: Say = UNSAID): Value {
  return field.read(new URLSearchParams(query), say);
}

/** The query of a view, which `readFields` can read. Fields that the view ignores are left out. */
export function writeFields<View>(
  fields: Fields<View>,
  view: View,
  ignored: readonly (keyof View)[] = [],
): string {
  return (Object.keys(fields) as (keyof View)[])
    .filter((name) => !ignored.includes(name))
    .flatMap((name) => fields[name].write(view[name]))
    .join('&');
}

/** Drops notices, for callers that show none. */
export const UNSAID: Say = () => undefined;

/** One parameter of a query. */
export function parameter(param: string, text: string | number): string {
  // Commas separate the names in lists. They are not encoded, so addresses are easier to read.
  return `${param}=${encodeURIComponent(text).replaceAll('%2C', ',')}`;
}

/** The first characters of a text. An address cannot contain half of an emoji. */
export function shortened(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}

/**
 * A name from a list. Any other name gives the default.
 *
 * @param meant the name that another text stands for, such as a former id
 */
export function choice<Name extends string>(
  param: string,
  what: string,
  names: readonly Name[],
  otherwise: Name,
  meant?: (text: string) => Name | undefined,
): Field<Name>;
export function choice<Name extends string>(
  param: string,
  what: string,
  names: readonly Name[],
): Field<Name | undefined>;
export function choice(
  param: string,
  what: string,
  names: readonly string[],
  otherwise?: string,
  meant?: (text: string) => string | undefined,
): Field<string | undefined> {
  return {
    read(params, say) {
      const given = params.get(param);
      if (given === null || given === '') return otherwise;
      const found = names.find((name) => name === given) ?? meant?.(given);
      if (found === undefined) {
        const instead = otherwise === undefined ? 'none' : otherwise.replaceAll('_', ' ');
        say(
          `The address asks for the ${what} “${given}”, which is not known. Shown is: ${instead}.`,
        );
      }
      return found ?? otherwise;
    },
    write: (value) => unless(param, value, otherwise),
  };
}

/** A yes-or-no value. In an address, yes is 1. */
export function flag(param: string): Field<boolean> {
  return {
    read: (params) => params.get(param) === '1',
    write: (value) => (value ? [`${param}=1`] : []),
  };
}

/** The numbers that a field takes. */
interface NumberRange {
  readonly min: number;
  readonly max: number;
  /** The value that is shown for an invalid number. If left out, nothing is shown. */
  readonly otherwise?: number;
  /** Text after a number, such as ` mm`. */
  readonly unit?: string;
  /** Whether the page takes whole numbers only, and rounds others. */
  readonly isWhole?: boolean;
}

/** A number from `min` to `max`. Anything else gives the default; undefined without one. */
export function number(
  param: string,
  what: string,
  range: NumberRange & { readonly otherwise: number },
): Field<number>;
export function number(param: string, what: string, range: NumberRange): Field<number | undefined>;
export function number(
  param: string,
  what: string,
  range: NumberRange,
): Field<number | undefined> | Field<number> {
  const { otherwise, isWhole = false } = range;
  return {
    read(params, say) {
      const given = params.get(param)?.trim() ?? '';
      const found = given === '' ? undefined : numberIn(given, what, range, say);
      return found === undefined ? otherwise : isWhole ? Math.round(found) : found;
    },
    write: (value?: number) => unless(param, value?.toString(), otherwise?.toString()),
  } as Field<number | undefined>;
}

/** The number in a text. If it is missing or outside the range, calls `say` and returns undefined. */
export function numberIn(
  text: string,
  what: string,
  { min, max, otherwise, unit = '' }: NumberRange,
  say: Say,
): number | undefined {
  const value = text.trim() === '' ? Number.NaN : Number(withPoint(text.trim()));
  if (value >= min && value <= max) return value;
  const ends = `from ${min} to ${max}${unit}`;
  const instead = otherwise === undefined ? 'It is left out.' : `Shown is: ${otherwise}${unit}.`;
  say(`The address gives “${text}” as ${what}, which must be a number ${ends}. ${instead}`);
  return undefined;
}

/** A text that the operation checks. */
export function text(param: string, otherwise: string, isAlwaysWritten = false): Field<string> {
  return {
    read: (params) => params.get(param) ?? otherwise,
    write: (value) => unless(param, value, isAlwaysWritten ? undefined : otherwise),
  };
}

/** A number that the operation checks. A text that is not a number gives the default. */
export function anyNumber(
  param: string,
  what: string,
  otherwise: number,
  isAlwaysWritten = false,
): Field<number> {
  const all = { min: -Number.MAX_VALUE, max: Number.MAX_VALUE };
  return {
    read(params, say) {
      const given = params.get(param)?.trim() ?? '';
      if (given === '') return otherwise;
      const found = numberIn(given, what, all, UNSAID);
      if (found === undefined) {
        say(
          `The address gives “${given}” as ${what}, which is not a number. Shown is: ${otherwise}.`,
        );
      }
      return found ?? otherwise;
    },
    write: (value) => unless(param, String(value), isAlwaysWritten ? undefined : String(otherwise)),
  };
}

/** A list with one parameter for each part. The parts are plain texts. */
export function list<Part>(
  param: string,
  what: string,
  most: number,
  otherwise: readonly Part[],
  part: { read(text: string, say: Say): Part | undefined; write(part: Part): string },
): Field<readonly Part[]> {
  const write = (parts: readonly Part[]) => parts.map((one) => parameter(param, part.write(one)));
  return {
    read(params, say) {
      const texts = params.getAll(param);
      if (texts.length > most)
        say(`A page shows at most ${most} ${what}. The others are left out.`);
      const parts = texts.slice(0, most).flatMap((one) => part.read(one, say) ?? []);
      return parts.length === 0 ? otherwise : parts;
    },
    write,
  };
}

/** The same field, but without parameters if the value is the default. */
export function unlessDefault<Value>(field: Field<Value>): Field<Value> {
  const none = field.write(readField(field)).join('&');
  return {
    read: field.read,
    write(value) {
      const written = field.write(value);
      return written.join('&') === none ? [] : written;
    },
  };
}

/** The parameter of a value; none for its default. */
export function unless(param: string, value: string | undefined, otherwise: string | undefined) {
  return value === undefined || value === otherwise ? [] : [parameter(param, value)];
}

/** The text of one parameter of an address; empty without it. */
export function parameterOf(query: string, name: string): string {
  return new URLSearchParams(query).get(name) ?? '';
}

/** A query with other texts for a parameter; undefined if all its texts stay. `read` returns undefined for these. */
export function withTexts(
  query: string,
  name: string,
  read: (text: string) => string | undefined,
): string | undefined {
  let isChanged = false;
  const entries = [...new URLSearchParams(query)].map(([param, text]) => {
    const found = param === name ? read(text) : undefined;
    isChanged ||= found !== undefined;
    return parameter(encodeURIComponent(param), found ?? text);
  });
  return isChanged ? entries.join('&') : undefined;
}
