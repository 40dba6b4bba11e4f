export { eraseCustomer, previewErasure } from './customers/erase-customer.ts';
export { exportCustomer } from './customers/export-customer.ts';
export { ageOut } from './retention/age-out.ts';
export { changeRetention, describeRetention } from './retention/change-retention.ts';
export { KEPT, RETENTION_KINDS, RETENTION_LIMITS } from './retention/kinds.ts';
