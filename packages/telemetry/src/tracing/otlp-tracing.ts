import { createRequire, syncBuiltinESMExports } from 'node:module';
import { type Attributes, type Link, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import { parseTraceparent, setActiveTrace } from '../log/open-log.ts';
import type { ProcessName } from '../metrics/registry.ts';
import type { Tracing, TracingOptions } from './tracing.ts';

/** Starts tracing; the exporter reads its address and headers from the standard variables. */
export function startOtlpTracing(process: ProcessName, { routeOf = () => null }: TracingOptions): Tracing {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.namespace': 'switchyard', 'service.name': `switchyard-${process}` }),
    spanProcessors: [new BatchSpanProcessor(redactingExporter(new OTLPTraceExporter()))],
  });
  provider.register();
  const routeOfRequest = ({ method = 'GET', url = '/' }) => routeOf(method, url.split('?', 1)[0] ?? '/');
  registerInstrumentations({
    tracerProvider: provider,
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: (request) => routeOfRequest(request) === null,
        // The exporter's own requests have no parent.
        requireParentforOutgoingSpans: true,
        startIncomingSpanHook: (request) => ({ 'http.route': routeOfRequest(request) ?? '' }),
        requestHook: (span, request) => {
          if ('headers' in request) span.updateName(`${request.method} ${routeOfRequest(request)}`);
        },
      }),
      new UndiciInstrumentation({ requireParentforSpans: true }),
      new PgInstrumentation({ requireParentSpan: true, enhancedDatabaseReporting: false }),
    ],
  });
  // Instrumentations change modules as they are required. What is imported later, or was before, is the same object.
  const load = createRequire(import.meta.url);
  for (const name of ['node:http', 'node:https']) load(name);
  createRequire(import.meta.resolve('@switchyard/db'))('pg');
  syncBuiltinESMExports();
  setActiveTrace(() => {
    const context = trace.getActiveSpan()?.spanContext();
    return context === undefined ? null : { traceId: context.traceId, spanId: context.spanId };
  });
  const tracer = provider.getTracer('switchyard');
  return {
    isOn: true,
    inSpan: (name, attributes, work, link = null) =>
      tracer.startActiveSpan(name, { attributes, links: linksTo(link) }, (span) => {
        const result = work();
        if (result instanceof Promise)
          result.then(
            () => span.end(),
            () => span.end(),
          );
        else span.end();
        return result;
      }),
    close: () => provider.shutdown().catch(() => undefined),
  };
}

function linksTo(traceparent: string | null): Link[] {
  const ids = traceparent === null ? null : parseTraceparent(traceparent);
  return ids === null ? [] : [{ context: { ...ids, traceFlags: TraceFlags.SAMPLED, isRemote: true } }];
}

/** Attributes that may leave the process with a span. Paths and queries of addresses, headers and error texts are in none. */
const KEPT: ReadonlySet<string> = new Set([
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'network.protocol.version',
  'error.type',
  'server.address',
  'server.port',
  'db.system',
  'db.system.name',
  'db.operation.name',
  'db.postgresql.plan',
  'messaging.system',
  'messaging.destination.name',
  'messaging.message.id',
]);
const STATEMENTS: ReadonlySet<string> = new Set(['db.query.text', 'db.statement']);
const STATEMENT_MAX = 1_000;

/** Passes spans on without what could hold a secret or a customer's data: only listed attributes remain. */
export function redactingExporter(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(redactSpan), done),
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  };
}

/** A copy of the span without events and status text, with listed attributes only, and of its links their ids alone. */
export function redactSpan(span: ReadableSpan): ReadableSpan {
  return {
    name: redactName(span),
    kind: span.kind,
    spanContext: () => span.spanContext(),
    ...(span.parentSpanContext && { parentSpanContext: span.parentSpanContext }),
    startTime: span.startTime,
    endTime: span.endTime,
    status: { code: span.status.code },
    attributes: redactAttributes(span.attributes),
    links: span.links.map(({ context: { traceId, spanId, traceFlags } }) => ({ context: { traceId, spanId, traceFlags } })),
    events: [],
    duration: span.duration,
    ended: span.ended,
    resource: span.resource,
    instrumentationScope: span.instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: span.events.length,
    droppedLinksCount: 0,
  };
}

/** Names are made of a method and a route, or of the kind of a statement. */
function redactName({ name, attributes }: ReadableSpan): string {
  if (!name.startsWith('pg')) return name.split('?', 1)[0] ?? name;
  const plan = attributes['db.postgresql.plan'];
  return typeof plan === 'string' ? `${name.split(' ', 1)[0]} ${plan}` : (name.split(' ', 1)[0] ?? name);
}

function redactAttributes(attributes: Attributes): Attributes {
  const kept: Attributes = {};
  for (const [key, value] of Object.entries(attributes)) {
    if (KEPT.has(key)) kept[key] = value;
    else if (STATEMENTS.has(key) && typeof value === 'string') kept[key] = withoutLiterals(value);
  }
  return kept;
}

/** Statements carry their values apart; a text or number that is written in one all the same is taken out. */
function withoutLiterals(statement: string): string {
  return statement
    .slice(0, STATEMENT_MAX)
    .replaceAll(/'(?:[^']|'')*'?/g, '?')
    .replaceAll(/(?<![$\w.])\d+(?:\.\d+)?/g, '?');
}
