import { describe, expect, it } from 'vitest';
import { Reservations } from '../../src/request/computed-path.js';

describe('reservations', () => {
  it('count those of the same account that came before', () => {
    const reservations = new Reservations();
    const [first, second] = [reservations.take('key', 5), reservations.take('key', 7)];
    expect([first?.total, second?.total]).toEqual([5, 12]);
    expect(reservations.take('key', 1)).toBeUndefined();
    first?.release();
    expect(second?.total).toBe(7);
    expect(reservations.take('key', 1)?.total).toBe(8);
  });

  it('keep their place without a price once they are charged', () => {
    const reservations = new Reservations();
    const [first, second] = [reservations.take('key', 5), reservations.take('key', 7)];
    first?.charge();
    expect(second?.total).toBe(7);
    expect(reservations.isFull('key')).toBe(true);
    first?.release();
    second?.release();
    expect(reservations.take('key', 1)?.total).toBe(1);
    // Those that were released before do not release it.
    first?.release();
    second?.release();
    expect(reservations.take('key', 2)?.total).toBe(3);
  });
});
