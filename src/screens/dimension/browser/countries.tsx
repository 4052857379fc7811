import type { VNode } from 'preact';
import { COUNTRIES_LIMITS } from '../../../core/limits.js';
import { Combobox } from '../../widgets/combobox.js';
import { countryOptions } from '../../widgets/options.js';
import { RemoveButton } from '../../widgets/remove-button.js';
import type { DimensionView } from '../address.js';
import { countryName } from './texts.js';

interface CountriesProps {
  readonly countries: readonly string[];
  /** Whether the view compares countries. If not, it shows only the first country. */
  readonly several: boolean;
  readonly onChange: (change: Partial<DimensionView>) => void;
}

/** The countries of a view: the first country, and up to nine others for comparison. */
export function Countries({ countries, several, onChange }: CountriesProps): VNode {
  const [lead = '', ...others] = countries;
  const add = (code: string) => onChange({ countries: [...countries, code], value: undefined });
  return (
    <div class="wide">
      <Combobox
        label="Country"
        chosen={countryName(lead)}
        find={(text) => countryOptions(text, countries)}
        onChoose={(code) => onChange({ countries: [code, ...others], value: undefined })}
      />
      {several && countries.length > 1 ? (
        <ul class="chips" aria-label="Countries shown">
          {countries.map((code, index) => (
            <li key={code} class="chip">
              <span class={`swatch series-${index + 1}`} aria-hidden="true" />
              {countryName(code)}
              <RemoveButton
                of={countryName(code)}
                onRemove={() => onChange({ countries: countries.filter((one) => one !== code) })}
              />
            </li>
          ))}
        </ul>
      ) : null}
      {several && countries.length < COUNTRIES_LIMITS.maxItems ? (
        <Combobox
          label="Compare with"
          chosen=""
          placeholder="Add a country"
          find={(text) => countryOptions(text, countries)}
          onChoose={add}
        />
      ) : null}
    </div>
  );
}
