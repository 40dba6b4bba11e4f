const NIGERIA = '234';

/**
 * A phone number as digits with its country code, so that spellings of one number compare equal: `0803 123 4567`, `+234 803…` and
 * `00234803…`. A number with a single leading zero counts as Nigerian.
 */
export function canonicalPhone(text: string): string {
  const digits = text.replace(/\D/g, '');
  if (digits.startsWith('00')) return digits.slice(2);
  return digits.startsWith('0') ? `${NIGERIA}${digits.slice(1)}` : digits;
}
