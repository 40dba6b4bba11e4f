export { type ChangeKeyOutcome, changeKey } from './change-key.ts';
export { type IssueKeyOutcome, issueKey } from './issue-key.ts';
export { listExpiringKeys } from './list-expiring-keys.ts';
export { listIssuedKeys } from './list-issued-keys.ts';
export { listKeys } from './list-keys.ts';
export type { MintedKey } from './mint-key.ts';
export { readApiKeyNames } from './queries.ts';
export { type RevokeKeyOutcome, revokeKey } from './revoke-key.ts';
export { type RotateKeyOutcome, rotateKey } from './rotate-key.ts';
