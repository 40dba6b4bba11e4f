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

/** A phone number as it was written, and as gateways and people write it together; the last of a Nigerian one is within all of them. */
export function phoneSpellings(text: string): readonly string[] {
  const canonical = canonicalPhone(text);
  const spellings = [text, `+${canonical}`, canonical];
  if (!canonical.startsWith(NIGERIA)) return spellings;
  const national = canonical.slice(NIGERIA.length);
  return [...spellings, `0${national}`, national];
}
