// The suite imports `globSync` from fs, which Node 20 does not have; only its commands that
// scaffold new scenarios call it. All else of it runs on Node 20.
const FS = `
export * from 'node:fs';
export { default } from 'node:fs';
export function globSync() { throw new Error('globSync is not in this version of Node'); }
`;

export async function resolve(specifier, context, next) {
  if (specifier !== 'fs' || !context.parentURL?.includes('/conformance/dist/')) {
    return next(specifier, context);
  }
  return { url: `data:text/javascript,${encodeURIComponent(FS)}`, shortCircuit: true };
}
