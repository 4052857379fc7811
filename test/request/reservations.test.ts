import { describe, expect, it } from 'vitest';
import { Reservations } from '../../src/request/computed-path.js';

describe('reservations', () => {
  it('count those of the same account that came before', () => {
    const reservations = new Reservations();
    const [first, second] = [reservations.take('key', 5), reservations.take('key', 7)];
    expect([first?.total, first?.count]).toEqual([5, 1]);
    expect([second?.total, second?.count]).toEqual([12, 2]);
    expect(reservations.take('key', 1)).toBeUndefined();
    first?.release();
    expect(second?.total).toBe(7);
    expect(reservations.take('key', 1)?.total).toBe(8);
  });

  it('of several keys are one account once it is known', () => {
    const reservations = new Reservations();
    const [one, other] = [reservations.take('a', 5), reservations.take('b', 7)];
    for (const reservation of [one, other]) reservation?.moveTo('account');
    expect([one?.total, other?.total]).toEqual([5, 12]);
    expect(reservations.take('a', 1)).toBeUndefined();
  });

  it('keep their place without a price when they are paid', () => {
    const reservations = new Reservations();
    const [first, second] = [reservations.take('key', 5), reservations.take('key', 7)];
    first?.paid();
    expect([second?.total, second?.count]).toEqual([7, 2]);
    first?.release();
    first?.release();
    second?.release();
    expect(reservations.take('key', 1)?.total).toBe(1);
  });
});
