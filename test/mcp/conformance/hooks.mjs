// The suite imports `globSync` from fs, which Node 20 lacks. Only its commands that create new scenarios call
// `globSync`. All other parts of the suite run on Node 20.
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
