import { createRequire, syncBuiltinESMExports } from 'node:module';
import { type Link, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { parseTraceparent, setActiveTrace } from '../log/open-log.ts';
import type { ProcessName } from '../metrics/registry.ts';
import { redactingExporter } from './redact-spans.ts';
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
