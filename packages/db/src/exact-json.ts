/** A number that a double does not hold as it is written: an integer beyond 2^53, or more digits than are kept. */
export class ExactNumber {
  /** As it stands in the text. */
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** Numbers of so many characters, and those with an exponent, are the only ones that a double may change. */
const MAY_CHANGE = /[\d.]{16}|\d[eE]/;

/** Parses JSON without rounding: a number that would change is an {@link ExactNumber}. Throws `SyntaxError` as `JSON.parse` does. */
export function parseExactJson(text: string): unknown {
  if (!MAY_CHANGE.test(text)) return JSON.parse(text);
  // The types of `JSON` have no context yet, which the text of a value is in.
  return JSON.parse(text, (...[, value, context]: readonly [string, unknown, { readonly source?: string }?]) => {
    const source = context?.source;
    return typeof value === 'number' && source !== undefined && !isKept(value, source) ? new ExactNumber(source) : value;
  });
}

function isKept(value: number, source: string): boolean {
  // Beyond them two integers share one double, whatever it is written as.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return false;
  return plainDecimal(String(value)) === plainDecimal(source);
}

/** A decimal in one form for all the ways to write it: digits without zeros at the ends, and the power of ten of the last. */
function plainDecimal(text: string): string | null {
  const [, sign = '', whole = '', fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === '') return null;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return '0';
  const significant = digits.replace(/0+$/, '');
  return `${sign}${significant}e${Number(power) - fraction.length + digits.length - significant.length}`;
}

/** The path of the first value in JSON that {@link parseExactJson} kept as text; null where there is none. */
export function findExactNumber(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    if (inner instanceof ExactNumber) return name;
    const below = findExactNumber(inner);
    if (below !== null) return `${name}.${below}`;
  }
  return null;
}
