import type { MetadataKey, PaymentKeys } from '@switchyard/routing';
import { type BandTable, cutBands, type PlacedBand, winnerAt } from '@switchyard/routing/bands';
import { keysThatMatch, matchesKeys } from '@switchyard/routing/keys';
import { keyConditionsText, toKeyConditions } from '../rules/copy.ts';
import { type Account, accountsOf, isComplete, type Rule, type RuleDocument, type Target } from '../rules/document.ts';

/** A band of the map: amounts that no edge divides. `to` null is open on top; both ends are inclusive. */
export interface Band {
  readonly from: number;
  readonly to: number | null;
}

/** An account that may be the first to be tried, and for which share of the payments; shares add up to 1. */
export interface Lead {
  readonly accountId: string;
  readonly gateway: string;
  readonly label: string;
  readonly share: number;
}

/** Neighbouring bands of one method that the same rule decides. */
export interface Cell extends Band {
  readonly method: string;
  /** Index of its first band, and how many it spans. */
  readonly at: number;
  readonly span: number;
  /** Index of the rule that decides, from 0; null where the default order does. */
  readonly position: number | null;
  /** The accounts tried first when all are healthy; empty where no account can take the payment. */
  readonly leads: readonly Lead[];
}

/** The rule that decides, by method and amount band. */
export interface CoverageMap {
  readonly bands: readonly Band[];
  readonly rows: readonly { readonly method: string; readonly cells: readonly Cell[] }[];
  /** Number of bands beyond the requested ones. */
  readonly omitted: number;
}

interface CoverageQuery {
  readonly currency: string;
  /** The customer's country; null means all that no rule names, and unknown ones. */
  readonly country: string | null;
  /** Values of the keys that rules compare; those left out are absent. */
  readonly keys: PaymentKeys;
  /** The order of the rows. */
  readonly methods: readonly string[];
  /** The most bands laid out; the map of more begins at `skip`. */
  readonly limit: number;
  readonly skip: number;
}

/** Lays out which rule decides which payment: methods down, amounts across, each amount in exactly one cell of each method. */
export function layOutCoverage(
  document: Pick<RuleDocument, 'keys' | 'rules' | 'defaultOrder'>,
  accounts: readonly Account[],
  query: CoverageQuery,
): CoverageMap {
  const placed = document.rules.flatMap((rule, position) => placeRule(rule, position, query, document.keys ?? []));
  const usable = accounts.filter(
    ({ enabled, configured, currencies }) => enabled && configured && currencies.includes(query.currency),
  );
  const methods = query.methods.filter(
    (method) =>
      placed.some(({ rule }) => rule.when.methods.includes(method)) ||
      usable.some((account) => account.methods.some((own) => own === method)),
  );
  const tables = methods.map((method) => ({
    method,
    table: cutBands(placed.filter(({ rule }) => rule.when.methods.includes(method))),
  }));
  const all = bandsOf(tables.map(({ table }) => table));
  const bands = all.slice(query.skip, query.skip + query.limit);
  const rows = tables.map(({ method, table }) => ({ method, cells: mergeCells(method, bands, table, document, usable) }));
  return { bands, rows, omitted: all.length - bands.length };
}

/** Currencies that the rules name or the accounts take, those of the rules first. */
export function currenciesOf(rules: readonly Rule[], accounts: readonly Account[]): string[] {
  return [...new Set([...rules.map(({ when }) => when.currency), ...accounts.flatMap(({ currencies }) => currencies)])];
}

/** Countries that the rules of a currency name, in order of the alphabet. */
export function countriesOf(rules: readonly Rule[], currency: string): string[] {
  const named = rules.filter(({ enabled, when }) => enabled && when.currency === currency);
  return [...new Set(named.flatMap(({ when }) => when.countries ?? []))].sort();
}

/** Payments that the map can be drawn for: those that fulfil the conditions on keys of some rule. */
export interface KeysChoice {
  readonly ruleId: string;
  /** `rule 3: Tier is gold` */
  readonly label: string;
  readonly keys: PaymentKeys;
}

/** A choice for each enabled rule of a currency that compares keys, unless an earlier one has the same values. */
export function keysChoicesOf({ rules, keys = [] }: Pick<RuleDocument, 'keys' | 'rules'>, currency: string): KeysChoice[] {
  const seen = new Set<string>();
  return rules.flatMap((rule, position): KeysChoice[] => {
    if (!rule.enabled || rule.when.currency !== currency || !isComplete(rule)) return [];
    const own = keysThatMatch(toKeyConditions(rule.when), keys);
    const name = JSON.stringify(own);
    if (own === null || seen.has(name)) return [];
    seen.add(name);
    return [{ ruleId: rule.ruleId, label: `rule ${position + 1}: ${keyConditionsText(rule.when, keys).join(', ')}`, keys: own }];
  });
}

