export { findMerchantRow, updateMerchantRow } from './merchants/queries.ts';
