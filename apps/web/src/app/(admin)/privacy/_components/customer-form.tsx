'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { TextField } from '#/components/field/field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import type { Mode } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { EraseDialog, type Preview } from './erase-dialog.tsx';
import classes from './privacy-page.module.css';

const NO_IDENTIFIER = { email: '', phone: '', customerId: '' };

/** Finds a customer, to export or erase them. What is entered stays out of the address. */
export function CustomerForm({ merchantId, mode }: { merchantId: string; mode: Mode }) {
  const trpc = useTRPC();
  const [given, setGiven] = useState(NO_IDENTIFIER);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [refused, setRefused] = useState<string | null>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const look = useMutation(trpc.privacy.previewErasure.mutationOptions());
  const take = useMutation(trpc.privacy.exportCustomer.mutationOptions());
  const subject = { merchantId, mode, ...given };

  function refuse(outcome: { kind: string; problems?: readonly { field: string; message: string }[] }) {
    setProblems(Object.fromEntries((outcome.problems ?? []).map(({ field, message }) => [field, message])));
    if (outcome.kind === 'nothing_found') setRefused(`Nothing is held about this customer in ${mode}.`);
    if (outcome.kind === 'too_many') setRefused('More than 10,000 payments. Enter a narrower identifier.');
  }

  /** Clears the errors of an earlier attempt. */
  function forgetRefusals() {
    setRefused(null);
    look.reset();
    take.reset();
  }

  async function showPreview() {
    forgetRefusals();
    const outcome = await look.mutateAsync(subject);
    if (outcome.kind !== 'found') refuse(outcome);
    else if (outcome.preview.payments === 0 && outcome.preview.savedViews === 0) refuse({ kind: 'nothing_found' });
    else setPreview(outcome.preview);
  }

  async function exportFiles() {
    forgetRefusals();
    const outcome = await take.mutateAsync(subject);
    if (outcome.kind !== 'exported') {
      refuse(outcome);
      return;
    }
    download('customer.json', 'application/json', outcome.json);
    download('customer-payments.csv', 'text/csv', outcome.csv);
    const count = outcome.payments === 1 ? '1 payment' : `${outcome.payments} payments`;
    showToast({ text: `Two files were created, of ${count}.` });
  }

  const field = (name: keyof typeof NO_IDENTIFIER) => ({
    value: given[name],
    error: problems[name] ?? null,
    onChange: (event: { currentTarget: { value: string } }) => {
      setGiven({ ...given, [name]: event.currentTarget.value });
      setProblems({});
      setRefused(null);
    },
  });
  const isEmpty = Object.values(given).every((text) => text.trim() === '');
  return (
    <>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void exportFiles().catch(() => undefined);
        }}
      >
        <p className={classes.lead}>
          A {mode} payment that matches any of these is the customer's. Every export and erasure is in the audit log.
        </p>
        <div className={classes.fields}>
          <TextField label="E-mail address" type="email" {...field('email')} />
          <TextField label="Phone number" type="tel" {...field('phone')} />
          <TextField label="Customer id" {...field('customerId')} />
        </div>
        <Refusal message={refused ?? look.error?.message ?? take.error?.message ?? null} />
        <div className={classes.actions}>
          <Button variant="accent" type="submit" loading={take.isPending} disabled={isEmpty}>
            Export
          </Button>
          <Button loading={look.isPending} disabled={isEmpty} onClick={() => void showPreview().catch(() => undefined)}>
            Preview erasure
          </Button>
        </div>
      </form>
      {/* Not within the form: the dialog has one of its own, and to submit that one would submit both. */}
      {preview !== null && (
        <EraseDialog
          subject={subject}
          preview={preview}
          onDone={() => {
            setPreview(null);
            setGiven(NO_IDENTIFIER);
          }}
          onClose={() => setPreview(null)}
        />
      )}
    </>
  );
}

function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
