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
