import { FastifyOtelInstrumentation } from '@fastify/otel';
import {
  type Attributes,
  type AttributeValue,
  type Context,
  DiagLogLevel,
  diag,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type Span,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import type { FastifyPluginCallback } from 'fastify';
import type { Logger } from 'pino';
import type { Gate } from '../billing/gate.js';
import { throttledLog } from '../core/throttled-log.js';
import { SERVICE_NAME, SERVICE_VERSION } from '../core/version.js';
import type { Computer } from '../request/pool.js';

/** Where telemetry goes, and what it describes. */
export interface TelemetryOptions {
  /** Base address of an OpenTelemetry collector (OTLP over HTTP), such as `http://127.0.0.1:4318`. */
  readonly endpoint: string;
  readonly log: Logger;
}

/** Sends the traces of a process to a collector. */
export interface Telemetry {
  /** Makes a span for each request. Register it before the routes. */
  readonly plugin: FastifyPluginCallback;
  /** A gate whose charging steps are spans. */
  traceGate(gate: Gate): Gate;
  /** A computer whose computations are spans. */
  traceComputer(computer: Computer): Computer;
  /** Sends what is left, for at most two seconds. */
  close(): Promise<void>;
}

/** Maximum time that closing waits for a collector that does not answer. */
const CLOSE_MAX_MS = 2000;

/**
 * Starts to send traces to an OpenTelemetry collector. The packages read further settings from the standard variables
 * `OTEL_TRACES_SAMPLER`, `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_BSP_*`. A missing collector
 * does not delay requests: spans wait in a bounded queue, and are dropped when it is full. A process may call this
 * function once.
 */
export function startTelemetry({ endpoint, log }: TelemetryOptions): Telemetry {
  const warn = throttledLog((fault: string, omitted: number) =>
    log.warn({ fault, omitted }, 'telemetry does not reach the collector'),
  );
  const quiet = () => undefined;
  diag.setLogger(
    { error: warn, warn, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const name = `${SERVICE_NAME.toLowerCase()}-api`;
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': name, 'service.version': SERVICE_VERSION }))
    // OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME of the operator have priority.
    .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }));
  const tracing = new NodeTracerProvider({
    resource,
    spanProcessors: [
      new RequestIdProcessor(),
      new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })),
    ],
  });
  tracing.register();
  const tracer = tracing.getTracer(SERVICE_NAME.toLowerCase(), SERVICE_VERSION);

  /** Runs work inside a span. Sets the attributes that `describe` returns for its result. */
  const inSpan = <Result>(
    spanName: string,
    attributes: Attributes,
    work: () => Promise<Result>,
    describe: (result: Result) => Attributes,
  ): Promise<Result> =>
    tracer.startActiveSpan(spanName, { attributes }, async (span) => {
      try {
        const result = await work();
        span.setAttributes(describe(result));
        return result;
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: String(error) });
        throw error;
      } finally {
        span.end();
      }
    });

  return {
    plugin: requestSpans(tracing),
    traceGate: (gate) => ({
      knows: (keyHash) => gate.knows(keyHash),
      accountOf: (keyHash) => gate.accountOf(keyHash),
      lookUp: (key) => gate.lookUp(key),
      step: (step) =>
        inSpan(
          `charge ${step.operation}`,
          {
            [REQUEST_ID]: step.requestId,
            'vitruvia.operation': step.operation,
            'vitruvia.cost': step.cost,
          },
          () => gate.step(step),
          ({ kind }) => ({ 'vitruvia.outcome': kind }),
        ),
      ready: () => gate.ready(),
      funds: (account, mode) => gate.funds(account, mode),
      close: () => gate.close(),
    }),
    traceComputer: (computer) => ({
      compute: (task, left) =>
        inSpan(
          `${task.reads === undefined ? 'compute' : 'read'} ${task.operation}`,
          { 'vitruvia.operation': task.operation, 'vitruvia.part': task.chunk?.index ?? 0 },
          () => computer.compute(task, left),
          ({ kind }) => ({ 'vitruvia.outcome': kind }),
        ),
    }),
    async close() {
      const sent = tracing.shutdown().catch(() => undefined);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, CLOSE_MAX_MS);
      });
      await Promise.race([sent, late]);
      clearTimeout(timer);
    },
  };
}

/**
 * Makes the spans of requests. Their name and path are those of the route, because the address may contain a token from
 * a link in an e-mail.
 */
function requestSpans(tracing: NodeTracerProvider): FastifyPluginCallback {
  const instrumentation = new FastifyOtelInstrumentation({
    instrumentHooks: false,
    requestHook(span, request) {
      const route = request.routeOptions.url ?? 'none';
      span.updateName(`${request.method} ${route}`);
      span.setAttributes({ 'url.path': route, [REQUEST_ID]: request.id });
    },
  });
  instrumentation.setTracerProvider(tracing);
  return instrumentation.plugin();
}

/** The attribute of a span that contains the id of the request. Log lines and the ledger have the same id. */
export const REQUEST_ID = 'vitruvia.request_id';

/** Copies the id of the request from each span to its inner spans. */
class RequestIdProcessor implements SpanProcessor {
  onStart(span: Span, parentContext: Context): void {
    if (span.attributes[REQUEST_ID] !== undefined) return;
    const id = requestIdOf(trace.getSpan(parentContext));
    if (id !== undefined) span.setAttribute(REQUEST_ID, id);
  }

  onEnd(): void {
    // Spans are complete when they start.
  }

  async forceFlush(): Promise<void> {
    // Nothing is kept here.
  }

  async shutdown(): Promise<void> {
    // Nothing is kept here.
  }
}

/** The request id of a span of this process. Spans of other processes have no id here. */
function requestIdOf(span: object | undefined): AttributeValue | undefined {
  if (span === undefined || !('attributes' in span)) return undefined;
  const { attributes } = span as Pick<Span, 'attributes'>;
  return attributes[REQUEST_ID];
}
