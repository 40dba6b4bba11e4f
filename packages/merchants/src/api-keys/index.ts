export { authenticate } from './authenticate.ts';
export { isKeyUsable, isUsable } from './is-key-usable.ts';
export { KEY_SCOPES, type KeyScope } from './key-restrictions.ts';
export { flushKeyUse } from './key-use.ts';
export { hashSecret, makeSecret, withChecksum } from './keys.ts';
