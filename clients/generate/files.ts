import { pythonOperations, pythonTypes } from './python.js';
import { readSource } from './source.js';
import { typescriptOperations, typescriptTypes } from './typescript.js';

/** Every generated file of the clients with its text, by its path in the repository. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const source = await readSource();
  return new Map([
    ['clients/typescript/src/generated/api.ts', await typescriptTypes(source)],
    ['clients/typescript/src/generated/operations.ts', typescriptOperations(source)],
    ['clients/python/vitruvia/_generated.py', pythonTypes(source)],
    ['clients/python/vitruvia/_generated_operations.py', pythonOperations(source)],
  ]);
}
