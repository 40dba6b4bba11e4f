import type { RollupDetail } from '@switchyard/db/client';
import { selectSettled } from './payment-dates.ts';
import { ALL_MERCHANTS, ROLLUP_MEASURES, selectContributions } from './payment-rollups.ts';
import { type Part, splitInZone } from './periods.ts';
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
  return isByCreation(query) && query.asOf === null && selectRollup(query, true) === 'all_merchants';
}

function isByCreation({ date = 'created' }: VolumeQuery): boolean {
  return date === 'created';
}

/** The sources of a volume: SELECTs of the same columns that together contain every matching payment once. */
export function sourcesOf(query: VolumeQuery, isAllMerchantsQuery: boolean, bind: Bind): readonly string[] {
  const { asOf, from, to, zone, groupBy } = query;
  const scope = { merchants: bind(query.merchantIds), mode: bind(query.mode) };
  const where = conditions(query, bind);
  const named = new Set([...groupBy.map(columnOf), 'status']);
  named.delete('created_at');
  const columns = [...named, ...ROLLUP_MEASURES].join(', ');
  if (!isByCreation(query))
    return [`SELECT created_at, ${columns} FROM (${byOtherDate(query, scope, bind)}) AS single WHERE ${where}`];
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

/** Payments by when they were paid or settled, read one by one: roll-ups are by creation. */
function byOtherDate({ date, from, to, zone }: VolumeQuery, scope: SourceOptions['scope'], bind: Bind): string {
  const merchants = `${scope.merchants}::uuid[]`;
  const mode = `${scope.mode}::mode`;
  const [begin, end] = [`${bind(from)}::timestamptz`, `${bind(to)}::timestamptz`];
  const scoped = `p.merchant_id = ANY(${merchants}) AND p.mode = ${mode}`;
  if (date === 'paid')
    return selectContributions(`${scoped} AND p.paid_at >= ${begin} AND p.paid_at < ${end}`, { at: 'p.paid_at' });
  const inZone = `${bind(zone)}::text`;
  const dayOf = (moment: string) => `(${moment} AT TIME ZONE ${inZone})::date`;
  // A day without a time of its own begins at midnight of the report's zone.
  const at = `(settled.settled_on::timestamp AT TIME ZONE ${inZone})`;
  const settled = selectSettled({ merchants, mode }, dayOf(begin), dayOf(end));
  const joined = `(${settled}) AS settled JOIN payment AS p ON p.merchant_id = settled.merchant_id AND p.id = settled.id`;
  return selectContributions(`${scoped} AND ${at} >= ${begin} AND ${at} < ${end}`, { from: joined, at });
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
    return overRanges(ranges, options, (merchants, begin, end) => {
      const scoped = `p.merchant_id ${merchants} AND p.mode = ${scope.mode}::mode`;
      const single = selectContributions(`${scoped} AND p.created_at >= ${begin} AND p.created_at < ${end}`);
      return `SELECT created_at, ${columns} FROM (${single}) AS single WHERE ${where}`;
    });
  }
  // Hourly roll-ups by account would be no fewer than those by rule.
  const detail = options.detail === 'accounts' && source === 'hour' ? 'rules' : options.detail;
  const select = (
    merchants: string,
    begin: string,
    end: string,
  ) => `SELECT begins_at AS created_at, ${columns} FROM payment_rollup
      WHERE merchant_id ${merchants} AND mode = ${scope.mode}::mode AND detail = '${detail}' AND step = '${source}'
        AND begins_at >= ${begin} AND begins_at < ${end} AND ${where}`;
  return detail === 'all_merchants' ? ofAllMerchants(ranges, options, select) : overRanges(ranges, options, select);
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
  const select: SelectPeriod = (merchants, begin, end) => `SELECT created_at, ${columns} FROM payment_rollup_change
    WHERE merchant_id ${merchants} AND mode = ${scope.mode}::mode AND created_at >= ${begin} AND created_at < ${end} AND ${where}`;
  return [overRanges(ranges, options, select)];
}

/** A SELECT over a period of the merchants that a condition names; `begin` and `end` are SQL. */
type SelectPeriod = (merchants: string, begin: string, end: string) => string;

/** A SELECT over each of several periods. */
function overRanges(ranges: readonly Range[], { scope, bind }: SourceOptions, select: SelectPeriod): string {
  const [first, ...more] = ranges;
  if (first !== undefined && more.length === 0) return select(`= ANY(${scope.merchants}::uuid[])`, ...endsOf(first, bind));
  const { begins, ends } = endsOfAll(ranges, bind);
  // OFFSET 0 keeps each period of a merchant an index lookup of its own.
  return `SELECT part.* FROM (
      SELECT id, unnest(${begins}) AS begins, unnest(${ends}) AS ends FROM tenant WHERE id = ANY(${scope.merchants}::uuid[])) AS stretch
    CROSS JOIN LATERAL (${select('= stretch.id', 'stretch.begins', 'stretch.ends')} OFFSET 0) AS part`;
}

