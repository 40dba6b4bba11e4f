'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Button } from '#/components/button/button.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import type { FieldProblem, Refusal } from '#/forms/problems.ts';
import { useForm } from '#/forms/use-form.ts';
import type { Mode } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { EraseDialog, type Preview } from './erase-dialog.tsx';

const schema = z.object({ email: z.string(), phone: z.string(), customerId: z.string() });
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
  const form = useForm({ schema, values: customer === undefined ? NO_IDENTIFIER : enteredOf(customer), onSubmit: exportFiles });
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
