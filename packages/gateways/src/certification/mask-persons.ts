import { parseWireJson } from '../wire-json.ts';

/** The customer of every checkout that a certification opens; fictitious, and shown as it is. */
export const certificationEmail = 'certification@example.com';

const MASKED_EMAIL = 'person@example.com';
const MASKED_PHONE = '+2340000000000';

/** Fields that describe people, companies or their bank accounts, and what takes the place of a text in them. */
const MASKS: readonly (readonly [name: RegExp, mask: string])[] = [
  [/e-?mail/i, MASKED_EMAIL],
  [/phone|mobile|msisdn/i, MASKED_PHONE],
  [/^ip$|ip_?address|client_?ip/i, '203.0.113.1'],
  [/account_?(?:number|no)$|nuban|^bvn$|masked_?pan/i, '0000000000'],
  [/(?:^|_)name$|[a-z]Name$|^address|_address$/, 'Masked'],
  [/(?:first|last|full|sur|originator)name$|(?:_by|^by|sender)$/i, 'Masked'],
  [/[a-z]By$/, 'Masked'],
];

/** Lengths are limited, so that a long text of letters is not read again from each of them. */
const emailPattern = /[\p{L}\p{N}._%+-]{1,64}(?:@|%40)[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{2,63})+/gu;
/** Numbers of Nigerian mobile phones as people and gateways write them, some with stars: `08012345678`, `+234 801 234 5678`, `0801***5678`. */
const phonePattern = /(?<![\w.|-])(?:(?:\+|%2B)?234[ -]?0?|0)[789][01]\d[ -]?[\d*]{3}[ -]?[\d*]{4}(?![\w|-])/g;

/**
 * A copy of JSON from the wire without the people in it: lists of a merchant's test account show other customers than the certification's
 * own. Types stay, so that a connector reads the copy as it read the original.
 */
export function maskPersons(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map(maskPersons);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskField(name, inner)]));
}

/** Text without the e-mail addresses and phone numbers in it; JSON within text is masked by the names of its fields too. */
export function maskText(text: string): string {
  const json = /^\s*[[{]/.test(text) ? parseWireJson(text) : undefined;
  if (json !== undefined) return JSON.stringify(maskPersons(json));
  return text
    .replace(emailPattern, (email) => (email === certificationEmail ? email : MASKED_EMAIL))
    .replace(phonePattern, MASKED_PHONE);
}

function maskField(name: string, value: unknown): unknown {
  if (value === '' || value === certificationEmail) return value;
  const mask = MASKS.find(([pattern]) => pattern.test(name))?.[1];
  if (mask !== undefined && typeof value === 'string') return mask;
  // Phones and accounts may be numbers.
  if (mask !== undefined && typeof value === 'number' && Number.isFinite(Number(mask))) return Number(mask);
  return maskPersons(value);
}
