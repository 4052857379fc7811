import { Matrix } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { carried } from '../../pipeline/fit/joint/carried-covariance.js';
import { emptyGrid } from '../../pipeline/grid.js';
import { BuildThread } from '../../pipeline/second-thread/build-thread.js';

describe('the second thread of a build', () => {
  it('passes on why the thread ended, also when that is asked for later', async () => {
    const thread = new BuildThread({
      ...{ rawDir: '/nonexistent', without: [], gender: 'Female' },
      ...{ quantiles: emptyGrid(1).quantiles, countries: ['JP'] },
    });
    await expect(thread.tables).rejects.toThrow('without the source ansur1');
    await expect(thread.correlations).rejects.toThrow('without the source ansur1');
    await thread.end();
  });

  it('rejects when it is ended before its results', async () => {
    const thread = new BuildThread({
      ...{ rawDir: '/nonexistent', without: [], gender: 'Female' },
      ...{ quantiles: emptyGrid(1).quantiles, countries: ['JP'] },
    });
    await thread.end();
    await expect(thread.tables).rejects.toThrow('The second thread of the build ended early.');
  });
});

describe('covariances of combinations', () => {
  it('are those of the product of whole matrices to the last bit', () => {
    const size = 12;
    const wave = (i: number, j: number) => Math.sin(7 * i + 3 * j + 1);
    const covariance = new Matrix(size, size);
    const rows = Matrix.zeros(size + 3, size);
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) covariance.set(i, j, wave(i, j) + wave(j, i));
      rows.set(i, i, wave(i, 50));
      rows.set((5 * i) % (size + 3), (3 * i) % size, wave(50, i));
    }
    const whole = rows.mmul(covariance).mmul(rows.transpose());
    expect(carried(rows, covariance).to2DArray()).toEqual(whole.to2DArray());
  });
});
