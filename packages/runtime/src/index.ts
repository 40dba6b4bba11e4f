export { type Change, type ChangeContext, changeConfiguration, recordChange } from './configuration/change-configuration.ts';
export { type MerchantConfiguration, readRevision } from './configuration/configuration.ts';
export { lockConfiguration, raiseConfigurationRevision } from './configuration/revisions.ts';
export type { RuntimeContext } from './context.ts';
export { type FieldProblem, fieldProblems } from './field-problems.ts';
export type { AccountOpener, OpenAccount } from './gateway-accounts/account-access.ts';
export { credentialBinding } from './gateway-accounts/credential-binding.ts';
export type { OwnFault } from './gateway-accounts/own-fault.ts';
export type { Resources } from './resources.ts';
