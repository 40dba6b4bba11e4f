export { eraseCustomer } from './customers/erase-customer.ts';
export { exportCustomer } from './customers/export-customer.ts';
export { previewErasure } from './customers/preview-erasure.ts';
export { ageOut } from './retention/age-out.ts';
export { changeRetention } from './retention/change-retention.ts';
export { describeRetention } from './retention/describe-retention.ts';
export { KEPT, RETENTION_KINDS, RETENTION_LIMITS } from './retention/kinds.ts';
