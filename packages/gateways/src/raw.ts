import type { Redactor } from './redact.ts';

const maxRawBytes = 8 * 1024;

/** A gateway's answer as it came, redacted. One that is absurdly large is cut down to the fields that are known. */
export function rawAnswer(
  data: Readonly<Record<string, unknown>>,
  knownFields: readonly string[],
  redactor: Redactor,
): Readonly<Record<string, unknown>> {
  const whole = Buffer.byteLength(JSON.stringify(data)) <= maxRawBytes;
  const entries = whole ? Object.entries(data) : knownFields.map((field) => [field, data[field]] as const);
  return redactFields(entries, redactor);
}

function redactFields(entries: readonly (readonly [string, unknown])[], redactor: Redactor): Readonly<Record<string, unknown>> {
  const redacted = redactor.json(Object.fromEntries(entries));
  return typeof redacted === 'object' && redacted !== null ? { ...redacted } : {};
}
