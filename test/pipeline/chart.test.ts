import { describe, expect, it } from 'vitest';
import { drawChart } from '../../pipeline/chart.js';

describe('a chart', () => {
  const points = { xs: [0, 5, 10], ys: [1, 3, 2] };
  const chart = { title: 'T & U', xLabel: 'x', yLabel: 'y', labels: ['a < b'] };

  it('escapes its texts and has a point for each value', () => {
    const svg = drawChart({ ...chart, panels: [{ lines: [points], dots: [points] }] });
    expect(svg).toContain('T &amp; U');
    expect(svg).toContain('a &lt; b');
    expect(svg.match(/r="1.8"/g)).toHaveLength(3);
    const [, path = ''] = /d="(M[^"]*)" fill="none"/.exec(svg) ?? [];
    const coordinates = path.split(/[ML,]/).filter(Boolean).map(Number);
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0] = coordinates;
    expect(x1 - x0).toBeCloseTo(x2 - x1, 6);
    // SVG counts from the top. 3 is twice as far above 1 as 2 is.
    expect((y0 - y1) / (y0 - y2)).toBeCloseTo(2, 1);
  });

  it('has one scale for all panels, and round steps', () => {
    const panels = ['p', 'q'].map((title, i) => ({
      title,
      lines: [{ xs: [0, 10], ys: [i, 9 * i] }],
    }));
    const svg = drawChart({ ...chart, panels });
    const texts = [...svg.matchAll(/>([^<>]+)<\/text>/g)].map(([, text]) => text);
    // Labels of x below both panels, and labels of y beside the first panel.
    expect(texts.filter((text) => text === '2')).toHaveLength(3);
    expect(texts).toEqual(expect.arrayContaining(['p', 'q', '8']));
  });
});
