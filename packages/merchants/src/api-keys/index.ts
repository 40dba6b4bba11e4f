export { authenticate } from './authenticate.ts';
export { flushKeyUse } from './key-use.ts';
export { hashSecret, makeSecret, withChecksum } from './keys.ts';
