'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { parseAsString, useQueryStates } from 'nuqs';
import { useState } from 'react';
import * as z from 'zod/mini';
import { customerParsers } from '#/app/(admin)/customers/[paymentId]/match.ts';
import { Button } from '#/components/button/button.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { formatDecimal } from '#/format/amounts.ts';
import { Form, FormActions, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import type { FieldProblem, Refusal } from '#/forms/problems.ts';
import { useForm } from '#/forms/use-form.ts';
import type { Mode } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import classes from './privacy-page.module.css';

const customerSchema = z.object({ email: z.string(), phone: z.string(), customerId: z.string() });
const NO_IDENTIFIER = { email: '', phone: '', customerId: '' };

/** Identifiers of a customer; null where there is none. */
interface Identified {
  readonly email: string | null;
  readonly phone: string | null;
  readonly customerId: string | null;
}

/** Finds a customer, to export or erase them. What is entered stays out of the address. */
export function CustomerForm({ merchantId, mode, customer }: { merchantId: string; mode: Mode; customer?: Identified }) {
  const trpc = useTRPC();
  const [preview, setPreview] = useState<Preview | null>(null);
  const look = useMutation(trpc.privacy.previewErasure.mutationOptions());
  const take = useMutation(trpc.privacy.exportCustomer.mutationOptions());
  const form = useForm({
    schema: customerSchema,
    values: customer === undefined ? NO_IDENTIFIER : enteredOf(customer),
    onSubmit: exportFiles,
  });
  const subject = { merchantId, mode, ...form.entered };

  function refusalOf(outcome: { kind: string; problems?: readonly FieldProblem[] }): Refusal {
    if (outcome.kind === 'nothing_found') return `Nothing is held about this customer in ${mode}.`;
    if (outcome.kind === 'too_many') return 'More than 10,000 payments. Enter a narrower identifier.';
    return outcome.problems ?? [];
  }

  async function showPreview() {
    const outcome = await look.mutateAsync(subject);
    if (outcome.kind !== 'found') return refusalOf(outcome);
    if (outcome.preview.payments === 0 && outcome.preview.savedViews === 0) return refusalOf({ kind: 'nothing_found' });
    setPreview(outcome.preview);
    return null;
  }

  async function exportFiles() {
    const outcome = await take.mutateAsync(subject);
    if (outcome.kind !== 'exported') return refusalOf(outcome);
    download('customer.json', 'application/json', outcome.json);
    download('customer-payments.csv', 'text/csv', outcome.csv);
    const count = outcome.payments === 1 ? '1 payment' : `${outcome.payments} payments`;
    showToast({ text: `Two files were created, of ${count}.` });
    return null;
  }

  const isEmpty = Object.values(form.entered).every((text) => text.trim() === '');
  return (
    <>
      <Form form={form} className="grid gap-4" warns={false}>
        <p className="max-w-[720px] mb-3 text-ink-quiet text-sm">
          A {mode} payment that matches any of these is the customer's. Every export and erasure is in the audit log.
        </p>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,240px),1fr))] gap-x-6 gap-y-4 max-w-[900px]">
          <form.Text name="email" label="E-mail address" type="email" />
          <form.Text name="phone" label="Phone number" type="tel" />
          <form.Text name="customerId" label="Customer id" />
        </div>
        <FormRefusal />
        <div className="flex flex-wrap gap-2">
          <SubmitButton disabled={isEmpty}>Export</SubmitButton>
          <Button loading={look.isPending} disabled={isEmpty} onClick={() => void form.run(showPreview)}>
            Preview erasure
          </Button>
        </div>
      </Form>
      {preview !== null && (
        <EraseDialog
          subject={subject}
          preview={preview}
          onDone={() => {
            setPreview(null);
            form.discard();
          }}
          onClose={() => setPreview(null)}
        />
      )}
    </>
  );
}

function enteredOf({ email, phone, customerId }: Identified): typeof NO_IDENTIFIER {
  return { email: email ?? '', phone: phone ?? '', customerId: customerId ?? '' };
}

function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

const eraseSchema = z.object({ confirmation: z.string() });

/** Data that erasing a customer would change. */
export type Preview = Extract<RouterOutputs['privacy']['previewErasure'], { kind: 'found' }>['preview'];

/** Says what would be erased, and erases once that is typed. */
export function EraseDialog({
  subject,
  preview,
  onDone,
  onClose,
}: {
  subject: { merchantId: string; mode: Mode; email: string; phone: string; customerId: string };
  preview: Preview;
  onDone: () => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const erase = useMutation(trpc.privacy.eraseCustomer.mutationOptions());
  const [blockers, setBlockers] = useState(preview.blockers);
  const form = useForm({
    schema: eraseSchema,
    values: { confirmation: '' },
    async onSubmit({ confirmation }) {
      const outcome = await erase.mutateAsync({ ...subject, confirmation });
      switch (outcome.kind) {
        case 'erased':
          onDone();
          showToast({ text: `The customer was erased from ${inPayments(outcome.counts.payments)}.` });
          return null;
        case 'blocked':
          setBlockers(outcome.blockers);
          return null;
        case 'not_confirmed':
          return [{ field: 'confirmation', message: `must be “${outcome.confirmation}”` }];
        default:
          return [{ field: 'confirmation', message: 'is about a customer of whom nothing is held any more' }];
      }
    },
  });
  const isBlocked = blockers.length > 0;
  return (
    <Dialog title="Erase this customer?" onClose={onClose}>
      <Form form={form} className="grid gap-4">
        <DescriptionList>
          <Description name="Customer">{preview.identifiers.join(', ')}</Description>
          <Description name="Payments">{String(preview.payments)}</Description>
          <Description name="Requests to gateways">{String(preview.attempts)}</Description>
          <Description name="Gateway webhooks">{String(preview.gatewayWebhooks)}</Description>
          <Description name="Refunds">{String(preview.refunds)}</Description>
          <Description name="Notes">{String(preview.notes)}</Description>
          <Description name="Saved views">{String(preview.savedViews)}</Description>
          {preview.sums.map(({ currency, amount }) => (
            <Description key={currency} name={`${currency}, unchanged`}>
              {formatDecimal(currency, amount)}
            </Description>
          ))}
        </DescriptionList>
        {isBlocked ? (
          <div className={classes.consequence} role="status">
            <p>It cannot be done now:</p>
            <ul>
              {blockers.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </div>
        ) : (
          <>
            <p className={classes.consequence}>
              The payments stay with amount, status and references. Who paid is removed. This cannot be undone.
            </p>
            <form.Text name="confirmation" label={`Type “${preview.confirmation}” to confirm`} />
          </>
        )}
        {isBlocked ? (
          <DialogActions onCancel={onClose}>{null}</DialogActions>
        ) : (
          <FormActions
            action={`Erase from ${inPayments(preview.payments)}`}
            variant="danger"
            disabled={form.entered.confirmation.trim() === ''}
            onCancel={onClose}
          />
        )}
      </Form>
    </Dialog>
  );
}

function inPayments(count: number): string {
  return count === 1 ? '1 payment' : `${count} payments`;
}

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
