export { authenticate } from './authenticate.ts';
export { flushKeyUse } from './key-use.ts';
export { hashSecret, makeSecret, withChecksum } from './keys.ts';
export { listExpiringKeys } from './list-expiring-keys.ts';
