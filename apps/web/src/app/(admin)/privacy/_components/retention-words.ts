import type { RouterOutputs } from '#/trpc/outputs.ts';

/** A kind of data with its setting. */
export type RetentionRow = RouterOutputs['privacy']['retention']['kinds'][number];

/** A kind of data in words. */
export const RETENTION_NAMES: Readonly<Record<RetentionRow['kind'], string>> = {
  gateway_calls: 'Requests to gateways and their responses',
  gateway_webhooks: 'Gateway webhooks',
  refused_webhooks: 'Counts of refused gateway webhooks',
  webhook_deliveries: 'Events and webhook deliveries',
  health_counts: 'Health counts',
  health_events: 'Health changes',
  alerts: 'Alerts and their messages',
  shadow_drafts: 'Decisions of drafts in shadow',
  canary_customers: 'Customers of canaries',
  report_files: 'Files of scheduled reports',
  sign_in_records: 'Ended sessions and links',
  failed_jobs: 'Failed jobs',
  api_requests: 'Requests with API keys',
  idempotency_records: 'Idempotency records',
};

/** A number of days in words. */
export function inDays(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}

/** Where a setting comes from, as a fact: `Default`. */
export function describeSource({ from, kind }: Pick<RetentionRow, 'from' | 'kind'>): string {
  if (kind === 'idempotency_records') return 'Fixed';
  switch (from) {
    case 'default':
      return 'Default';
    case 'workspace':
      return 'Workspace';
    case 'merchant':
      return 'This merchant';
    default:
      return from satisfies never;
  }
}
