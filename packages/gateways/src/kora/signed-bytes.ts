import { parseWireJson } from '../wire-json.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;

/**
 * The bytes of a member's value, exactly as they stand at the top of a JSON object, without the blanks around it. Null when the
 * bytes are not a JSON object, or have no member of that name or several: with several, readers differ in which one counts.
 *
 * `JSON.parse` cannot give them: its `context.source` is there for numbers and strings alone, and writing a parsed value again
 * changes its blanks, escapes, repeated keys and numbers such as `1.0`.
 */
export function bytesOfMember(body: Uint8Array, name: string): Uint8Array | null {
  const parsed = parseWireJson(new TextDecoder('utf-8').decode(body));
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null;
  const values = [...membersOf(body)].filter(([key]) => key === name).map(([, value]) => value);
  return values.length === 1 ? (values[0] ?? null) : null;
}

/** The members of the outermost object with the bytes of their values. The bytes must be valid JSON. */
function* membersOf(body: Uint8Array): Generator<readonly [key: string, value: Uint8Array]> {
  let depth = 0;
  let key: string | null = null;
  let valueStart = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) {
      const end = endOfString(body, at);
      if (depth === 1 && key === null) key = readString(body.subarray(at, end + 1));
      at = end;
    } else if (opens(byte)) {
      depth += 1;
    } else if (closes(byte)) {
      if (depth === 1 && key !== null) yield [key, trimmed(body.subarray(valueStart, at))];
      depth -= 1;
    } else if (depth === 1 && byte === COLON) {
      valueStart = at + 1;
    } else if (depth === 1 && byte === COMMA) {
      if (key !== null) yield [key, trimmed(body.subarray(valueStart, at))];
      key = null;
    }
  }
}

/** Index of the closing quote. No byte of a longer UTF-8 character equals a quote or a backslash. */
function endOfString(body: Uint8Array, start: number): number {
  for (let at = start + 1; at < body.length; at += 1) {
    if (body[at] === BACKSLASH) at += 1;
    else if (body[at] === QUOTE) return at;
  }
  return body.length;
}

/** A key with its escapes resolved: `"d\u0061ta"` is `data` too. */
function readString(bytes: Uint8Array): string {
  return String(parseWireJson(new TextDecoder('utf-8').decode(bytes)));
}

function trimmed(bytes: Uint8Array): Uint8Array {
  let start = 0;
  let end = bytes.length;
  while (start < end && isBlank(bytes[start])) start += 1;
  while (end > start && isBlank(bytes[end - 1])) end -= 1;
  return bytes.subarray(start, end);
}

function opens(byte: number | undefined): boolean {
  return byte === 0x7b || byte === 0x5b;
}

function closes(byte: number | undefined): boolean {
  return byte === 0x7d || byte === 0x5d;
}

/** The four blanks of JSON. */
function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
