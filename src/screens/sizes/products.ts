import type { MeasurementName } from '../../core/measurements.js';

/** A dimension that distinguishes the sizes of a product. */
export interface SizedDimension {
  readonly measurement: string;
  /** Width of the range that one size serves, mm. */
  readonly toleranceMm: number;
}

/** A dimension of a product, and the source of its tolerance. */
export interface ProductDimension extends SizedDimension {
  readonly measurement: MeasurementName;
  readonly basis: string;
}

/** A product that is sold in several sizes. */
export interface SizedProduct {
  readonly id: string;
  readonly title: string;
  readonly dimensions: readonly ProductDimension[];
}

/** A tolerance without a source. */
const OWN = 'Our own choice';
/**
 * In EN 13402-3, bust girths of women are 40 mm apart from 740 to 1,020 mm, and about 60 mm apart beyond. The
 * source is the function `bustSizesStandard` of the R package Anthropometry.
 */
const LETTER_SIZES = `${OWN}: two steps; girths in EN 13402-3 are 40 mm apart, and 60 mm in large sizes`;

/** Products of the Sizes screen, in the order of its list. People are measured nude. */
export const SIZED_PRODUCTS: readonly SizedProduct[] = [
  {
    id: 'helmet',
    title: 'Helmet',
    dimensions: [
      {
        measurement: 'HeadLength',
        toleranceMm: 12,
        basis: `${OWN}: pads take up 6 mm in front and behind`,
      },
      {
        measurement: 'HeadBreadth',
        toleranceMm: 12,
        basis: `${OWN}: pads take up 6 mm on each side`,
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
        basis: 'Hand sizes of EN 420:2003+A1:2009 are an inch apart around the hand',
      },
      {
        measurement: 'HandLength',
        toleranceMm: 22,
        basis: `${OWN}: two steps; hand sizes of EN 420:2003+A1:2009 are 10 to 12 mm apart in length`,
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
        basis: `${OWN}: room at the toes takes up a size and a half; a European size is 6.67 mm (ISO/TS 19407:2015)`,
      },
      {
        measurement: 'FootBreadth',
        toleranceMm: 15,
        basis: `${OWN}: laces and a soft upper take it up`,
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
        basis: `${OWN}: hems are turned up by up to 100 mm`,
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
        basis: `${OWN}: seven holes 6 mm apart`,
      },
    ],
  },
  {
    id: 'vr-headset',
    title: 'VR headset strap',
    dimensions: [
      {
        measurement: 'HeadGirth',
        toleranceMm: 40,
        basis: `${OWN}: the strap slides by 20 mm on each side`,
      },
    ],
  },
  {
    id: 'face-mask',
    title: 'Face mask',
    dimensions: [
      {
        measurement: 'FaceBreadth',
        toleranceMm: 12,
        basis: `${OWN}; test panels sort faces by breadth, and by the length of the face, which is not covered`,
      },
      {
        measurement: 'LipLength',
        toleranceMm: 12,
        basis: `${OWN}: the edge takes up 6 mm on each side`,
      },
    ],
  },
  {
    id: 'backpack',
    title: 'Backpack back length',
    dimensions: [
      {
        measurement: 'DorsomLength',
        toleranceMm: 60,
        basis: `${OWN}: the harness moves by 60 mm; the level of the navel stands for the hip bones`,
      },
    ],
  },
  {
    id: 'exoskeleton-cuff',
    title: 'Exoskeleton thigh cuff',
    dimensions: [
      {
        measurement: 'ThighCircumferenceMidpoint',
        toleranceMm: 60,
        basis: `${OWN}: a strap takes up 60 mm`,
      },
      {
        measurement: 'ThighLength',
        toleranceMm: 40,
        basis: `${OWN}: the bar slides by 40 mm`,
      },
    ],
  },
  {
    id: 'bicycle',
    title: 'Bicycle frame',
    dimensions: [
      {
        measurement: 'CrotchHeight',
        toleranceMm: 80,
        basis: `${OWN}: the saddle moves by 80 mm`,
      },
      {
        measurement: 'ElbowFingertipLength',
        toleranceMm: 60,
        basis: `${OWN}: saddle and handlebar move by 60 mm`,
      },
    ],
  },
  {
    id: 'school-chair',
    title: 'School chair',
    dimensions: [
      {
        measurement: 'PoplitealHeight',
        toleranceMm: 50,
        basis: 'Size marks of EN 1729-1 are 30 to 50 mm apart in seat height',
      },
    ],
  },
];

/** Id of a product whose dimensions the visitor chooses. */
export const OWN_ID = 'own';
/** The first dimensions of a product of the visitor's own. */
export const OWN_DIMENSIONS: readonly SizedDimension[] = [
  { measurement: 'Stature', toleranceMm: 100 },
  { measurement: 'WaistCircumferenceAbdominal', toleranceMm: 100 },
];

/** The product with this id; undefined for a product of the visitor's own. */
export function sizedProductById(id: string): SizedProduct | undefined {
  return SIZED_PRODUCTS.find((product) => product.id === id);
}

/** Name of a product in a headline. */
export function productTitle(id: string): string {
  return sizedProductById(id)?.title ?? 'Own product';
}
