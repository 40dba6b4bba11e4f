import { Counter, Gauge, Histogram } from 'prom-client';
import type { MetricsRegistry } from './registry.ts';

const BUCKETS_S = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** A request that was answered, or whose client went away. */
export interface AnsweredRequest {
  readonly method: string;
  /** A template such as `/v1/payments/{paymentId}`, never an id itself. */
  readonly route: string;
  /** Null when the client went away before the answer. */
  readonly status: number | null;
  readonly seconds: number;
}

/** Counts requests of a server. */
export interface HttpMetrics {
  answered(request: AnsweredRequest): void;
  shed(importance: string): void;
  /** Counts requests that were kept for the request log, or dropped. */
  logged(fate: string, requests: number): void;
}

/** Labels of a server's requests, known before the first: their series begin at 0, so that the first request is an increase. */
export interface ExpectedRequests {
  readonly importances: readonly string[];
  readonly routes: readonly { readonly method: string; readonly route: string }[];
}

/** Load of a server at the time of a scrape. */
export interface ServerLoad {
  readonly inFlight: number;
  /** Those among them that wait for their turn. */
  readonly waiting: number;
}

/** Metrics of HTTP requests; `load` is read at each scrape. */
export function countRequests(
  registry: MetricsRegistry,
  { load, expected }: { readonly load: () => ServerLoad; readonly expected: ExpectedRequests },
): HttpMetrics {
  const registers = [registry];
  const durations = new Histogram({
    name: 'switchyard_http_request_duration_seconds',
    help: 'Duration of HTTP requests by route template and class of status; status "gone" where the client left first.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_S,
    registers,
  });
  const shed = new Counter({
    name: 'switchyard_http_requests_shed_total',
    help: 'Requests answered 503 because of overload, by importance.',
    labelNames: ['importance'],
    registers,
  });
  const logged = new Counter({
    name: 'switchyard_request_log_requests_total',
    help: 'Requests with API keys for the request log: written, or dropped because there were too many (full) or the database took none (failed).',
    labelNames: ['fate'],
    registers,
  });
  for (const fate of ['written', 'full', 'failed']) logged.inc({ fate }, 0);
  for (const importance of expected.importances) shed.inc({ importance }, 0);
  for (const { method, route } of expected.routes) {
    for (const status of EXPECTED_CLASSES) durations.zero({ method, route, status });
  }
  new Gauge({
    name: 'switchyard_http_requests_in_flight',
    help: 'Requests that are being answered.',
    registers,
    collect() {
      this.set(load().inFlight);
    },
  });
  new Gauge({
    name: 'switchyard_http_requests_waiting',
    help: 'Reads and requests of the dashboard that wait for their turn because of overload.',
    registers,
    collect() {
      this.set(load().waiting);
    },
  });
  return {
    answered: ({ method, route, status, seconds }) =>
      durations.observe({ method: METHODS.has(method) ? method : 'other', route, status: statusClass(status) }, seconds),
    shed: (importance) => shed.inc({ importance }),
    logged: (fate, requests) => logged.inc({ fate }, requests),
  };
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const EXPECTED_CLASSES = ['2xx', '4xx', '5xx'] as const;
const CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

function statusClass(status: number | null): string {
  return status === null ? 'gone' : (CLASSES[Math.floor(status / 100) - 1] ?? 'other');
}
