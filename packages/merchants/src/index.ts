export { findMerchantRow, updateMerchantRow, updateMetadataKeys } from './merchants/queries.ts';
