import type { z } from 'zod';

export {
  type Change,
  type ChangeContext,
  changeConfiguration,
  lockConfiguration,
  raiseConfigurationRevision,
  recordChange,
} from './configuration/change-configuration.ts';
export { type LoadedCanary, type MerchantConfiguration, readRevision } from './configuration/configuration.ts';
export type { AccountOpener, OpenAccount, OwnFault } from './gateway-accounts/account-access.ts';
export { credentialBinding } from './gateway-accounts/account-access.ts';
export type { Resources, RuntimeContext } from './resources.ts';

/** One thing wrong with what was entered. `${field} ${message}` reads as a sentence; `field` is dotted. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** Every problem of an input, as its form shows them. */
export function fieldProblems(error: z.ZodError): FieldProblem[] {
  return error.issues.map((issue) => ({ field: issue.path.map(String).join('.') || 'input', message: issue.message }));
}
