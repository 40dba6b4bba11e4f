import { workSubject } from '@switchyard/db';
import { type Environment, readSettings, SETTINGS } from '@switchyard/runtime/settings';
import { type DestinationStream, type Logger, pino } from 'pino';

const LOG_SETTINGS = SETTINGS.pick({ LOG_LEVEL: true });

/**
 * Opens the log of a process: JSON lines on standard output unless `to` is given, at `LOG_LEVEL`, `info` unless set. Each line is written before
 * the call returns: a process that dies has written its last one, and another thread that writes it costs several times the processor. Errors are
 * written under `error`, without statements' values and addresses' passwords. Each line names the merchant and the payment that the present work is about.
 */
export function openLog(environment: Environment, to: DestinationStream = pino.destination({ sync: true })): Logger {
  const { LOG_LEVEL: level } = readSettings(LOG_SETTINGS, environment);
  return pino({ level, serializers: { error: describeError }, mixin: subjectFields }, to);
}

/** The fields of what the present work is about; none outside of such work. */
function subjectFields(): object {
  const subject = workSubject();
  return subject === undefined
    ? {}
    : { 'switchyard.merchant_id': subject.merchantId, 'switchyard.payment_id': subject.paymentId };
}

/** The loggable part of an error: never a statement's values, never a URL with a password. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an error' };
  const code = 'code' in error ? String(error.code) : undefined;
  return { name: error.name, message: error.message.slice(0, 500), code, stack: error.stack?.split('\n').slice(1, 8).join('\n') };
}

/** A place in a distributed trace, in W3C's hexadecimal form. */
export interface TraceIds {
  readonly traceId: string;
  readonly spanId: string;
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/;

let readActive: (() => TraceIds | null) | null = null;

/** Gives {@link traceOf} the active span; set once tracing has started. */
export function setActiveTrace(read: () => TraceIds | null): void {
  readActive = read;
}

/** The trace that a request belongs to: of the active span, or of the caller's `traceparent` while this process traces nothing. */
export function traceOf(traceparent: string | string[] | undefined): TraceIds | null {
  if (readActive !== null) return readActive();
  return typeof traceparent === 'string' ? parseTraceparent(traceparent) : null;
}

/** The `traceparent` of the active span; null while this process traces nothing. */
export function activeTraceparent(): string | null {
  const active = readActive?.() ?? null;
  return active === null ? null : `00-${active.traceId}-${active.spanId}-01`;
}

/** The ids of a `traceparent`; null if it is malformed. */
export function parseTraceparent(traceparent: string): TraceIds | null {
  const [, traceId, spanId] = TRACEPARENT.exec(traceparent) ?? [];
  return traceId === undefined || spanId === undefined ? null : { traceId, spanId };
}
