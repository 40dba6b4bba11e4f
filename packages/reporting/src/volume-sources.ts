import type { RollupDetail } from '@switchyard/db/client';
import { ALL_MERCHANTS, selectContributions } from './payment-rollups.ts';
import { type Part, splitInZone } from './periods.ts';
import { paymentsAsOf } from './volume-as-of.ts';
import type { VolumeGroup, VolumeQuery } from './volume-query.ts';

/** Adds a value to the statement; returns its placeholder. */
type Bind = (value: unknown) => string;

type RollupQuery = Pick<VolumeQuery, 'groupBy' | 'accountIds' | 'ruleIds'>;

/** The coarsest roll-up that has a query's groups and filters; `isAllMerchantsQuery` when it covers every merchant. */
export function selectRollup({ groupBy, accountIds, ruleIds }: RollupQuery, isAllMerchantsQuery: boolean): RollupDetail {
  if (ruleIds.length > 0 || groupBy.includes('rule')) return 'rules';
  if (!isAllMerchantsQuery || accountIds.length > 0 || groupBy.includes('account') || groupBy.includes('merchant'))
    return 'accounts';
  return 'all_merchants';
}

/** True if roll-ups over all merchants suffice, provided that the query covers every merchant. */
export function coversAllMerchants(query: VolumeQuery): boolean {
  return query.asOf === null && selectRollup(query, true) === 'all_merchants';
}

/** The sources of a volume: SELECTs of the same columns that together contain every matching payment once. */
export function sourcesOf(query: VolumeQuery, isAllMerchantsQuery: boolean, bind: Bind): readonly string[] {
  const { asOf, from, to, zone, groupBy } = query;
  const scope = { merchants: bind(query.merchantIds), mode: bind(query.mode) };
  const where = conditions(query, bind);
  const named = new Set([...groupBy.map(columnOf), 'status']);
  named.delete('created_at');
  const columns = [...named, 'payments', 'amount', 'fees', 'refunded', 'late', 'reversed'].join(', ');
  if (asOf !== null) {
    const then = paymentsAsOf(scope, { asOf: bind(asOf), from: bind(from), to: bind(to) });
    return [`SELECT created_at, ${columns} FROM (${then}) AS single WHERE ${where}`];
  }
  const steps = groupBy.filter((group) => group === 'day' || group === 'week' || group === 'month');
  const parts = splitInZone({ from, to, zone }, steps);
  const options = { columns, where, scope, detail: selectRollup(query, isAllMerchantsQuery), bind };
  const bySource = Map.groupBy(parts, ({ source }) => source);
  return [...[...bySource].map(([source, ranges]) => statementOf(source, ranges, options)), ...changesOf(parts, options)];
}

interface SourceOptions {
  readonly columns: string;
  /** Merchants and mode, as SQL. */
  readonly scope: { readonly merchants: string; readonly mode: string };
  /** Further conditions on rows. */
  readonly where: string;
  readonly detail: RollupDetail;
  readonly bind: Bind;
}

function conditions(query: VolumeQuery, bind: Bind): string {
  const some = (column: string, chosen: readonly string[], type: string) =>
    chosen.length === 0 ? [] : [`${column} = ANY(${bind(chosen)}::${type}[])`];
  const all = [
    ...some('currency', query.currency === null ? [] : [query.currency], 'bpchar'),
    ...some('gateway', query.gateways, 'text'),
    ...some('account_id', query.accountIds, 'uuid'),
    ...some('method', query.methods, 'text'),
    ...some('status', query.statuses, 'payment_status'),
    ...some('rule_id', query.ruleIds, 'text'),
  ];
  return all.length === 0 ? 'true' : all.join(' AND ');
}

type Range = Pick<Part, 'from' | 'to'>;

function statementOf(source: Part['source'], ranges: readonly Range[], options: SourceOptions): string {
  const { columns, scope, where } = options;
  if (source === 'payments') {
    return overRanges(ranges, options, (begin, end) => {
      const scoped = `p.merchant_id = ANY(${scope.merchants}::uuid[]) AND p.mode = ${scope.mode}::mode`;
      const single = selectContributions(`${scoped} AND p.created_at >= ${begin} AND p.created_at < ${end}`);
      return `SELECT created_at, ${columns} FROM (${single}) AS single WHERE ${where}`;
    });
  }
  // Hourly roll-ups by account would be no fewer than those by rule.
  const detail = options.detail === 'accounts' && source === 'hour' ? 'rules' : options.detail;
  const merchants = detail === 'all_merchants' ? `= '${ALL_MERCHANTS}'` : `= ANY(${scope.merchants}::uuid[])`;
  return overRanges(
    ranges,
    options,
    (begin, end) => `SELECT begins_at AS created_at, ${columns} FROM payment_rollup
      WHERE merchant_id ${merchants} AND mode = ${scope.mode}::mode AND detail = '${detail}' AND step = '${source}'
        AND begins_at >= ${begin} AND begins_at < ${end} AND ${where}`,
  );
}

/** The change records that are not applied to the roll-ups yet. */
function changesOf(parts: readonly Part[], options: SourceOptions): string[] {
  const { columns, scope, where } = options;
  const ranges: Range[] = [];
  for (const { from, to } of parts.filter(({ source }) => source !== 'payments')) {
    const before = ranges.at(-1);
    if (before?.to.getTime() === from.getTime()) ranges[ranges.length - 1] = { from: before.from, to };
    else ranges.push({ from, to });
  }
  if (ranges.length === 0) return [];
  const select = (begin: string, end: string) => `SELECT created_at, ${columns} FROM payment_rollup_change
    WHERE merchant_id = ANY(${scope.merchants}::uuid[]) AND mode = ${scope.mode}::mode
      AND created_at >= ${begin} AND created_at < ${end} AND ${where}`;
  return [overRanges(ranges, options, select)];
}

/** A SELECT over each of several periods; `select` gets their ends. */
function overRanges(ranges: readonly Range[], { bind }: SourceOptions, select: (begin: string, end: string) => string): string {
  const [first, ...more] = ranges;
  if (first !== undefined && more.length === 0)
    return select(`${bind(first.from)}::timestamptz`, `${bind(first.to)}::timestamptz`);
  const ends = [bind(ranges.map(({ from }) => from)), bind(ranges.map(({ to }) => to))];
  // OFFSET 0 keeps each period an index lookup of its own.
  return `SELECT part.* FROM unnest(${ends.map((end) => `${end}::timestamptz[]`).join(', ')}) AS stretch (begins, ends)
    CROSS JOIN LATERAL (${select('stretch.begins', 'stretch.ends')} OFFSET 0) AS part`;
}

/** The column of the sources that a group is by. */
export function columnOf(group: VolumeGroup): string {
  switch (group) {
    case 'day':
    case 'week':
    case 'month':
      return 'created_at';
    case 'account':
    case 'merchant':
    case 'rule':
      return `${group}_id`;
    case 'gateway':
    case 'method':
    case 'status':
    case 'currency':
      return group;
    default: {
      const never: never = group;
      return never;
    }
  }
}
