export { parseLength } from '../../src/core/typed-values.js';
export * from '../../src/pages/lengths.js';
