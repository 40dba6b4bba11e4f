/** The customer of every checkout that a certification opens; fictitious, and shown as it is. */
export const certificationEmail = 'certification@example.com';

/** Fields that describe people, companies or their bank accounts, and what takes the place of a text in them. */
const MASKS: readonly (readonly [name: RegExp, mask: string])[] = [
  [/e-?mail/i, 'person@example.com'],
  [/phone|mobile|msisdn/i, '+2340000000000'],
  [/^ip$|ip_?address|client_?ip/i, '203.0.113.1'],
  [/account_?(?:number|no)$|nuban|^bvn$|masked_?pan/i, '0000000000'],
  [/(?:^|_)name$|[a-z]Name$|^address|_address$/, 'Masked'],
];

/**
 * A copy of JSON from the wire without the people in it: lists of a merchant's test account show other customers than the certification's
 * own. Types stay, so that a connector reads the copy as it read the original.
 */
export function maskPersons(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskPersons);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskField(name, inner)]));
}

function maskField(name: string, value: unknown): unknown {
  if (typeof value !== 'string' || value === '' || value === certificationEmail) return maskPersons(value);
  return MASKS.find(([pattern]) => pattern.test(name))?.[1] ?? value;
}
