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
