import type { VNode } from 'preact';
import { BODY_REGIONS } from '../../core/body-regions.js';
import { MASSES } from '../../site/amounts.js';
import { inWords } from '../../site/labels.js';

/** The choices of a sheet by region of the body, with the mass of the whole body. */
const REGIONS = [
  ...BODY_REGIONS,
  { id: 'mass', title: 'Body mass', measurements: Object.keys(MASSES).map((name) => ({ name })) },
];

/** The dimensions of a sheet by region of the body, each with a box of these attributes. */
export function SheetRegions({ box }: { readonly box: (name: string) => object }): VNode {
  return (
    <>
      {REGIONS.map(({ id, title, measurements }) => (
        <fieldset key={id} class="sheet-region">
          <legend>{title}</legend>
          {measurements.map(({ name }) => (
            <label key={name}>
              <input type="checkbox" {...box(name)} /> {inWords(name)}
            </label>
          ))}
        </fieldset>
      ))}
    </>
  );
}
