import { createRedactor, type Redactor, redactBody, redactedMark } from '@switchyard/gateways/redaction';

/** Longer bodies are not looked at: a request that is refused for a reason of its own is shorter. */
const READ_MAX = 16 * 1024;
const KEPT_MAX = 4_096;
const PATH_MAX = 300;
const DEPTH_MAX = 20;

const cardsAndSecrets = createRedactor([]);

/** Objects of which names of fields stay and no values. */
const WHOLLY_PERSONAL = /^(?:customer|meta|metadata)(?:\[|$)/i;
/** Ends of the names of fields about a person, without what joins words. */
const PERSONAL = /(?:email|name|phone|phonenumber|mobile|address|customerid|bvn|nin)$/;
/** Looked for from the beginning of a word on, so that long text without any costs little. */
const EMAIL = /(?<![^\s"'<>(),:;=&?/\\])[^\s"'<>(),:;=&?/\\]{1,200}(?:@|%40)[\w.-]{1,190}\.[a-z]{2,}/gi;
const PHONE = /(?<![\w.-])(?:\+|%2B)?(?:234\d{10}|0[789]\d{9}|(?<=\+|%2B)\d{8,15})(?![\w.-])/gi;
/** Keys of ours and of gateways, by the words that they begin with. */
const KEY = /\b(?:[ps]k_(?:test|live)_|whsec_|FLW(?:PUB|SEC)K)[\w-]+/gi;
const FORM = /^[\w.[\]%-]{1,100}=/;

const redactor: Redactor = {
  text: (body) => {
    if (!FORM.test(body)) return `[${body.length} characters that are neither JSON nor a form]`;
    return JSON.stringify(redactor.json(Object.fromEntries(new URLSearchParams(body))));
  },
  json: (value) => cardsAndSecrets.json(withoutPersons(value, 0)),
};

/**
 * The text to keep of a body of a refused request, at most 4,096 characters: JSON without card data, secrets and what says who a customer
 * is. Of anything else than JSON and forms, and of more than 16 KiB, the length, as their content is unknown. Null for an empty one.
 */
export function redactRequestBody(body: string): string | null {
  if (body === '') return null;
  if (body.length > READ_MAX) return `[${body.length} characters]`;
  return withoutAddressesAndKeys(redactBody(body, redactor)).slice(0, KEPT_MAX);
}

/** A path without what a caller may have written into it by mistake, at most 300 characters. */
export function redactPath(path: string): string {
  return withoutAddressesAndKeys(cardsAndSecrets.text(path.slice(0, PATH_MAX)));
}

function withoutAddressesAndKeys(text: string): string {
  return [EMAIL, PHONE, KEY].reduce((left, pattern) => left.replaceAll(pattern, redactedMark), text);
}

function withoutPersons(value: unknown, depth: number): unknown {
  if (depth > DEPTH_MAX) return redactedMark;
  if (Array.isArray(value)) return value.map((item) => withoutPersons(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (WHOLLY_PERSONAL.test(name)) return [name, withoutValues(item, depth + 1)];
      return [name, isPersonal(name, item) ? redactedMark : withoutPersons(item, depth + 1)];
    }),
  );
}

function isPersonal(name: string, value: unknown): boolean {
  return isGiven(value) && typeof value !== 'object' && PERSONAL.test(name.toLowerCase().replace(/[^a-z]/g, ''));
}

/** Names of fields, and no values but empty ones, which may be what is wrong. */
function withoutValues(value: unknown, depth: number): unknown {
  if (!isGiven(value)) return value;
  if (typeof value !== 'object' || Array.isArray(value) || depth > DEPTH_MAX) return redactedMark;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutValues(item, depth + 1)]));
}

function isGiven(value: unknown): value is NonNullable<unknown> {
  return value !== null && value !== undefined && value !== '';
}
