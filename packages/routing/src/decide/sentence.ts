import type { Clock } from '../clock.ts';
import { methodWord } from '../health-text.ts';
import { formatBound, formatMoney, groupDigits, SHARE_FROM } from '../money.ts';
import type { ConfigurationFault, IneligibleReason, RoutableAccount, RoutablePayment } from '../types.ts';

/** `912 of 1,000 (91.2%)`; `3 of 4` where the whole is too small for a percentage. */
export function describeShare(part: number, whole: number): string {
  const figures = `${groupDigits(part)} of ${groupDigits(whole)}`;
  return whole < SHARE_FROM ? figures : `${figures} (${(Math.round((part * 1000) / whole) / 10).toFixed(1)}%)`;
}

/** `NGN 2,500.00 by card`; `NGN 2,500.00 by mobile money from GH` where a country is known. */
export function describePayment(payment: Pick<RoutablePayment, 'currency' | 'amount' | 'method' | 'customerCountry'>): string {
  const amount = formatMoney(payment.currency, payment.amount);
  const base = payment.method === null ? `${amount} without a method` : `${amount} by ${methodWord(payment.method)}`;
  return payment.customerCountry === null ? base : `${base} from ${payment.customerCountry}`;
}

/** Why an account is ineligible, as a clause after its name: `does not take USSD`. Health and overrides have their own texts. */
export function describeObstacle(
  reason: IneligibleReason,
  account: RoutableAccount,
  payment: RoutablePayment,
  clock: Clock,
): string {
  switch (reason) {
    case 'not_configured':
      return describeNotConfigured(account, clock);
    case 'disabled':
      return 'is disabled';
    case 'currency_not_supported':
      return `does not take ${payment.currency}`;
    case 'method_not_supported':
      return `does not take ${payment.method === null ? 'this method' : methodWord(payment.method)}`;
    case 'amount_out_of_range':
      return `takes ${describeLimits(account, payment.currency)}, not ${formatMoney(payment.currency, payment.amount)}`;
    case 'disabled_by_operator':
      return 'is excluded by an operator';
    default:
      return reason satisfies never;
  }
}

/** Why an account that is not configured takes no payments, to follow its name, with what has to be done about it. */
export function describeNotConfigured(
  { configurationFault: fault }: Pick<RoutableAccount, 'configurationFault'>,
  clock: Clock,
): string {
  if (fault === undefined) return 'has no usable credentials';
  return `is out of rotation since ${clock.timeOf(fault.since)}: ${describeConfigurationFault(fault, 'its gateway')}`;
}

/** The gateway's objection and its remedy: `Paystack refuses its credentials; replace them, or test the connection`. */
export function describeConfigurationFault({ kind, message }: ConfigurationFault, gateway: string): string {
  switch (kind) {
    case 'credentials':
      return `${gateway} refuses its credentials; replace them, or test the connection`;
    case 'settings': {
      const words = message === '' ? '' : ` (${message.replace(/[.]$/, '')})`;
      return `${gateway} refuses its checkouts${words}; correct its settings, then test the connection`;
    }
    default:
      return kind satisfies never;
  }
}

function describeLimits(account: RoutableAccount, currency: string): string {
  const from = formatBound(currency, account.minAmount);
  return account.maxAmount === null ? `${from} and more` : `${from} to ${formatBound(currency, account.maxAmount)}`;
}

/** Ends a text from another source with a full stop, unless it ends a sentence already. */
export function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
