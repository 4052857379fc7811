import { expect, it } from 'vitest';
import { OPERATIONS } from '../../src/operations/index.js';

/** Keywords that `schema-faults.ts` can describe the violation of, and keywords that cannot be violated. */
const KNOWN = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'uniqueItems', 'description', 'default'],
]);

function keywordsOf(schema: object, found = new Set<string>()): Set<string> {
  for (const [keyword, value] of Object.entries(schema)) {
    found.add(keyword);
    if (keyword === 'items') keywordsOf(value, found);
    if (keyword !== 'properties') continue;
    for (const field of Object.values(value as Record<string, object>)) keywordsOf(field, found);
  }
  return found;
}

it.each(OPERATIONS)('the faults of each rule of a request can be described: $name', (operation) => {
  for (const schema of [operation.request, operation.shortRequest ?? {}]) {
    const unknown = [...keywordsOf(schema)].filter((keyword) => !KNOWN.has(keyword));
    expect(unknown).toEqual([]);
  }
});
