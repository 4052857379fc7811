export * from '../../src/core/lengths.js';
export { parseLength } from '../../src/core/typed-values.js';
