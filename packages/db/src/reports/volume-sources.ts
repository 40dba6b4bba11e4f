import { type Part, splitPeriod, sumsThatFit } from './periods.ts';
import { DAY_ZONE, EVERYONE } from './totals.ts';
import type { VolumeGroup, VolumeQuery } from './volume.ts';
import { paymentsAsOf } from './volume-as-of.ts';

/** Takes a value of the statement; returns what stands for it in the text. */
type Bind = (value: unknown) => string;

/** Sums that tell apart rules and accounts, accounts but no rules, or neither of them nor merchants. */
export type Fineness = 'rules' | 'accounts' | 'everyone';

type Asked = Pick<VolumeQuery, 'groupBy' | 'accountIds' | 'ruleIds'>;

/** The coarsest sums that tell apart what a question does; `everyone` says that it is about all merchants there are. */
export function sumsThatTell({ groupBy, accountIds, ruleIds }: Asked, everyone: boolean): Fineness {
  if (ruleIds.length > 0 || groupBy.includes('rule')) return 'rules';
  if (!everyone || accountIds.length > 0 || groupBy.includes('account') || groupBy.includes('merchant')) return 'accounts';
  return 'everyone';
}

/** Whether sums of all merchants together would do, if the question were about all there are. */
export function couldBeOfEveryone(query: VolumeQuery): boolean {
  return query.asOf === null && sumsThatTell(query, true) === 'everyone';
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
  // Where no days are asked for, it does not matter whose they are.
  const foreign = zone !== DAY_ZONE && groupBy.some((group) => columnOf(group) === 'created_at');
  const parts = splitPeriod(from, to, foreign ? sumsThatFit(zone, from, to) : { days: true, hours: true });
  const how = { columns, where, scope, fineness: sumsThatTell(query, everyone), bind };
  return [...parts.map((part) => statementOf(part, how)), ...notesOf(parts, how)];
}

interface How {
  readonly columns: string;
  /** Merchants and mode, as SQL. */
  readonly scope: { readonly merchants: string; readonly mode: string };
  /** What else holds of rows. */
  readonly where: string;
  readonly fineness: Fineness;
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

function statementOf({ source, from, to }: Part, { columns, scope, where, fineness, bind }: How): string {
  const [begin, end] = [`${bind(from)}::timestamptz`, `${bind(to)}::timestamptz`];
  const theirs = `merchant_id = ANY(${scope.merchants}::uuid[]) AND mode = ${scope.mode}::mode`;
  const total = (step: 'hour' | 'day') => `SELECT begins_at AS created_at, ${columns} FROM payment_total
    WHERE ${fineness === 'everyone' ? `merchant_id = '${EVERYONE}' AND mode = ${scope.mode}::mode` : theirs}
      AND step = '${step}' AND begins_at >= ${begin} AND begins_at < ${end} AND ${where}`;
  switch (source) {
    case 'days':
      if (fineness !== 'rules') return total('day');
      return `SELECT day::timestamp AT TIME ZONE '${DAY_ZONE}' AS created_at, ${columns} FROM payment_day
    WHERE ${theirs} AND day >= (${begin} AT TIME ZONE '${DAY_ZONE}')::date AND day < (${end} AT TIME ZONE '${DAY_ZONE}')::date
      AND ${where}`;
    case 'hours':
      if (fineness === 'everyone') return total('hour');
      return `SELECT hour_at AS created_at, ${columns} FROM payment_hour
    WHERE ${theirs} AND hour_at >= ${begin} AND hour_at < ${end} AND ${where}`;
    case 'payments':
      return `SELECT created_at, ${columns} FROM (
      SELECT share.* FROM payment AS p, LATERAL payment_share(p, 1) AS share
      WHERE p.merchant_id = ANY(${scope.merchants}::uuid[]) AND p.mode = ${scope.mode}::mode AND p.created_at >= ${begin} AND p.created_at < ${end}) AS single
    WHERE ${where}`;
    default: {
      const never: never = source;
      return never;
    }
  }
}

/** What waits to be added to the sums that are read. */
function notesOf(parts: readonly Part[], { columns, scope, where, bind }: How): string[] {
  const summed = parts.filter(({ source }) => source !== 'payments');
  const [first, last] = [summed[0], summed.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [
    `SELECT created_at, ${columns} FROM payment_note_to_count
    WHERE merchant_id = ANY(${scope.merchants}::uuid[]) AND mode = ${scope.mode}::mode
      AND created_at >= ${bind(first.from)}::timestamptz AND created_at < ${bind(last.to)}::timestamptz AND ${where}`,
  ];
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
