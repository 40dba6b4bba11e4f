import type { Outage, OutageAccount } from './use-outage.ts';

/** An outage in as few words as the title of a tab has room for: `Paystack down`. */
export function outageMark({ accounts }: Pick<Outage, 'accounts'>): string {
  const [first = '', ...others] = [...new Set(accounts.map(({ gatewayTitle }) => gatewayTitle))];
  const worst = accounts[0]?.state ?? 'healthy';
  return `${first}${others.length > 0 ? ` and ${others.length} more` : ''} ${MARKS[worst]}`;
}

const MARKS: Record<OutageAccount['state'], string> = {
  down: 'down',
  degraded: 'degraded',
  probing: 'probing',
  healthy: 'recovered',
};
