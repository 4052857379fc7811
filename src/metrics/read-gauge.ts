import { Gauge, type Registry } from 'prom-client';

/**
 * A gauge whose figure is read from the database when the metrics are asked for. It is NaN while it
 * cannot be read, and the others are still served.
 */
export function readGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => Promise<number>,
): void {
  new Gauge({
    name,
    help: `${help}; NaN when it cannot be read.`,
    // Every process reads the same number.
    aggregator: 'max',
    registers: [registry],
    async collect() {
      this.set(await read().catch(() => Number.NaN));
    },
  });
}
