import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { expect, test } from 'vitest';
import { redactingExporter } from './otlp-tracing.ts';

const CANARY = 'canary-ada@example.com';
const LINKED = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', traceFlags: 1 };

test('nothing of a secret or a customer leaves with a span', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(redactingExporter(exporter))] });
  const span = provider.getTracer('test').startSpan('POST', {
    kind: SpanKind.CLIENT,
    links: [{ context: LINKED, attributes: { 'customer.email': CANARY } }],
    attributes: {
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'url.full': `https://api.paystack.co/transaction?email=${CANARY}`,
      'http.request.header.authorization': `Bearer ${CANARY}`,
      'db.query.text': `SELECT id FROM payment WHERE email = '${CANARY}' AND amount > 2500 AND merchant_id = $1`,
      'server.address': 'api.paystack.co',
    },
  });
  span.addEvent(CANARY);
  span.recordException(new Error(CANARY));
  span.setStatus({ code: SpanStatusCode.ERROR, message: CANARY });
  span.end();
  await provider.forceFlush();
  const [sent] = exporter.getFinishedSpans();
  expect(sent?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.response.status_code': 200,
    'server.address': 'api.paystack.co',
    'db.query.text': 'SELECT id FROM payment WHERE email = ? AND amount > ? AND merchant_id = $1',
  });
  expect(sent?.status).toEqual({ code: SpanStatusCode.ERROR });
  expect(sent?.links).toEqual([{ context: LINKED }]);
  expect(JSON.stringify([sent?.name, sent?.events, sent?.attributes, sent?.status, sent?.links])).not.toContain(CANARY);
  await provider.shutdown();
});
