import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Metrics that can be read as text. */
export interface ReadableMetrics {
  /** The metrics in Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Where to listen. */
export interface MetricsPlace {
  readonly host: string;
  /** 0 takes any free port. */
  readonly metricsPort?: number;
}

/** A listener for metrics. */
export interface MetricsListener {
  /** As `http://127.0.0.1:9090`. */
  readonly address: string;
  close(): void;
}

/**
 * Serves `GET /metrics`, and nothing else, on a port of its own. The listener does not keep the
 * process alive.
 *
 * @returns undefined without metrics or without a port for them
 * @throws the system's error when it cannot listen
 */
export async function listenForMetrics(
  { host, metricsPort }: MetricsPlace,
  metrics: ReadableMetrics | undefined,
): Promise<MetricsListener | undefined> {
  if (metrics === undefined || metricsPort === undefined) return undefined;
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    try {
      const text = await metrics.text();
      response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
    } catch {
      response.writeHead(500).end();
    }
  }).listen(metricsPort, host);
  await once(server, 'listening');
  // An idle connection of a scraper must not keep the process alive.
  server.unref();
  const { port } = server.address() as AddressInfo;
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { address, close: () => void server.close() };
}
