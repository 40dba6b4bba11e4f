/** A comparison of a filter: an attribute in lower case, without its schema and without a selection of its values. */
export interface EqualTerm {
  readonly attribute: string;
  readonly value: string | boolean;
}

const FILTER_MAX = 1_000;
const TERMS_MAX = 4;
const VALUE = String.raw`("(?:[^"\\]|\\.)*"|true|false)`;
const COMPARISON = new RegExp(String.raw`\s*([a-z][\w:.-]*)(?:\[[^\]]*\])?((?:\.[a-z]+)?)\s+eq\s+${VALUE}\s*`, 'iy');
/** A selection that stands alone: `members[value eq "…"]`. */
const SELECTION = new RegExp(String.raw`\s*([a-z][\w:.-]*)\[\s*([a-z]+)\s+eq\s+${VALUE}\s*\]\s*(?=and\b|$)`, 'iy');
const AND = /and\s/iy;

/**
 * Reads a filter of comparisons for equality, joined by `and` (RFC 7644, section 3.4.2.2): what provisioning clients send. Null for any
 * other.
 */
export function parseFilter(text: string): readonly EqualTerm[] | null {
  if (text.length > FILTER_MAX) return null;
  const terms: EqualTerm[] = [];
  for (let at = 0; terms.length < TERMS_MAX; ) {
    const found = matchAt(SELECTION, text, at) ?? matchAt(COMPARISON, text, at);
    const value = readLiteral(found?.[3]);
    if (found === null || value === null) return null;
    const [whole, name = '', sub = ''] = found;
    terms.push({ attribute: `${withoutSchema(name)}${sub && `.${sub.replace('.', '')}`}`.toLowerCase(), value });
    at += whole.length;
    if (at === text.length) return terms;
    const and = matchAt(AND, text, at);
    if (and === null) return null;
    at += and[0].length;
  }
  return null;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function readLiteral(literal: string | undefined): string | boolean | null {
  if (literal === undefined) return null;
  if (!literal.startsWith('"')) return literal.toLowerCase() === 'true';
  try {
    return String(JSON.parse(literal));
  } catch {
    return null;
  }
}

const CORE_SCHEMA = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;

/** A path of an attribute without the URN of a core schema, which it may have (RFC 7644, section 3.10). */
export function withoutSchema(path: string): string {
  return path.replace(CORE_SCHEMA, '');
}
