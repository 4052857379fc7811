import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { MEASUREMENTS } from '../../../core/measurements.js';
import { FieldFault, faultAttributes } from '../../widgets/fields.js';
import { useId } from '../../widgets/parts.js';
import { SHEET_MAX } from '../address.js';
import { SheetRegions } from '../sheet.js';

interface ChoiceProps {
  /** Names of the sheet's dimensions, in the order of the sheet. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** Content beside the field for words. */
  readonly children: ComponentChildren;
}

/** The choice of the sheet's dimensions, as words or one by one. */
export function DimensionChoice({ chosen, onChange, children }: ChoiceProps): VNode {
  const of = new Set(chosen);
  const isFull = chosen.length >= SHEET_MAX;
  return (
    <>
      <Words onRead={onChange} />
      {children}
      <details>
        <summary>
          Dimensions: {chosen.length} chosen, at most {SHEET_MAX}
        </summary>
        <button type="button" disabled={chosen.length === 0} onClick={() => onChange([])}>
          Clear the measurements
        </button>
        <SheetRegions
          box={(name) => ({
            checked: of.has(name),
            disabled: isFull && !of.has(name),
            onChange: ({ currentTarget: { checked } }: { currentTarget: HTMLInputElement }) =>
              onChange(checked ? [...chosen, name] : chosen.filter((one) => one !== name)),
          })}
        />
      </details>
      {chosen.length > 0 ? null : (
        <p class="field-error" role="status">
          Choose at least one measurement. The sheet is still the one before.
        </p>
      )}
    </>
  );
}

/** A field in which the user types the dimensions of the sheet in words. */
function Words({ onRead }: { readonly onRead: ChoiceProps['onChange'] }): VNode {
  const id = useId();
  const [unknown, setUnknown] = useState<readonly string[]>([]);
  const [needs, setNeeds] = useState<readonly string[]>([]);
  const read = async (text: string) => {
    if (text.trim() === '') return;
    const { findBodyQuantities, measurementsListed, notCoveredTexts, orNearest } = await import(
      '../../widgets/search.js'
    );
    const found = measurementsInWords(text, (part) => {
      const masses = findBodyQuantities(part);
      if (masses.length > 0 && notCoveredTexts(part).length === 0) return masses;
      const listed = measurementsListed(part);
      return listed.length > 1 ? listed : orNearest(part, listed, MEASUREMENTS).slice(0, 1);
    });
    setNeeds(notCoveredTexts(text));
    setUnknown(found.unknown);
    if (found.names.length > 0) onRead(found.names.slice(0, SHEET_MAX));
  };
  const fault =
    unknown.length === 0 ? undefined : `No dimension was found for: ${unknown.join(', ')}.`;
  return (
    <div>
      <label for={id}>Measurements in words, separated by commas</label>
      <input
        {...faultAttributes({ id, fault })}
        type="text"
        autocomplete="off"
        spellcheck={false}
        placeholder="Such as stature, eye height, hip breadth"
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          read(event.currentTarget.value);
        }}
        onChange={(event) => read(event.currentTarget.value)}
      />
      {needs.map((need) => (
        <p key={need} class="hint" role="status">
          {need}
        </p>
      ))}
      <FieldFault {...{ id, fault }} />
    </div>
  );
}

/** The dimensions in a list of words. */
interface WordedDimensions {
  /** Names of dimensions in the order of the words. Each name occurs once. */
  readonly names: readonly string[];
  /** Words for which nothing was found. */
  readonly unknown: readonly string[];
}

/**
 * Reads a list such as `stature, hip breadth; hand length`. Each part gives what `find` returns.
 *
 * @param find returns the dimensions that a part names
 */
export function measurementsInWords(
  text: string,
  find: (text: string) => readonly { readonly name: string }[],
): WordedDimensions {
  const parts = text.split(/[,;\n、，]/).map((part) => part.trim());
  const found = parts
    .filter((part) => part !== '')
    .map((part) => ({ part, names: find(part).map(({ name }) => name) }));
  return {
    names: [...new Set(found.flatMap(({ names }) => names))],
    unknown: found.filter(({ names }) => names.length === 0).map(({ part }) => part),
  };
}
