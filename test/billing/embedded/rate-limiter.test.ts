import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  elapsedClock,
  RateLimiter,
  SlidingWindow,
} from '../../../src/billing/embedded/sqlite-gate.js';
import { RATE_WINDOW_MS } from '../../../src/core/billing-terms.js';

const requests = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.constant(0), fc.nat(2000), fc.constantFrom(59_999, 60_000, 60_001)),
    hits: fc.integer({ min: 0, max: 4 }),
  }),
  { maxLength: 200 },
);

describe('RateLimiter', () => {
  it('admits exactly what a plain list of hits would, for any arrivals', () => {
    fc.assert(
      fc.property(requests, fc.integer({ min: 1, max: 12 }), (arrivals, limit) => {
        const limiter = new RateLimiter(limit);
        const accepted: number[] = [];
        let nowMs = 1_000_000;
        for (const { waitMs, hits } of arrivals) {
          nowMs += waitMs;
          const used = accepted.filter((atMs) => atMs + RATE_WINDOW_MS > nowMs).length;
          const { allowed, rate, retryAfterSeconds } = limiter.hit('key', hits, nowMs);
          expect(allowed).toBe(used + hits <= limit);
          if (allowed) for (let hit = 0; hit < hits; hit++) accepted.push(nowMs);
          expect(rate.remaining).toBe(limit - used - (allowed ? hits : 0));
          if (!allowed && hits <= limit) {
            const laterMs = nowMs + retryAfterSeconds * 1000;
            const left = accepted.filter((atMs) => atMs + RATE_WINDOW_MS > laterMs).length;
            expect(left + hits).toBeLessThanOrEqual(limit);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('admits the full limit after an idle minute and forgets idle keys', () => {
    const limiter = new RateLimiter(3);
    for (let index = 0; index < 1000; index++) limiter.hit(`key ${index}`, 3, 0);
    expect(limiter.hit('key 7', 1, 59_999).allowed).toBe(false);
    expect(limiter.hit('key 7', 3, 60_000)).toMatchObject({
      allowed: true,
      rate: { remaining: 0, resetSeconds: 60 },
    });
    limiter.hit('key 8', 1, 130_000);
    expect(limiter.keys).toBeLessThanOrEqual(2);
  });

  it('counts a hit in the future as made now', () => {
    const limiter = new RateLimiter(1);
    limiter.restore('key', 1, 9_000_000, 1000);
    expect(limiter.hit('key', 1, 60_999).allowed).toBe(false);
    expect(limiter.hit('key', 1, 61_000).allowed).toBe(true);
  });
});

describe('SlidingWindow', () => {
  it('holds a million hits a minute in one slot per millisecond', () => {
    const window = new SlidingWindow();
    for (let hit = 0; hit < 1_000_000; hit++) window.add(Math.floor(hit / 20), 1);
    expect(window.count(49_999)).toBe(1_000_000);
    expect(window.count(60_000 + 24_999)).toBe(500_000);
    expect(window.msUntilLeft(84_999, 21)).toBe(2);
    expect(window.count(200_000)).toBe(0);
  });
});

describe('elapsedClock', () => {
  it('continues from where it was when the wall clock is set back', () => {
    let wallMs = 100;
    const clock = elapsedClock(() => wallMs);
    expect(clock()).toBe(100);
    wallMs = 40;
    expect(clock()).toBe(100);
    wallMs = 50;
    expect(clock()).toBe(110);
  });
});
