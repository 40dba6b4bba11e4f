import { useQuery } from '@tanstack/react-query';
import { parseAsString, useQueryStates } from 'nuqs';
import { customerParsers } from '#/app/(admin)/customers/[paymentId]/match.ts';
import type { Mode } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { CustomerForm } from './customer-form.tsx';

/** The payment whose customer the form is filled in with: an address names no person. */
const paymentParser = { customer: parseAsString, ...customerParsers };

/** The form for a customer's request, filled in where the address names a payment of theirs. */
export function CustomerSection({ merchantId, mode }: { merchantId: string; mode: Mode }) {
  const trpc = useTRPC();
  const [{ customer: paymentId, by }] = useQueryStates(paymentParser);
  const { data, isLoading } = useQuery(
    trpc.customers.byPayment.queryOptions(
      { paymentId: paymentId ?? '', match: by },
      { enabled: paymentId !== null, retry: false },
    ),
  );
  if (isLoading) return <div className="h-24 rounded-sm bg-ground-quiet" role="status" aria-label="Loading the customer" />;
  const isTheirs = data?.kind === 'found' && data.merchantId === merchantId && data.mode === mode;
  return <CustomerForm merchantId={merchantId} mode={mode} {...(isTheirs && { customer: data.subject })} />;
}
