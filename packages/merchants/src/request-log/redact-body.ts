import { createRedactor, type Redactor, redactBody, redactedMark } from '@switchyard/gateways/redaction';

/** Longer bodies are not looked at: a request that is refused for a reason of its own is shorter. */
const READ_MAX = 16 * 1024;
const KEPT_MAX = 4_096;
const PATH_MAX = 300;
const DEPTH_MAX = 20;

const cardsAndSecrets = createRedactor([]);

/** Names of what is about a person or for the merchant alone: names of fields within stay and no values. */
const WHOLLY_PERSONAL = /(?:^|\[)(?:customer(?!_?country$)|card|payer|buyer|billing|shipping|meta)/i;
/** Ends of the names of fields about a person, without what joins words. */
const PERSONAL = /(?:email|name|phone|phonenumber|mobile|address|customerid|bvn|nin)(?:e?s)?$/;
/** Looked for from the beginning of a word on, so that long text without any costs little. */
const EMAIL = /(?<![^\s"'<>(),:;=&?/\\])[^\s"'<>(),:;=&?/\\]{1,200}(?:@|%40)[\w.-]{1,190}\.[a-z]{2,}/gi;
/** Written together or in groups, also percent-encoded. */
const PHONE =
  /(?:(?<![\w.-])|(?<=%[0-9a-f]{2}))(?:\+|%2B)?(?:234(?:(?:[ .+-]|%20)?\d){10}|0[789](?:(?:[ .+-]|%20)?\d){9}|(?<=\+|%2B)\d(?:(?:[ .-]|%20)?\d){7,14})(?![\w.-])/gi;
/** Keys of ours and of gateways, by the words that they begin with, whatever is before them. */
const KEY = /(?:sandbox_[ps]k_|[ps]k_(?:test|live)_|whsec_|FLW(?:PUB|SEC)K|MK_(?:TEST|PROD)_)[\w-]+/gi;
/** Query and fragment of an address that is all of a text, and of one within it. */
const ADDRESS = /^(\s*https?:[^?#]*)[?#].*$/is;
const ADDRESS_WITHIN = /(https?:\/\/[^\s"'<>?#]{1,500})[?#][^\s"'<>]*/gi;
const FORM = /^[\w.[\]%-]{1,100}=/;

const redactor: Redactor = {
  text: (body) => {
    if (!FORM.test(body)) return `[${body.length} characters that are neither JSON nor a form]`;
    return JSON.stringify(redactor.json(Object.fromEntries(new URLSearchParams(body))));
  },
  json: (value) => redactValue(value, 0),
};

/**
 * The text to keep of a body of a refused request, at most 4,096 characters: JSON without card data, secrets, queries of addresses and what
 * says who a customer is, valid unless it was cut. Of anything else than JSON and forms, and of more than 16 KiB, the length, as their content
 * is unknown. Null for an empty one.
 */
export function redactRequestBody(body: string): string | null {
  if (body === '') return null;
  if (body.length > READ_MAX) return `[${body.length} characters]`;
  return redactBody(body, redactor).slice(0, KEPT_MAX);
}

/** A path without what a caller may have written into it by mistake, at most 300 characters. */
export function redactPath(path: string): string {
  return redactText(path).slice(0, PATH_MAX);
}

function redactValue(value: unknown, depth: number): unknown {
  return cardsAndSecrets.json(withoutPersons(value, depth));
}

function redactText(text: string): string {
  const bare = cardsAndSecrets.text(text);
  return [EMAIL, PHONE, KEY].reduce((left, pattern) => left.replaceAll(pattern, redactedMark), bare);
}

function withoutPersons(value: unknown, depth: number): unknown {
  if (depth > DEPTH_MAX) return redactedMark;
  if (typeof value === 'string') return withoutPersonsInText(value, depth);
  if (typeof value === 'number') return redactText(String(value)).includes(redactedMark) ? redactedMark : value;
  if (Array.isArray(value)) return value.map((item) => withoutPersons(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      redactText(name),
      isPersonal(name) ? withoutValues(item, depth + 1) : withoutPersons(item, depth + 1),
    ]),
  );
}

/** JSON within a text, as some senders encode it twice, is redacted as JSON. */
function withoutPersonsInText(text: string, depth: number): string {
  const textual: Redactor = {
    text: (whole) => redactText(whole.replace(ADDRESS, '$1').replaceAll(ADDRESS_WITHIN, '$1')),
    json: (value) => redactValue(value, depth + 1),
  };
  return redactBody(text, textual);
}

function isPersonal(name: string): boolean {
  return WHOLLY_PERSONAL.test(name) || PERSONAL.test(name.toLowerCase().replace(/[^a-z]/g, ''));
}

/** Names of fields, and no values but empty ones, which may be what is wrong. */
function withoutValues(value: unknown, depth: number): unknown {
  if (value === null || value === undefined || value === '') return value;
  if (typeof value !== 'object' || Array.isArray(value) || depth > DEPTH_MAX) return redactedMark;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [redactText(name), withoutValues(item, depth + 1)]));
}
