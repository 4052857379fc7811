import { BODY_REGIONS } from '../../core/body-regions.js';
import { LYING_UNTIL_YEARS } from '../../render/drawing.js';
import { isMass } from '../../site/amounts.js';
import { BAND_ENDS, MARKS } from '../../site/labels.js';
import { SHOWN_UNITS } from '../../site/lengths.js';
import { SCREEN_PATHS } from '../../site/paths.js';
import { LYING } from '../../site/pictures/notes.js';
import type { Arrangement, Posture } from '../../site/pictures/people-layout.js';
import {
  addressOf,
  choice,
  type Field,
  flag,
  readField,
  readFields,
  type Say,
  type ScreenAddress,
  UNSAID,
  unlessDefault,
  type ViewOf,
  writeFields,
} from '../shared/address-fields.js';
import { dimensions } from '../shared/dimension-fields.js';
import {
  type ChosenPopulation,
  POPULATIONS,
  populationLabel,
  SHOWN_POPULATION,
} from '../shared/populations.js';

/** The forms of the Body screen: people to scale with a table, or a sheet of one population for paper. */
export type BodyForm = 'screen' | 'sheet';

/** Maximum number of dimensions in the table. It is too small for copying the data. */
export const BODY_MEASUREMENTS_MAX = 12;

/** The dimensions of an address without any. */
export const DEFAULT_BODY_MEASUREMENTS: readonly string[] = [
  'Stature',
  'EyeHeight',
  'ShoulderBreadthBideltoid',
  'ElbowHeight',
  'HipBreadth',
  'SittingHeight',
  'ButtockKneeLength',
  'PoplitealHeight',
];

/** Maximum number of dimensions of a sheet. They fit on two pages of A4. */
export const SHEET_MAX = 60;

/** The dimensions of a sheet without any: those that seats, desks and passages depend on. */
const SHEET_MEASUREMENTS = [
  ...['Stature', 'EyeHeight', 'ShoulderHeight', 'ElbowHeight', 'KnuckleHeight', 'CrotchHeight'],
  ...['ShoulderBreadthBideltoid', 'HipBreadth', 'ChestDepth', 'SittingHeight', 'SittingEyeHeight'],
  ...['SittingShoulderHeight', 'SittingElbowHeight', 'ThighThickness', 'PoplitealHeight'],
  ...['KneeHeight', 'ButtockKneeLength', 'ButtockPoplitealLength', 'SittingHipBreadth'],
  'HandLength',
];

/** Parameters that only addresses of the Dimension screen have. */
const OF_ONE_DIMENSION =
  'measurement gender age ages country percentile view value linked cover clothing'.split(' ');

const IS_OF_ONE_DIMENSION: Field<boolean> = {
  read: (params) => !params.has('p') && OF_ONE_DIMENSION.some((name) => params.has(name)),
  write: () => [],
};

/** Whether the query belongs to the Dimension screen, which had this address before. */
export function isAddressOfOneDimension(query: string): boolean {
  return readField(IS_OF_ONE_DIMENSION, query);
}

/** The postures of people, with the names of their pictures. */
export const POSTURES: readonly Posture[] = ['standing', 'relaxed', 'sitting'];
/** The sides from which people are seen. */
export const SIDES = ['front', 'side'] as const;
const POSTURE_NAMES = { standing: 'standing', relaxed: 'standing relaxed', sitting: 'sitting' };

const FORM = choice<BodyForm>('form', 'form', ['screen', 'sheet'], 'screen');
const MEASUREMENTS: Readonly<Record<BodyForm, Field<readonly string[]>>> = {
  screen: dimensions('m', 'measurements', DEFAULT_BODY_MEASUREMENTS, BODY_MEASUREMENTS_MAX),
  sheet: dimensions('m', 'measurements', SHEET_MEASUREMENTS, SHEET_MAX),
};

const fieldsOf = (form: BodyForm) => ({
  form: FORM,
  populations: unlessDefault(POPULATIONS),
  /** Number of the population of the sheet, from 1. */
  shown: SHOWN_POPULATION,
  posture: choice('posture', 'posture', POSTURES, 'standing'),
  side: choice('side', 'side', SIDES, 'front'),
  /** Whether all populations stand in one place, rather than side by side. */
  overlaid: flag('overlaid'),
  /** Names of the dimensions of the table. */
  measurements: MEASUREMENTS[form],
  /** The chosen region of the body. */
  region: choice(
    'region',
    'region',
    BODY_REGIONS.map(({ id }) => id),
  ),
  unit: choice('unit', 'unit', SHOWN_UNITS, 'mm'),
});

