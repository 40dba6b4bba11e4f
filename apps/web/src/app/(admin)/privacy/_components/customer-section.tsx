'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { parseAsString, useQueryStates } from 'nuqs';
import { useState } from 'react';
import * as z from 'zod/mini';
import { customerParsers } from '#/app/(admin)/customers/[paymentId]/match.ts';
import { Button } from '#/components/button/button.tsx';
import { saveFile } from '#/components/export-button/download.ts';
import { showToast } from '#/components/toasts/toast-store.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import type { FieldProblem, Refusal } from '#/forms/problems.ts';
import { useForm } from '#/forms/use-form.ts';
import type { Mode } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import type { Preview } from './erase-dialog.tsx';

// Loaded when a preview is shown.
const EraseDialog = dynamic(() => import('./erase-dialog.tsx').then((module) => module.EraseDialog));

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
  const can = useCan();
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
    saveFile(new Blob([outcome.json], { type: 'application/json' }), 'customer.json');
    saveFile(new Blob([outcome.csv], { type: 'text/csv' }), 'customer-payments.csv');
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
          {can('customer:export', merchantId) && <SubmitButton disabled={isEmpty}>Export</SubmitButton>}
          {can('customer:erase', merchantId) && (
            <Button loading={look.isPending} disabled={isEmpty} onClick={() => void form.run(showPreview)}>
              Preview erasure
            </Button>
          )}
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
