'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { numberCell, PlainTable } from '#/components/plain-table/plain-table.tsx';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { formatDecimal, groupDecimal } from '#/format/amounts.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { customerParsers } from '../match.ts';
import { Disputes, type ErasedCustomer, FailedTries, type FoundCustomer, Payments, Refunds } from './customer-tables.tsx';

/** The customer of a payment: who they are, what they paid, what failed and why, what went back. */
export function CustomerPage({ paymentId }: { paymentId: string }) {
  const trpc = useTRPC();
  const scope = useScope();
  const [{ by }] = useQueryStates(customerParsers);
  const { data, error } = useQuery(
    trpc.customers.byPayment.queryOptions({ paymentId, match: by }, { placeholderData: (before) => before }),
  );
  return (
    <div className="max-w-[1180px]">
      <BackLink href={hrefIn(scope, `/payments/${paymentId}`)}>Payment</BackLink>
      {error !== null && data === undefined && <p role="alert">{error.message}</p>}
      {data?.kind === 'erased' && <Erased customer={data} paymentId={paymentId} />}
      {data?.kind === 'found' && <Found customer={data} paymentId={paymentId} />}
    </div>
  );
}

function Erased({ customer, paymentId }: { customer: ErasedCustomer; paymentId: string }) {
  const scope = useScope();
  return (
    <>
      <PageHead title="Erased customer" />
      <p className="max-w-[72ch] text-ink-quiet">
        Who paid was erased <Moment value={customer.erasedAt} />. The{' '}
        <Link href={hrefIn(scope, `/payments/${paymentId}`)}>payment</Link> stays with its amount, status and references; nothing
        shows which other payments were the same customer’s.
      </p>
    </>
  );
}

function Found({ customer, paymentId }: { customer: FoundCustomer; paymentId: string }) {
  const scope = useScope();
  const { merchantId, subject, identifiers } = customer;
  const [{ by }] = useQueryStates(customerParsers);
  const can = useCan();
  const title = subject.email ?? subject.customerId ?? subject.phone ?? 'Customer';
  const query = { customer: paymentId, ...(by === 'any' ? {} : { by }) };
  return (
    <>
      <PageHead title={title}>
        {(can('customer:export', merchantId) || can('customer:erase', merchantId)) && (
          <Link href={`${hrefIn({ ...scope, merchantId }, '/privacy', query)}#customer`} className="text-sm">
            Export or erase…
          </Link>
        )}
      </PageHead>
      <div className="grid gap-x-14 gap-y-6 mb-8 min-[900px]:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <section aria-label="Customer">
          <DescriptionList>
            <Identifiers name="E-mail" label="e-mail address" texts={identifiers.emails} />
            <Identifiers name="Phone" label="phone number" texts={identifiers.phones} />
            <Identifiers name="Customer ID" label="customer id" texts={identifiers.customerIds} />
            <Description name="Merchant">{customer.merchantName}</Description>
            <Description name="First seen">
              <Moment value={customer.firstSeenAt} />
            </Description>
            <Description name="Last seen">
              <Moment value={customer.lastSeenAt} />
            </Description>
          </DescriptionList>
        </section>
        <div className="grid gap-4 content-start min-w-0">
          <Matched customer={customer} />
          <Totals customer={customer} />
        </div>
      </div>
      <FailedTries tries={customer.tries} />
      <Payments payments={customer.payments} count={customer.paymentCount} isCut={customer.isCut} />
      <Refunds refunds={customer.refunds} />
      <Disputes disputes={customer.disputes} />
    </>
  );
}

const IDENTIFIERS_SHOWN = 5;

function Identifiers({ name, label, texts }: { name: string; label: string; texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <Description name={name}>
      <span className="grid gap-0.5 justify-items-start">
        {texts.slice(0, IDENTIFIERS_SHOWN).map((text) => (
          <Copyable key={text} text={text} label={label} />
        ))}
        {texts.length > IDENTIFIERS_SHOWN && (
          <span className="text-ink-faint text-sm">and {texts.length - IDENTIFIERS_SHOWN} others</span>
        )}
      </span>
    </Description>
  );
}

/** The choice of identifiers that make a payment the customer's: a shop may send the same one for many customers. */
function Matched({ customer: { identifiers, subject } }: { customer: FoundCustomer }) {
  const [{ by }, setParams] = useQueryStates(customerParsers);
  const choices = [
    { value: 'any', label: 'Any' } as const,
    { value: 'email', label: 'E-mail' } as const,
    ...(by === 'phone' || subject.phone !== null || identifiers.phones.length > 0
      ? [{ value: 'phone', label: 'Phone' } as const]
      : []),
    ...(by === 'id' || subject.customerId !== null || identifiers.customerIds.length > 0
      ? [{ value: 'id', label: 'Customer ID' } as const]
      : []),
  ];
  if (choices.length === 2) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-ink-quiet text-sm">
      <span aria-hidden="true">Payments with the same</span>
      <SegmentedControl
        label="Payments with the same"
        choices={choices}
        value={by}
        onChange={(value) => void setParams({ by: value })}
      />
    </div>
  );
}

function Totals({ customer: { totals } }: { customer: FoundCustomer }) {
  const columns = [
    { title: 'Currency' },
    { title: 'Payments', number: true },
    { title: 'Paid', number: true },
    { title: 'Failed', number: true },
    { title: 'Amount paid', number: true },
    { title: 'Refunded', number: true },
    ...(totals.some(({ reversedAmount }) => reversedAmount !== '0') ? [{ title: 'Reversed', number: true }] : []),
  ];
  return (
    <PlainTable label="Totals by currency" columns={columns} cards={3}>
      <tbody {...roles.group}>
        {totals.map((total) => (
          <tr key={total.currency} {...roles.row}>
            <th scope="row" {...roles.rowHeader}>
              {total.currency}
            </th>
            <td {...numberCell('Payments')}>{groupDecimal(BigInt(total.payments))}</td>
            <td {...numberCell('Paid')}>{groupDecimal(BigInt(total.paid))}</td>
            <td {...numberCell('Failed')}>{groupDecimal(BigInt(total.failed))}</td>
            <td {...numberCell('Amount paid')}>{formatDecimal(total.currency, total.paidAmount)}</td>
            <td {...numberCell('Refunded')}>{formatDecimal(total.currency, total.refundedAmount)}</td>
            {columns.length === 7 && <td {...numberCell('Reversed')}>{formatDecimal(total.currency, total.reversedAmount)}</td>}
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}