/** The view of the Body screen. */
export type BodyView = ViewOf<ReturnType<typeof fieldsOf>>;

/** The address of another form of a view. Dimensions that somebody chose stay, as far as the form has room. */
export function addressOfForm(view: BodyView, form: BodyForm): string {
  const asked = readField(
    MEASUREMENTS[form],
    MEASUREMENTS[view.form].write(view.measurements).join('&'),
  );
  const measurements = form === 'sheet' ? asked : asked.filter((name) => !isMass(name));
  return addressOf(BODY_ADDRESS, { ...view, form, measurements });
}

/** The population of a sheet. */
export function populationOfSheet({ populations, shown }: BodyView): ChosenPopulation {
  return (populations[shown - 1] ?? populations[0]) as ChosenPopulation;
}

/** Says which population a sheet shows; undefined if the view has one. */
export function noteOfSheet({ populations }: BodyView): string | undefined {
  return populations.length > 1
    ? 'A sheet shows one population at a time. Choose it by its round button.'
    : undefined;
}

const FROM = { front: 'from the front', side: 'from the side' } as const;
const FROM_LYING = { front: 'from above', side: 'from the side' } as const;

/** Title of the picture, such as `Women, DE, 18–65, Men, DE, 18–65: standing, from the front`. */
export function pictureTitle({ populations, posture, side }: BodyView): string {
  const isLying = ({ ageMax }: ChosenPopulation): boolean => ageMax < LYING_UNTIL_YEARS;
  const legs = posture === 'sitting' ? ' with bent hips' : '';
  const part = (some: readonly ChosenPopulation[], how: string): string[] =>
    some.length === 0 ? [] : [`${some.map(populationLabel).join('; ')}: ${how}`];
  return [
    ...part(
      populations.filter((one) => !isLying(one)),
      `${POSTURE_NAMES[posture]}, ${FROM[side]}`,
    ),
    ...part(populations.filter(isLying), `lying${legs}, ${FROM_LYING[side]}`),
  ].join('; ');
}

const ARRANGED: Readonly<Record<Arrangement, string>> = {
  beside: 'Of each population a small, the median and a large person stand beside each other.',
  median: `The median person of each population stands beside bands from ${BAND_ENDS}.`,
  overlaid: 'The median person of each population is drawn, all in one place.',
};

/** How to read the figures, which every picture needs. */
export function pictureCaption(
  { populations, posture }: BodyView,
  arrangement: Arrangement,
): string {
  const isBeside = arrangement === 'beside';
  const seated = posture === 'sitting';
  return [
    ARRANGED[arrangement],
    `They are whole people: stature and body mass are at ${MARKS}, and the rest is predicted from both.`,
    isBeside
      ? `The number over a head is the ${seated ? 'sitting height, which a line shows where people sit' : 'stature'}.`
      : `Bands beside the figures, where there is room, reach from ${BAND_ENDS} of each measurement.`,
    seated && !isBeside ? 'Heights over the seat start at the median seat.' : '',
    posture === 'relaxed'
      ? 'Heights in the picture are those of relaxed standing, in which the old stoop; the table has the standard posture.'
      : '',
    'The grid has lines every 100 mm.',
    populations.some(({ ageMin }) => ageMin < LYING_UNTIL_YEARS) ? LYING : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}

const read = (query: string, say: Say = UNSAID): BodyView =>
  readFields(fieldsOf(readField(FORM, query)), query, say);

const query = (view: BodyView): string =>
  writeFields(fieldsOf(view.form), view, view.form === 'sheet' ? [] : ['shown']);

/**
 * The address of the screen, such as
 * `p=Female~DE~18-65&p=Male~DE~18-65&posture=sitting&side=side&overlaid=1&m=SittingHeight,KneeHeight&unit=in`.
 */
export const BODY_ADDRESS: ScreenAddress<BodyView> & { readonly dataQuery: typeof query } = {
  path: SCREEN_PATHS.body,
  read,
  query,
  /** What the form shows decides the data. The rest changes only the drawing of the data. */
  dataQuery({ form, shown, populations, measurements, posture, side }) {
    const own = form === 'sheet' ? { form, shown } : { posture, side };
    return query({ ...read(''), populations, measurements, ...own });
  },
  title: (view) =>
    view.form === 'sheet'
      ? `${populationLabel(populationOfSheet(view))}: sheet`
      : pictureTitle(view),
};
