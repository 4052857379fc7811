import { describe, expect, it } from 'vitest';
import { CLOTHING, POSTURES } from '../../src/core/profiles.js';
import { projectFile } from '../../src/pages/docs/files.js';

/** Shifts in mm for men and women, by dimension and profile, from the document. */
function documented(): (dimension: string, profile: string) => readonly number[] {
  const text = projectFile('docs/clothing-and-posture.md');
  const cells = (line: string) => line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
  const lines = text.split('\n').filter((line) => line.startsWith('| '));
  const head = cells(lines.find((line) => line.startsWith('| dimension ')) ?? '');
  return (dimension, profile) => {
    const row = lines.find((line) => line.startsWith(`| ${dimension} `)) ?? '';
    const cell = cells(row)[head.indexOf(profile)] ?? '';
    const shifts = cell.split(' / ').map((part) => Number(part.split(' ±')[0]?.replace('−', '-')));
    return shifts.length === 1 ? [...shifts, ...shifts] : shifts;
  };
}

describe('the definitions of clothing and posture', () => {
  const SHIFT = /\b([A-Z]\w+) ([+−]\d+) mm(?: \(men\), ([+−]\d+) mm \(women\))?/g;
  const shiftOf = documented();
  const moving = [...CLOTHING, ...POSTURES].filter(
    ({ id }) => !['nude', 'standing_erect', 'light_shoes'].includes(id),
  );

  it.each(moving)('$id names the shifts of the document', ({ id, definition }) => {
    const named = [...definition.matchAll(SHIFT)];
    expect(named.length).toBeGreaterThan(0);
    expect(definition.match(/ mm/g)).toHaveLength(
      named.reduce((count, [text]) => count + (text.match(/ mm/g)?.length ?? 0), 0),
    );
    for (const [text, dimension = '', men = '', women = men] of named) {
      const said = [men, women].map((figure) => Number(figure.replace('−', '-')));
      expect([text, shiftOf(dimension, id).map(Math.round)]).toEqual([text, said]);
    }
  });
});
