import type { RouterOutputs } from '../trpc/outputs.ts';
import { methodTitle } from './gateways.ts';

/** Sums of fees of one currency. */
export type FeeSums = RouterOutputs['fees']['sums'][number];

/** The same of an account and month. */
export type FeeMonth = RouterOutputs['fees']['months'][number];

/** The charge of an account for payments of one method and a band of amounts. */
export type FeeRate = RouterOutputs['fees']['rates'][number];

export type PaymentFee = RouterOutputs['fees']['list']['items'][number];

/** The fee of a payment with its computation. */
export type ExplainedFee = RouterOutputs['fees']['ofPayment'];

export type ContractAccount = RouterOutputs['fees']['contracts'][number];

/** A contract of an account. */
export type Contract = ContractAccount['contracts'][number];

/** The days that a period is of, as columns and filters name them. */
export const DATE_LABELS = {
  paid: { month: 'Month paid', period: 'Paid' },
  created: { month: 'Month created', period: 'Created' },
  settled: { month: 'Month settled', period: 'Settled' },
} as const;

/** A step of a fee's computation, under the terms that apply. */
export function describeStep(
  { step }: NonNullable<ExplainedFee['contract']>['steps'][number],
  { terms, onTop }: NonNullable<ExplainedFee['contract']>,
): string {
  switch (step) {
    case 'percentage':
      return `${terms.percentBasisPoints / 100}% of the amount${onTop ? ' and the fee, which the customer bore' : ''}`;
    case 'flat':
      return 'Flat';
    case 'waived':
      return `Flat, waived below ${terms.flatWaivedBelow?.toLocaleString('en') ?? ''}`;
    case 'cap':
      return `Capped at ${terms.cap?.toLocaleString('en') ?? ''}`;
    case 'vat':
      return `${terms.vatBasisPoints / 100}% VAT`;
    case 'stamp_duty':
      return 'Stamp duty';
    default:
      return step satisfies never;
  }
}

/** A share as a percentage with two decimals: `1.47%`. */
export function percentOf(rate: string): string {
  return `${(Number(rate) * 100).toFixed(2)}%`;
}

/** Payments that an exception covers: `Card, international, from 10,000`. */
export function describeException({
  methods,
  origin,
  amount,
}: NonNullable<NonNullable<Contract['schedule']>['exceptions']>[number]): string {
  const to = amount.to === null ? '' : ` to ${amount.to.toLocaleString('en')}`;
  const parts = [
    methods.length === 0 ? 'Every method' : methods.map(methodTitle).join(', '),
    origin === null ? '' : origin,
    amount.from === 0 && amount.to === null ? '' : `from ${amount.from.toLocaleString('en')}${to}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}
