export { parseLength } from '../../core/typed-values.js';
export * from '../../site/lengths.js';
