import { parseWireJson } from './wire-json.ts';

/** Replaces a secret. */
export const redactedMark = '[redacted]';

/** Takes the secrets of one account, and anything that looks like card data or a credential, out of what is to be stored. */
export interface Redactor {
  /** Redacted text, free of NUL and unpaired surrogates, which databases refuse. */
  text(text: string): string;
  /** A redacted copy of a JSON value, object by object. */
  json(value: unknown): unknown;
}

/** Shorter values are no secrets, and replacing them everywhere would garble ordinary text. */
const minSecretLength = 4;
const maxWalkDepth = 40;
/** Longer bodies are redacted as text: walking JSON that is truncated anyway would only delay other calls. */
const maxStructuredLength = 64 * 1024;

const secretKeys = new Set([
  'accesstoken',
  'apikey',
  'authorizationcode',
  'bvn',
  'cardcvv',
  'cardnumber',
  'cardpin',
  'cvc',
  'cvv',
  'cvv2',
  'encryptionkey',
  'otp',
  'pan',
  'password',
  'pin',
  'privatekey',
  'refreshtoken',
  'secret',
  'secrethash',
  'secretkey',
  'token',
]);

/**
 * Card numbers written together, or in the groups people use, also percent-encoded or in JSON within text. Hyphens and letters beside them
 * mean an id, not a card, unless they end an encoded character (`%2C`, `\n`, `\u0020`). The time in a reference of Monnify's is none either:
 * `MNFY|17|20261120112245|000311`.
 */
const cardPattern =
  /(?:(?<![\w.%-])|(?<=%[0-9a-f]{2}|\\[bfnrt]|\\u[0-9a-f]{4}))(?<!MNFY(?:\||%7C)\d{1,3}(?:\||%7C)(?=20\d{12}(?:\||%7C)))(?:[2-6]\d{12,18}|[2-6]\d{3}([ +-]|%20)\d{4}\1\d{4}\1\d{1,7}|3\d{3}([ +-]|%20)\d{6}\2\d{5})(?![\w-]|\.\d)/gi;
const encodedSpace = /%20|\+/g;
const bearerPattern = /\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi;
const pairPattern =
  /(["']?\b(?:access_?token|api_?key|authorization_?code|card_?number|cvc|cvv2?|encryption_?key|otp|pan|password|pin|private_?key|refresh_?token|secret(?:_?key|_?hash)?|token)["']?\s{0,4}[:=]\s{0,4}["']?)[^"'&,;\s<>{}]+/gi;

/** Builds the redactor for one account's secret values. Empty and very short values are passed over. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = secrets.filter((secret) => secret.length >= minSecretLength).flatMap(formsOf);
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  const pattern = longestFirst.length === 0 ? null : new RegExp(longestFirst.map(escapePattern).join('|'), 'gi');
  const withoutSecrets = (text: string): string => {
    const clean = text.toWellFormed().replaceAll('\u0000', '\ufffd');
    const bare = pattern === null ? clean : clean.replace(pattern, redactedMark);
    return bare.replace(cardPattern, (digits) => (isCardNumber(digits.replace(encodedSpace, ' ')) ? redactedMark : digits));
  };
  return {
    text: (text) => withoutSecrets(text).replace(bearerPattern, `$1 ${redactedMark}`).replace(pairPattern, `$1${redactedMark}`),
    json: (value) => redactValue(value, withoutSecrets, 0),
  };
}

/** The text to store of a received body, with the redactor's marks: JSON is redacted value by value, anything else as text. */
export function redactBody(body: string, { text, json }: Redactor): string {
  const parsed = body.length > maxStructuredLength ? undefined : parseWireJson(body);
  return typeof parsed === 'object' && parsed !== null ? JSON.stringify(json(parsed)) : text(body);
}

function redactValue(value: unknown, text: (text: string) => string, depth: number): unknown {
  if (depth > maxWalkDepth) return redactedMark;
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return isCardNumber(String(value)) ? redactedMark : value;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, text, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__') continue;
    const plain = isSecretKey(key, item) ? redactedMark : redactValue(item, text, depth + 1);
    copy[text(key)] = isAccountNumber(key) && typeof plain === 'string' ? plain.replace(/\d(?=\d{4})/g, '*') : plain;
  }
  return copy;
}

/** True of a bank account's number, of which the last four digits are kept: `accountNumber`, `sender_bank_account_number`. */
function isAccountNumber(key: string): boolean {
  return /account_?number$/i.test(key);
}

function isSecretKey(key: string, value: unknown): boolean {
  if (value === null || value === '') return false;
  const plain = key.toLowerCase().replace(/[^a-z0-9]/g, '');
  // Paystack describes the card under `authorization`: that object is walked, a header of that name is not kept.
  return secretKeys.has(plain) || (plain === 'authorization' && typeof value === 'string');
}

/** 13 to 19 digits that begin as card numbers do and satisfy the Luhn check. */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, '');
  if (!/^[2-6]\d{12,18}$/.test(digits)) return false;
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - at));
    const doubled = digit * 2;
    sum += at % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The secret as it is, and as it looks inside JSON, an address, hex and base64. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
    bytes.toString('hex'),
    ...base64Cores(bytes),
  ];
}

/**
 * In base64 a value looks different at each of three offsets, and its first and last characters also depend on its
 * neighbours. What is left between them is the same whatever surrounds the value.
 */
function base64Cores(bytes: Buffer): string[] {
  const cores: string[] = [];
  for (const offset of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64url');
    const firstOwn = Math.ceil((offset * 8) / 6);
    const lastOwn = Math.floor(((offset + bytes.length) * 8) / 6);
    const core = encoded.slice(firstOwn, lastOwn);
    if (core.length >= minSecretLength * 2) cores.push(core, core.replaceAll('-', '+').replaceAll('_', '/'));
  }
  return cores;
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

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
