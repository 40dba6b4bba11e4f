export { type Change, changeConfiguration } from './configuration/change-configuration.ts';
export { type MerchantConfiguration, readRevision } from './configuration/configuration.ts';
export { openResources, type Resources } from './configuration/resources.ts';
export { lockConfiguration, raiseConfigurationRevision } from './configuration/revisions.ts';
export type { MerchantsContext } from './context.ts';
export { type FieldProblem, fieldProblems } from './field-problems.ts';
export type { AccountOpener, OpenAccount } from './gateway-accounts/account-access.ts';
export type { OwnFault } from './gateway-accounts/own-fault.ts';
export { findMerchantRow, updateMerchantRow } from './merchants/queries.ts';
