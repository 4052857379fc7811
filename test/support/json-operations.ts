import { OPERATIONS } from '../../src/operations/index.js';

/** The operations that answer in JSON from every artifact. Bodies are files and need a mesh. */
export const JSON_OPERATIONS = OPERATIONS.filter(({ file }) => file === undefined);

/** The operations that are tools over MCP. */
export const TOOL_OPERATIONS = OPERATIONS.filter(({ outsideTools }) => outsideTools !== true);
