import type { z } from 'zod';
import type { FieldError, FieldErrorCode } from './envelope.ts';

const ERRORS_MAX = 50;

const OWN_CODES = ['too_long', 'required'] as const satisfies readonly FieldErrorCode[];

/** The code of a rule that zod has none for. */
export const withCode = (code: (typeof OWN_CODES)[number]) => ({ params: { code } }) as const;
/** For rules about length that zod has none for. */
export const TOO_LONG = withCode('too_long');

/**
 * Each problem once: field path, then the rule it violates (`customer.email must be a valid e-mail address`). Fields that a strict object
 * does not have are found by `findUnknownFields`, with what they may be meant for.
 */
export function describeIssues(issues: readonly z.core.$ZodIssue[]): FieldError[] {
  const described = issues
    .filter((issue) => issue.code !== 'unrecognized_keys' && !isImplied(issue, issues))
    .map((issue) => ({ field: path(issue.path), code: codeOf(issue), rule: rule(issue) }));
  return [...new Map(described.map((error) => [`${error.field} ${error.rule}`, error])).values()].slice(0, ERRORS_MAX);
}

function codeOf(issue: z.core.$ZodIssue): FieldErrorCode {
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_value':
      return issue.input === undefined ? 'required' : issue.code;
    case 'too_small':
      return issue.origin === 'string' ? 'too_short' : 'too_small';
    case 'too_big':
      return issue.origin === 'string' ? 'too_long' : 'too_large';
    case 'invalid_format':
      return 'invalid_format';
    case 'custom':
      return OWN_CODES.find((code) => code === issue.params?.code) ?? 'invalid_value';
    default:
      return 'invalid_value';
  }
}

/** True if a tighter bound of the same field implies this one: a number too large for an integer is too large for an amount. */
function isImplied(issue: z.core.$ZodIssue, issues: readonly z.core.$ZodIssue[]): boolean {
  return issues.some((other) => {
    if (path(other.path) !== path(issue.path)) return false;
    if (other.code === 'too_big' && issue.code === 'too_big') return other.maximum < issue.maximum;
    return other.code === 'too_small' && issue.code === 'too_small' && other.minimum > issue.minimum;
  });
}

function path(segments: readonly PropertyKey[]): string {
  return segments.length === 0 ? 'body' : segments.map(String).join('.');
}

function rule(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return issue.origin === 'string' ? lengthRule(issue.minimum, 'at least') : `must be at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string' ? lengthRule(issue.maximum, 'at most') : `must be at most ${issue.maximum}`;
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : issue.message;
    default:
      return issue.message;
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'an integer',
  int: 'an integer',
  object: 'an object',
  record: 'an object',
  boolean: 'true or false',
};

function lengthRule(bound: number | bigint, word: 'at least' | 'at most'): string {
  if (word === 'at least' && bound === 1) return 'must not be empty';
  return `must be ${word} ${bound} characters long`;
}
