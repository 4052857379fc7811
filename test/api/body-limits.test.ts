import { describe, expect, it } from 'vitest';
import { POPULATION_BODY_BYTES_MAX } from '../../src/core/limits.js';
import { bodyLimitOf, MCP_BODY_BYTES_MAX } from '../../src/mcp/messages.js';
import { bodyBytesMaxOf, type Operation } from '../../src/operations/operation.js';
import { predict } from '../../src/operations/predict.js';
import { TOOL_OPERATIONS } from '../support/operations.js';
import { useOpened } from '../support/use-opened.js';
import { useService } from '../support/use-service.js';

const SMALL: Operation = predict;
const LARGE: Operation = {
  ...SMALL,
  name: 'large',
  path: '/v1/large',
  bodyBytesMax: POPULATION_BODY_BYTES_MAX,
};

const service = useService({ operations: [SMALL, LARGE] });
const customer = useOpened(() => service.customer(5));

describe('the largest body of a route', () => {
  /** A body of this many bytes, filled up with blanks at its end. */
  const bodyOf = (bytes: number) => JSON.stringify(predict.example).padEnd(bytes);

  it.each([SMALL, LARGE])('of $path is that of its operation', async (operation) => {
    const bytes = bodyBytesMaxOf(operation);
    const fits = await service.post(operation.path, bodyOf(bytes), customer.headers);
    expect(fits.status).toBe(200);
    const { status, body } = await service.post(
      operation.path,
      bodyOf(bytes + 1),
      customer.headers,
    );
    expect([status, body.code]).toEqual([413, 'validation_error']);
    expect(body.message).toBe(`The body is larger than ${bytes} bytes.`);
  });

  it('of /mcp is that of the called tool, with its envelope', () => {
    for (const operation of TOOL_OPERATIONS) {
      const call = { method: 'tools/call', params: { name: operation.name } };
      const usual = 16 * 1024;
      const bytes = bodyBytesMaxOf(operation);
      const expected = bytes > usual ? bytes + usual : usual;
      expect([bodyLimitOf(call), bodyLimitOf([1, call])]).toEqual([expected, expected]);
      expect(MCP_BODY_BYTES_MAX).toBeGreaterThanOrEqual(expected);
    }
    expect(bodyLimitOf('text')).toBe(16 * 1024);
    expect(bodyLimitOf(null)).toBe(16 * 1024);
  });
});
