/**
 * What staff enter about merchants and keys. Forms check it in the browser by the same schemas, so that this entry imports nothing
 * but zod.
 */
export { keyNameSchema } from './api-keys/key-name.ts';
export { merchantSettings } from './merchants/merchant-settings.ts';
