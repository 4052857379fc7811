import { describe, expect, it } from 'vitest';
import { openArtifact } from '../../../src/lookup/open-artifact.js';
import { realArtifacts } from '../../support/servers.js';
import { movedErrors } from './moved-cells.js';

describe('other years of the artifact', () => {
  it('are what the model itself gives for them', async () => {
    // Errors are in SD of the dimension. The cells move by 0.19 SD on average (root mean square).
    const errors = movedErrors(openArtifact(await realArtifacts()));
    expect(errors.cells).toBeGreaterThan(1_000);
    expect(errors.moved).toBeGreaterThan(0.15);
    expect(errors.median).toBeLessThan(0.03);
    expect(errors.tails).toBeLessThan(0.08);
  });
});
