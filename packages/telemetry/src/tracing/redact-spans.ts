import type { Attributes } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';

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
