export { type Authentication, authenticate } from './authenticate.ts';
export type { MerchantsContext } from './context.ts';
export type { FieldProblem } from './field-problems.ts';
export { type IssueKeyCommand, type IssueKeyOutcome, issueKey } from './issue-key.ts';
export { flushKeyUse } from './key-use.ts';
export { LEAKED_KEY_PATTERN, parseKey } from './keys.ts';
export type { MintedKey } from './mint-key.ts';
