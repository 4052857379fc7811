import type { MeasurementName } from '../../../core/measurements.js';

/** A dimension that tells the sizes of a product apart. */
export interface SizedDimension {
  readonly measurement: string;
  /** Full width that one size serves, mm. */
  readonly toleranceMm: number;
}

/** A dimension of a product, and where its tolerance comes from. */
export interface ProductDimension extends SizedDimension {
  readonly measurement: MeasurementName;
  readonly basis: string;
}

/** A product that comes in sizes. */
export interface SizedProduct {
  readonly id: string;
  readonly title: string;
  readonly dimensions: readonly ProductDimension[];
}

const THUMB = 'Rule of thumb';
/** Letter sizes join two steps of 40 mm, which is the step of chest and waist girths in the standard. */
const LETTER_SIZES = 'Letter sizes of EN 13402-3:2017: two steps of 40 mm';

/** Products of the Sizes screen, in the order of its list. People are measured nude. */
export const SIZED_PRODUCTS: readonly SizedProduct[] = [
  {
    id: 'helmet',
    title: 'Helmet',
    dimensions: [
      {
        measurement: 'HeadLength',
        toleranceMm: 12,
        basis: `${THUMB}: pads take up 6 mm in front and behind`,
      },
      {
        measurement: 'HeadBreadth',
        toleranceMm: 12,
        basis: `${THUMB}: pads take up 6 mm on each side`,
      },
    ],
  },
  {
    id: 'glove',
    title: 'Glove',
    dimensions: [
      {
        measurement: 'HandCircumference',
        toleranceMm: 25.4,
        basis: 'Hand sizes of EN 420:2003 are an inch apart around the hand',
      },
      {
        measurement: 'HandLength',
        toleranceMm: 22,
        basis: `${THUMB}: two steps of 11 mm, which hand sizes of EN 420:2003 are apart in length`,
      },
    ],
  },
  {
    id: 'shoe',
    title: 'Shoe',
    dimensions: [
      {
        measurement: 'FootLength',
        toleranceMm: 10,
        basis: `${THUMB}: a size and a half of 2/3 cm (ISO/TS 19407:2015), which room at the toes takes up`,
      },
      {
        measurement: 'FootBreadth',
        toleranceMm: 15,
        basis: `${THUMB}: laces and a soft upper take it up`,
      },
    ],
  },
  {
    id: 'trousers',
    title: 'Trousers',
    dimensions: [
      { measurement: 'WaistCircumferenceAbdominal', toleranceMm: 80, basis: LETTER_SIZES },
      {
        measurement: 'CrotchHeight',
        toleranceMm: 100,
        basis: `${THUMB}: hems are turned up by up to 100 mm`,
      },
    ],
  },
  {
    id: 't-shirt',
    title: 'T-shirt',
    dimensions: [{ measurement: 'ChestCircumferenceNipple', toleranceMm: 80, basis: LETTER_SIZES }],
  },
  {
    id: 'wrist-strap',
    title: 'Wrist strap',
    dimensions: [
      {
        measurement: 'WristCircumference',
        toleranceMm: 36,
        basis: `${THUMB}: seven holes 6 mm apart`,
      },
    ],
  },
];

/** Id of a product whose dimensions the visitor chooses. */
export const OWN_ID = 'own';
/** The dimensions that an own product starts from. */
export const OWN_DIMENSIONS: readonly SizedDimension[] = [
  { measurement: 'Stature', toleranceMm: 100 },
  { measurement: 'WaistCircumferenceAbdominal', toleranceMm: 100 },
];

/** The product with this id; undefined for an own one. */
export function sizedProductById(id: string): SizedProduct | undefined {
  return SIZED_PRODUCTS.find((product) => product.id === id);
}

/** Name of a product in a headline. */
export function productTitle(id: string): string {
  return sizedProductById(id)?.title ?? 'Own product';
}
