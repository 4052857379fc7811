import { render, type VNode } from 'preact';
import { useState } from 'preact/hooks';
import {
  type ChosenPopulation as Population,
  populationsQuery,
  readPopulations,
} from '../../src/pages/screens/shared/populations.js';
import { controlSheet } from '../widgets/controls-sheet.js';
import { loadSearchSoon } from '../widgets/options.js';
import { PopulationChips } from '../widgets/population-chips.js';
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
