/** The conditions an account has to meet, as heads of columns. */
export const CONDITION_WORDS = {
  configured: 'Keys',
  enabled: 'On',
  currency: 'Currency',
  method: 'Method',
  amount: 'Amount',
  operator: 'Operator',
  health: 'Health',
} as const;

const INELIGIBLE: Readonly<Record<string, string>> = {
  // Of decisions stored earlier: poor health moves an account back now, and does not leave it out.
  unhealthy: 'Passed over: unhealthy',
  disabled_by_operator: 'Taken out by an operator',
  disabled: 'Passed over: switched off',
  method_not_supported: 'Passed over: method not taken',
  currency_not_supported: 'Passed over: currency not taken',
  amount_out_of_range: 'Passed over: amount out of range',
  not_configured: 'Passed over: no credentials',
};

/** Why an account was passed over, in a few words. */
export function describeIneligible(reason: string): string {
  return INELIGIBLE[reason] ?? `Passed over: ${reason}`;
}
