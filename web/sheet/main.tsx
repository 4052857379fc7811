import { render, type VNode } from 'preact';
import { useState } from 'preact/hooks';
import {
  type ChosenPopulation as Population,
  populationsQuery,
  readPopulations,
} from '../../src/core/chosen-populations.js';
import { loadSearchSoon } from '../explore/options.js';
import { PopulationChips } from '../populations/chips.js';
import { controlSheet } from '../populations/controls-sheet.js';
import './sheet.css';

interface ChosenProps {
  /** The field of the form that holds the population as text. */
  readonly field: HTMLInputElement;
}

/** The population of the sheet as a chip. The form sends what is chosen here. */
function ChosenPopulation({ field }: ChosenProps): VNode {
  const [populations, setPopulations] = useState<readonly Population[]>(() =>
    readPopulations(new URLSearchParams({ p: field.value })).slice(0, 1),
  );
  return (
    <PopulationChips
      populations={populations}
      most={1}
      onChange={(next) => {
        setPopulations(next);
        field.value = new URLSearchParams(populationsQuery(next)).get('p') ?? '';
      }}
    />
  );
}

const sheet = document.querySelector<HTMLDetailsElement>('.bottom-sheet');
if (sheet !== null) controlSheet(sheet);

const place = document.getElementById('sheet-population');
const field = document.querySelector<HTMLInputElement>('.sheet-population-text input');
if (place !== null && field !== null) {
  field.closest('.sheet-population-text')?.setAttribute('hidden', '');
  render(<ChosenPopulation field={field} />, place);
  loadSearchSoon();
}
