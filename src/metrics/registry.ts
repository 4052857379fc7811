import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Makers of the metrics of a registry. */
export function metricsIn(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
      new Counter({ name, help, labelNames, registers }),

    histogram: <Label extends string = never>(
      name: string,
      help: string,
      buckets: number[],
      labelNames: Label[] = [],
    ) => new Histogram({ name, help, buckets, labelNames, registers }),

    /**
     * A gauge that is read when the metrics are requested.
     *
     * @param aggregator what counts of several processes; the sum by default
     */
    gauge: (
      name: string,
      help: string,
      read: () => number | Promise<number>,
      aggregator: 'sum' | 'min' | 'max' = 'sum',
    ) =>
      new Gauge({
        ...{ name, help, aggregator, registers },
        async collect() {
          this.set(await read());
        },
      }),

    /**
     * Gauges of one reading of a store. It is taken when the metrics are requested. The gauges are NaN if it fails; the
     * other metrics are still served.
     */
    readGauges<Reading>(
      read: () => Promise<Reading>,
      gauges: readonly (readonly [name: string, help: string, of: (reading: Reading) => number])[],
    ): void {
      let reading: Promise<Reading> | undefined;
      const shared = () => {
        reading ??= read().finally(() => {
          reading = undefined;
        });
        return reading;
      };
      for (const [name, help, of] of gauges) {
        new Gauge({
          ...{ name, help: `${help}; NaN when it cannot be read.`, registers },
          // Every process reads the same number.
          aggregator: 'max',
          async collect() {
            this.set(await shared().then(of, () => Number.NaN));
          },
        });
      }
    },
  };
}
