import { createLoader, parseAsBoolean, parseAsInteger, parseAsString, parseAsStringLiteral } from 'nuqs/server';

/** The currency and country of the map, and the rule whose conditions on keys its payments fulfil. */
export const mapParsers = {
  currency: parseAsString.withDefault(''),
  country: parseAsString.withDefault(''),
  as: parseAsString.withDefault(''),
};

/** The action to start on the rules page: creating a draft. */
export const rulesParsers = { do: parseAsStringLiteral(['draft'] as const) };

/** Reads the page's state from the URL, on the server. */
export const loadRulesPage = createLoader(rulesParsers);

/** The tabs of the draft page, in their order. */
export const DRAFT_TABS = ['rules', 'try', 'replay', 'shadow', 'publish'] as const;

/** A tab of the draft page. */
export type DraftTab = (typeof DRAFT_TABS)[number];

/** The draft's tab, the open rule, and the map cell that a new rule is created for. */
export const draftParsers = {
  tab: parseAsStringLiteral(DRAFT_TABS).withDefault('rules'),
  rule: parseAsString,
  cell: parseAsString,
};

/** The trial payment. */
export const tryParsers = {
  amount: parseAsString.withDefault('2,500'),
  method: parseAsString.withDefault('CARD'),
  money: parseAsString.withDefault(''),
  from: parseAsString.withDefault(''),
  gateway: parseAsString.withDefault(''),
  /** Values of keys as JSON; empty for none. */
  keys: parseAsString.withDefault(''),
  calm: parseAsBoolean.withDefault(false),
  /** The past payment that it was filled from. */
  payment: parseAsString.withDefault(''),
};

/** Numbers of days that a replay can go back. */
export const REPLAY_DAYS = [1, 7, 30] as const;

/** Accounts and fees of a replay: those at the time of each payment, or the present ones. */
export const REPLAY_CONDITIONS = ['as_they_were', 'today'] as const;

/** How both sides of a replay are priced: by contract, or by what was charged lately. */
export const REPLAY_FEES = ['contract', 'effective'] as const;

/** The days replayed, with which accounts and fees, and the selected move: `from>to`. */
export const replayParsers = {
  days: parseAsInteger.withDefault(7),
  with: parseAsStringLiteral(REPLAY_CONDITIONS).withDefault('as_they_were'),
  fees: parseAsStringLiteral(REPLAY_FEES).withDefault('contract'),
  move: parseAsString,
};

/** Two versions to be compared; without `with`, a version is compared to the one before it. */
export const historyParsers = { version: parseAsInteger, with: parseAsInteger };

/** The trial that is shown; the last started without it. */
export const canaryParser = parseAsString;

/** A map cell as URL parameter: `CARD:5001:20000:NGN`, with an empty upper bound where it is open. */
export function formatCellParam(
  cell: { readonly method: string; readonly from: number; readonly to: number | null },
  currency: string,
) {
  return `${cell.method}:${cell.from}:${cell.to ?? ''}:${currency}`;
}

/** The coverage cell in the URL: method, amounts and currency; null for other text. */
export function readCellParam(text: string) {
  const [method, from, to, currency] = text.split(':');
  if (!method || !/^\d+$/.test(from ?? '') || !/^\d*$/.test(to ?? '') || !currency) return null;
  return { method, from: Number(from), to: to === '' ? null : Number(to), currency };
}