interface PlacedRule extends PlacedBand {
  readonly rule: Rule;
}

/** A rule that can decide something here; one that is off or not complete yet cannot. */
function placeRule(
  rule: Rule,
  position: number,
  { currency, country, keys }: CoverageQuery,
  declared: readonly MetadataKey[],
): PlacedRule[] {
  const { enabled, when } = rule;
  const { from, to } = when.amount;
  if (!enabled || when.currency !== currency || !isComplete(rule)) return [];
  if (typeof from !== 'number' || typeof to === 'string') return [];
  const top = to ?? Number.POSITIVE_INFINITY;
  const isHere = !when.countries || when.countries.length === 0 || (country !== null && when.countries.includes(country));
  if (!matchesKeys(toKeyConditions(when), keys, declared)) return [];
  return isHere && from <= top && top >= 1 ? [{ rule, position, band: { from, to } }] : [];
}

/** Every amount at which the deciding rule of some method changes begins a band. Amounts begin at 1, but people write 0. */
function bandsOf(tables: readonly BandTable[]): Band[] {
  const edges = new Set([0, ...tables.flatMap((table) => Array.from(table.starts).filter((start) => start > 1))]);
  const starts = [...edges].sort((left, right) => left - right);
  return starts.map((from, at) => ({ from, to: at + 1 < starts.length ? (starts[at + 1] ?? 0) - 1 : null }));
}

/** The smallest payment in a band that begins there. */
function smallestIn({ from }: Band): number {
  return Math.max(from, 1);
}

function mergeCells(
  method: string,
  bands: readonly Band[],
  table: BandTable,
  { rules, defaultOrder }: Pick<RuleDocument, 'rules' | 'defaultOrder'>,
  usable: readonly Account[],
): Cell[] {
  const cells: Cell[] = [];
  for (const [at, band] of bands.entries()) {
    const winner = winnerAt(table, smallestIn(band));
    const position = winner === -1 ? null : winner;
    const last = cells.at(-1);
    const leads = leadsOf(rules[winner]?.then ?? null, defaultOrder, able(usable, method, band));
    if (last !== undefined && last.position === position && isSame(last.leads, leads)) {
      cells[cells.length - 1] = { ...last, to: band.to, span: last.span + 1 };
    } else {
      cells.push({ method, ...band, at, span: 1, position, leads });
    }
  }
  return cells;
}

/** Accounts that can take at least some of the band. */
function able(usable: readonly Account[], method: string, band: Band): Account[] {
  return usable.filter(
    ({ methods, minAmount, maxAmount }) =>
      methods.some((own) => own === method) &&
      minAmount <= (band.to ?? Number.POSITIVE_INFINITY) &&
      smallestIn(band) <= (maxAmount ?? Number.POSITIVE_INFINITY),
  );
}

function leadsOf(target: Target | null, defaultOrder: readonly string[], accounts: readonly Account[]): Lead[] {
  const find = (accountId: string) => accounts.find((account) => account.accountId === accountId);
  const named = target === null ? [] : accountsOf(target).flatMap((accountId) => find(accountId) ?? []);
  const fallback = defaultOrder.map(find).find((account) => account !== undefined) ?? accounts[0];
  if (target === null || named.length === 0) return fallback ? [leadFrom(fallback, 1)] : [];
  switch (target.strategy) {
    case 'priority':
      return named.slice(0, 1).map((account) => leadFrom(account, 1));
    case 'weighted': {
      const shares = target.split.map(({ account, percent }) => ({ account: find(account), percent: Number(percent) || 0 }));
      const total = shares.reduce((sum, { account, percent }) => sum + (account ? percent : 0), 0);
      if (total <= 0) return named.slice(0, 1).map((account) => leadFrom(account, 1));
      return shares.flatMap(({ account, percent }) => (account && percent > 0 ? [leadFrom(account, percent / total)] : []));
    }
    case 'success_rate':
    case 'lowest_cost':
    case 'expected_value':
      return named.map((account) => leadFrom(account, 1 / named.length));
    default:
      return target satisfies never;
  }
}

function leadFrom({ accountId, gateway, label }: Account, share: number): Lead {
  return { accountId, gateway, label, share };
}

function isSame(left: readonly Lead[], right: readonly Lead[]): boolean {
  return (
    left.length === right.length &&
    left.every((lead, at) => lead.accountId === right[at]?.accountId && lead.share === right[at]?.share)
  );
}
