import type { DiscrepancyKind, DiscrepancyState } from '@switchyard/db/client';
import { defineNoun, type NounFilter } from '@switchyard/nouns';
import { code, day, decimal, json, moment, oneOf, text } from '@switchyard/nouns/fields';
import * as by from '@switchyard/nouns/filters';

export const DISCREPANCY_STATES = ['OPEN', 'EXPLAINED', 'RESOLVED'] as const satisfies readonly DiscrepancyState[];

/** Where a discrepancy was found: in a gateway's statement, in its payouts, or in the statements of the bank. */
const SOURCES = ['statement', 'payout', 'bank'] as const;

/** Differences between the tables of discrepancies. */
interface DiscrepancyTable<Kind extends string> {
  /** SQL of where a discrepancy was found, over the rows of files. */
  readonly source: string;
  readonly kinds: readonly Kind[];
  /** The PostgreSQL type of the kinds. */
  readonly kindType: string;
  /** SQL of the amount in question, in main units without a sign. */
  readonly amount: string;
}

/** Fields and filters of every discrepancy, whatever it was found in. */
export const discrepancyParts = <const Kind extends string>({ source, kinds, kindType, amount }: DiscrepancyTable<Kind>) => ({
  /** First of its fields. */
  found: {
    merchant_id: code('The merchant.'),
    created_at: moment('When it was found, in UTC.'),
    discrepancy_id: code('Its id.', 'p.id'),
    mode: code('test or live.'),
    gateway: code('The gateway.'),
    account_id: code('The gateway account.'),
    source: oneOf('What it was found in', SOURCES, source),
    kind: oneOf('How both sides differ', kinds),
    state: oneOf('Its state', DISCREPANCY_STATES),
    amount: decimal('The amount in question, without a sign: the difference where both sides have one, else the whole.', amount),
  },
  /** Last of its fields. */
  closed: {
    owner_id: code('The staff user it is assigned to.'),
    note: text("The owner's note."),
    resolved_by: code(
      'Who closed it: staff:<id>, rule:<id> of the rule that ignores it, or system:… when both sides agree again.',
    ),
    resolved_at: moment('When it was closed, in UTC.'),
    resolution: text('Why it was closed.'),
  },
  filter: {
    ...by.timed(),
    states: by.anyOf('States.', DISCREPANCY_STATES, ['p.state', 'discrepancy_state']),
    kinds: by.anyOf('Kinds.', kinds, ['p.kind', kindType]),
    accountIds: by.ids('Gateway accounts; all when omitted.', 'p.account_id'),
    ownerId: by.id('The staff user they are assigned to.', 'p.owner_id'),
    unowned: by.whether('Whether they have no owner.', 'p.owner_id IS NULL'),
    amountFrom: by.atLeast('Smallest amount in question, inclusive.', amount, 'numeric'),
    amountTo: by.atMost('Largest, inclusive.', amount, 'numeric'),
  },
});

/** How a gateway's statement and the ledger differ. */
export const DISCREPANCY_KINDS = [
  'MISSING_HERE',
  'MISSING_THERE',
  'STATUS',
  'CURRENCY',
  'AMOUNT',
] as const satisfies readonly DiscrepancyKind[];

const amountOf = (side: 'ledger' | 'statement') => `(substring(p.${side}->>'amount' FROM '^-?[0-9]+(?:\\.[0-9]+)?$')::numeric)`;

/**
 * The amount in question of `reconciliation_discrepancy AS p`, in main units: the difference where only the amounts differ, else the
 * whole amount of the statement, or of the ledger where the statement has none.
 */
export const DISCREPANCY_AMOUNT = `coalesce(CASE WHEN p.kind = 'AMOUNT' THEN abs(${amountOf('statement')} - ${amountOf('ledger')}) END,
  ${amountOf('statement')}, ${amountOf('ledger')}, 0)`;

/** Only a different amount can be within a tolerance; what is missing or has another status is not a matter of size. */
const WITHIN_TOLERANCE = `p.kind = 'AMOUNT' AND ${DISCREPANCY_AMOUNT} <= coalesce((SELECT s.tolerance FROM reconciliation_setting AS s
  WHERE s.merchant_id = p.merchant_id), 0)`;

const parts = discrepancyParts({
  source: `'statement'`,
  kinds: DISCREPANCY_KINDS,
  kindType: 'discrepancy_kind',
  amount: DISCREPANCY_AMOUNT,
});

/** Discrepancies between gateways' statements and the ledger. */
export const discrepancyNoun = defineNoun({
  title: 'Discrepancies',
  permission: 'report:read',
  table: 'reconciliation_discrepancy',
  order: 'time',
  fields: {
    ...parts.found,
    day: day('The day that was reconciled.'),
    payment_id: code('The payment it is about, where the ledger has one.'),
    refund_id: code('The refund it is about, where it is about one.'),
    reference: text('The reference sent to the gateway.'),
    transaction_id: text("The gateway's own id of the transaction."),
    ledger: json("The ledger's entry; empty where it has none."),
    statement: json("The statement's entry; empty where it has none."),
    ...parts.closed,
  },
  filter: {
    ...parts.filter,
    withinTolerance: by.whether("Amounts that differ by no more than the merchant's tolerance.", WITHIN_TOLERANCE),
    dayFrom: by.sinceDay('First reconciled day.', 'p.day'),
    dayTo: by.untilDay('Last reconciled day.', 'p.day'),
  },
});

export type DiscrepancyFilter = NounFilter<typeof discrepancyNoun>;
