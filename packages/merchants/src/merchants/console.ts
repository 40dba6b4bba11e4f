export { type CreateMerchantOutcome, createMerchant } from './create-merchant.ts';
export { findMerchant, listMerchants } from './find-merchant.ts';
export { type UpdateMerchantOutcome, updateMerchant } from './update-merchant.ts';