/** The same of the roll-ups of all merchants, which are stored under an id that no merchant has. */
function ofAllMerchants(ranges: readonly Range[], { bind }: SourceOptions, select: SelectPeriod): string {
  const [first, ...more] = ranges;
  const merchant = `= '${ALL_MERCHANTS}'`;
  if (first !== undefined && more.length === 0) return select(merchant, ...endsOf(first, bind));
  const { begins, ends } = endsOfAll(ranges, bind);
  return `SELECT part.* FROM unnest(${begins}, ${ends}) AS stretch (begins, ends)
    CROSS JOIN LATERAL (${select(merchant, 'stretch.begins', 'stretch.ends')}) AS part`;
}

function endsOf({ from, to }: Range, bind: Bind): readonly [string, string] {
  return [`${bind(from)}::timestamptz`, `${bind(to)}::timestamptz`];
}

function endsOfAll(ranges: readonly Range[], bind: Bind): { readonly begins: string; readonly ends: string } {
  const [begins, ends] = [ranges.map(({ from }) => from), ranges.map(({ to }) => to)];
  return { begins: `${bind(begins)}::timestamptz[]`, ends: `${bind(ends)}::timestamptz[]` };
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
    default:
      return group satisfies never;
  }
}

/**
 * Payments in their state at a past moment, shaped as change records: by the last status change, the completed refunds and the last reversal up to then.
 * Read from the payments themselves, so that the same query always has the same result.
 */
function paymentsAsOf(
  scope: { readonly merchants: string; readonly mode: string },
  { asOf, from, to }: { readonly asOf: string; readonly from: string; readonly to: string },
): string {
  return `
  SELECT p.created_at, p.merchant_id, COALESCE(p.account_id, '00000000-0000-0000-0000-000000000000'::uuid) AS account_id,
    COALESCE(p.account_gateway, '') AS gateway, COALESCE(p.paid_method, p.payment_method, '') AS method, COALESCE(p.rule_id, '') AS rule_id,
    then_at.status, 1 AS payments, p.amount, p.mode, p.currency,
    CASE WHEN then_at.status IN ('SUCCESS', 'REFUNDED') THEN COALESCE(p.fee_amount, 0) ELSE 0 END AS fees,
    COALESCE((SELECT sum(r.amount) FROM refund AS r WHERE r.merchant_id = p.merchant_id AND r.payment_id = p.id
      AND r.state = 'SUCCEEDED' AND NOT r.duplicate AND NOT r.mismatched AND r.updated_at <= ${asOf}::timestamptz), 0) AS refunded,
    COALESCE((SELECT (t.detail->>'total')::numeric FROM timeline_event AS t WHERE t.merchant_id = p.merchant_id AND t.payment_id = p.id
      AND t.type IN ('payment.reversed', 'payment.reinstated') AND t.created_at <= ${asOf}::timestamptz
      ORDER BY t.created_at DESC, t.id DESC LIMIT 1), 0) AS reversed,
    CASE WHEN p.late AND then_at.status = 'SUCCESS' THEN 1 ELSE 0 END AS late,
    CASE WHEN then_at.status = 'FAILED' AND then_at.reason = 'session_expired' THEN 1 ELSE 0 END AS expired
  FROM payment AS p
  LEFT JOIN LATERAL (
    SELECT t.to_status AS status, t.detail->>'reason' AS reason FROM timeline_event AS t
    WHERE t.merchant_id = p.merchant_id AND t.payment_id = p.id AND t.to_status <> 'INITIATED' AND t.created_at <= ${asOf}::timestamptz
    ORDER BY t.created_at DESC, t.id DESC LIMIT 1) AS changed ON true
  LEFT JOIN LATERAL (
    SELECT 'PENDING'::payment_status AS status FROM attempt AS a
    WHERE a.merchant_id = p.merchant_id AND a.payment_id = p.id AND a.opened_at <= ${asOf}::timestamptz LIMIT 1) AS opened ON true
  CROSS JOIN LATERAL (SELECT COALESCE(changed.status, opened.status) AS status, changed.reason) AS then_at
  WHERE p.merchant_id = ANY (${scope.merchants}::uuid[]) AND p.mode = ${scope.mode}::mode AND then_at.status IS NOT NULL
    AND p.created_at >= ${from}::timestamptz AND p.created_at < LEAST(${to}::timestamptz, ${asOf}::timestamptz)`;
}
