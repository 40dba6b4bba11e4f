import type { RollupDetail } from '@switchyard/db/client';
import { countedPayments, EVERYONE } from './payment-rollups.ts';
import { type Part, splitInZone } from './periods.ts';
import type { VolumeGroup, VolumeQuery } from './volume.ts';
import { paymentsAsOf } from './volume-as-of.ts';

/** Takes a value of the statement; returns what stands for it in the text. */
type Bind = (value: unknown) => string;

type Asked = Pick<VolumeQuery, 'groupBy' | 'accountIds' | 'ruleIds'>;

/** The coarsest sums that tell apart what a question does; `everyone` says that it is about all merchants there are. */
export function selectRollup({ groupBy, accountIds, ruleIds }: Asked, everyone: boolean): RollupDetail {
  if (ruleIds.length > 0 || groupBy.includes('rule')) return 'rules';
  if (!everyone || accountIds.length > 0 || groupBy.includes('account') || groupBy.includes('merchant')) return 'accounts';
  return 'all_merchants';
}

/** Whether sums of all merchants together would do, if the question were about all there are. */
export function coversAllMerchants(query: VolumeQuery): boolean {
  return query.asOf === null && selectRollup(query, true) === 'all_merchants';
}

/** What a volume is added up from: SELECTs of rows shaped alike, that together hold every payment in question once. */
export function sourcesOf(query: VolumeQuery, everyone: boolean, bind: Bind): readonly string[] {
  const { asOf, from, to, zone, groupBy } = query;
  const scope = { merchants: bind(query.merchantIds), mode: bind(query.mode) };
  const where = conditions(query, bind);
  const named = new Set([...groupBy.map(columnOf), 'status']);
  named.delete('created_at');
  const columns = [...named, 'payments', 'amount', 'fees', 'refunded', 'late'].join(', ');
  if (asOf !== null) {
    const then = paymentsAsOf(scope, { asOf: bind(asOf), from: bind(from), to: bind(to) });
    return [`SELECT created_at, ${columns} FROM (${then}) AS single WHERE ${where}`];
  }
  const steps = groupBy.filter((group) => group === 'day' || group === 'week' || group === 'month');
  const parts = splitInZone({ from, to, zone }, steps);
  const how = { columns, where, scope, detail: selectRollup(query, everyone), bind };
  const bySource = Map.groupBy(parts, ({ source }) => source);
  return [...[...bySource].map(([source, ranges]) => statementOf(source, ranges, how)), ...notesOf(parts, how)];
}

interface How {
  readonly columns: string;
  /** Merchants and mode, as SQL. */
  readonly scope: { readonly merchants: string; readonly mode: string };
  /** What else holds of rows. */
  readonly where: string;
  readonly detail: RollupDetail;
  readonly bind: Bind;
}

function conditions(query: VolumeQuery, bind: Bind): string {
  const some = (column: string, chosen: readonly string[], type: string) =>
    chosen.length === 0 ? [] : [`${column} = ANY(${bind(chosen)}::${type}[])`];
  return [
    `currency = ${bind(query.currency)}`,
    ...some('gateway', query.gateways, 'text'),
    ...some('account_id', query.accountIds, 'uuid'),
    ...some('method', query.methods, 'text'),
    ...some('status', query.statuses, 'payment_status'),
    ...some('rule_id', query.ruleIds, 'text'),
  ].join(' AND ');
}

type Range = Pick<Part, 'from' | 'to'>;

function statementOf(source: Part['source'], ranges: readonly Range[], how: How): string {
  const { columns, scope, where } = how;
  if (source === 'payments') {
    return overRanges(ranges, how, (begin, end) => {
      const theirs = `p.merchant_id = ANY(${scope.merchants}::uuid[]) AND p.mode = ${scope.mode}::mode`;
      const single = countedPayments(`${theirs} AND p.created_at >= ${begin} AND p.created_at < ${end}`);
      return `SELECT created_at, ${columns} FROM (${single}) AS single WHERE ${where}`;
    });
  }
  // Sums by hour that tell accounts apart would be no fewer than those that tell rules apart.
  const detail = how.detail === 'accounts' && source === 'hour' ? 'rules' : how.detail;
  const whose = detail === 'all_merchants' ? `= '${EVERYONE}'` : `= ANY(${scope.merchants}::uuid[])`;
  return overRanges(
    ranges,
    how,
    (begin, end) => `SELECT begins_at AS created_at, ${columns} FROM payment_rollup
      WHERE merchant_id ${whose} AND mode = ${scope.mode}::mode AND detail = '${detail}' AND step = '${source}'
        AND begins_at >= ${begin} AND begins_at < ${end} AND ${where}`,
  );
}

/** What waits to be added to the sums that are read. */
function notesOf(parts: readonly Part[], how: How): string[] {
  const { columns, scope, where } = how;
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
  return [overRanges(ranges, how, select)];
}

/** A SELECT over each of several stretches of time, which it is told the ends of. */
function overRanges(ranges: readonly Range[], { bind }: How, select: (begin: string, end: string) => string): string {
  const [first, ...more] = ranges;
  if (first !== undefined && more.length === 0)
    return select(`${bind(first.from)}::timestamptz`, `${bind(first.to)}::timestamptz`);
  const ends = [bind(ranges.map(({ from }) => from)), bind(ranges.map(({ to }) => to))];
  // Kept apart, so that each stretch is looked up by itself, however many there are.
  return `SELECT part.* FROM unnest(${ends.map((end) => `${end}::timestamptz[]`).join(', ')}) AS stretch (begins, ends)
    CROSS JOIN LATERAL (${select('stretch.begins', 'stretch.ends')} OFFSET 0) AS part`;
}

/** The column of the sources that a group is told apart by. */
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
      return group;
    default: {
      const never: never = group;
      return never;
    }
  }
}
