import { formatMoney } from '../format/amounts.ts';
import type { Outage, OutageAccount } from './use-outage.ts';

const NAMED_MAX = 3;

/** The outage in a few words: `Paystack (paystack-main) is down`. */
export function outageTitle({ accounts, isCorrelated }: Pick<Outage, 'accounts' | 'isCorrelated'>): string {
  const [first, ...others] = accounts;
  if (first === undefined) return 'Gateways are in trouble';
  if (others.length === 0) return `${first.gatewayTitle} (${first.label}) ${STATES[first.state]}`;
  const gateways = [...new Set(accounts.map(({ gatewayTitle }) => gatewayTitle))];
  const named = gateways.slice(0, NAMED_MAX).join(', ');
  const names = gateways.length > NAMED_MAX ? `${named} and ${gateways.length - NAMED_MAX} more` : named;
  const state = accounts.every((account) => account.state === first.state) ? STATES_OF_SEVERAL[first.state] : 'are in trouble';
  return isCorrelated
    ? `Correlated outage: ${accounts.length} gateway accounts ${state} (${names})`
    : `${accounts.length} gateway accounts ${state} (${names})`;
}

const STATES: Record<OutageAccount['state'], string> = {
  down: 'is down',
  degraded: 'is degraded',
  probing: 'is being probed',
  healthy: 'has recovered',
};

const STATES_OF_SEVERAL: Record<OutageAccount['state'], string> = {
  down: 'are down',
  degraded: 'are degraded',
  probing: 'are being probed',
  healthy: 'have recovered',
};

type Impact = Outage['impact'];

/** Impact on payments, in payments and money: `13 payments`, null where there is none, and the rest of the sentence. */
export function outageImpact(impact: Impact): { readonly affected: string | null; readonly rest: string } {
  const payments = sum(impact, 'payments');
  if (payments === 0) return { affected: null, rest: 'No payment has been affected so far.' };
  const caught = sum(impact, 'caught');
  const failed = sum(impact, 'failed');
  const saved =
    caught === 0 ? 'fallbacks caught none' : `fallbacks caught ${figure(caught)} (${money(impact, 'caught', 'caughtAmount')})`;
  const lost = failed === 0 ? 'none failed' : `${figure(failed)} failed (${money(impact, 'failed', 'failedAmount')})`;
  return { affected: count(payments), rest: ` (${money(impact, 'payments', 'amount')}) affected: ${saved}, ${lost}.` };
}

function sum(impact: Impact, name: 'payments' | 'caught' | 'failed'): number {
  return impact.reduce((total, one) => total + one[name], 0);
}

/** The sums of the currencies that have any: money of two currencies is never added. */
function money(
  impact: Impact,
  counted: 'payments' | 'caught' | 'failed',
  amount: 'amount' | 'caughtAmount' | 'failedAmount',
): string {
  return impact
    .filter((one) => one[counted] > 0)
    .map((one) => formatMoney(one.currency, one[amount]))
    .join(', ');
}

function figure(value: number): string {
  return value.toLocaleString('en');
}

function count(payments: number): string {
  return `${figure(payments)} ${payments === 1 ? 'payment' : 'payments'}`;
}
