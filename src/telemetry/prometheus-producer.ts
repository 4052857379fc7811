import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import { SERVICE_NAME } from '../core/version.js';
import type { MetricsJson } from '../metrics/cluster-metrics.js';

type PromMetric = MetricsJson[number];

/** A value of prom-client, as `getMetricsAsJSON` gives it. */
interface PromValue {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number | undefined>>;
  /** Histograms: the name with `_bucket`, `_sum` or `_count`. */
  readonly metricName?: string;
}

const MS_PER_SECOND = 1000;
const NS_PER_MS = 1_000_000;

/**
 * Gives the metrics of prom-client to OpenTelemetry. Names, labels and buckets stay, so dashboards and
 * alerts hold for both. The types correspond as OpenTelemetry's specification says ("Prometheus and
 * OpenMetrics Compatibility"): a counter is a monotonic cumulative sum, a histogram has explicit
 * bounds, and a gauge is a gauge. A value that is not known (NaN) is left out.
 */
export class PrometheusProducer implements MetricProducer {
  readonly #read: () => Promise<MetricsJson>;
  readonly #startTime: HrTime = hrTime(Date.now() - process.uptime() * MS_PER_SECOND);

  constructor(read: () => Promise<MetricsJson>) {
    this.#read = read;
  }

  async collect(): Promise<CollectionResult> {
    const metrics: MetricData[] = [];
    const errors: unknown[] = [];
    try {
      const endTime = hrTime(Date.now());
      for (const metric of await this.#read()) {
        const data = convert(metric, { startTime: this.#startTime, endTime });
        if (data !== undefined) metrics.push(data);
      }
    } catch (error) {
      errors.push(error);
    }
    const scope = { name: SERVICE_NAME.toLowerCase() };
    const scopeMetrics = [{ scope, metrics }];
    return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors };
  }
}

interface Span {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/** One metric in OpenTelemetry's form; undefined for a summary, which the service does not have. */
function convert(metric: PromMetric, span: Span): MetricData | undefined {
  const base = {
    descriptor: {
      name: metric.name,
      description: metric.help,
      unit: unitOf(metric.name),
      valueType: ValueType.DOUBLE,
    },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const values = metric.values as readonly PromValue[];
  // The declared type of prom-client is a number; its values are texts.
  switch (String(metric.type)) {
    case 'counter':
      return {
        ...base,
        dataPointType: DataPointType.SUM,
        isMonotonic: true,
        dataPoints: points(values, span),
      };
    case 'gauge':
      return { ...base, dataPointType: DataPointType.GAUGE, dataPoints: points(values, span) };
    case 'histogram':
      return {
        ...base,
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints: histograms(metric.name, values, span),
      };
    default:
      return undefined;
  }
}

function points(values: readonly PromValue[], span: Span): DataPoint<number>[] {
  return values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ value, labels }) => ({ ...span, attributes: attributesOf(labels), value }));
}

/** Prometheus counts up to each bound; OpenTelemetry counts between bounds. */
function histograms(
  name: string,
  values: readonly PromValue[],
  span: Span,
): DataPoint<Histogram>[] {
  const series = new Map<string, { attributes: Attributes; parts: PromValue[] }>();
  for (const value of values) {
    const { le: _, ...labels } = value.labels;
    const attributes = attributesOf(labels);
    const key = JSON.stringify(Object.entries(attributes).sort());
    const known = series.get(key);
    if (known === undefined) series.set(key, { attributes, parts: [value] });
    else known.parts.push(value);
  }
  return [...series.values()].map(({ attributes, parts }) => {
    const of = (suffix: string) => parts.filter(({ metricName }) => metricName === name + suffix);
    const buckets = of('_bucket')
      .map(({ labels, value }) => ({
        bound: labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le),
        value,
      }))
      .sort((one, other) => one.bound - other.bound);
    const counts = buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0));
    const boundaries = buckets.map(({ bound }) => bound).filter(Number.isFinite);
    const sum = of('_sum')[0]?.value ?? 0;
    const count = of('_count')[0]?.value ?? 0;
    return { ...span, attributes, value: { buckets: { boundaries, counts }, sum, count } };
  });
}

function attributesOf(labels: PromValue['labels']): Attributes {
  return Object.fromEntries(
    Object.entries(labels).filter(
      (entry): entry is [string, string | number] => entry[1] !== undefined,
    ),
  );
}

/** The unit that the name of a metric ends with, in UCUM's code. */
function unitOf(name: string): string {
  if (/_seconds(_total)?$/.test(name)) return 's';
  return /_bytes(_total)?$/.test(name) ? 'By' : '';
}

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / MS_PER_SECOND);
  return [seconds, Math.round((ms - seconds * MS_PER_SECOND) * NS_PER_MS)];
}
