'use client';

import { overrideReason } from '@switchyard/api/entered-fields';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Dialog } from '../components/dialog/dialog.tsx';
import { Refusal } from '../components/page/refusal.tsx';
import { PUT_BACK } from '../copy/overrides.ts';
import { Form, FormActions } from '../forms/form.tsx';
import { useForm } from '../forms/use-form.ts';
import { useTRPC } from '../trpc/client.tsx';
import { describeImpact } from './describe-impact.ts';
import { Impact } from './impact.tsx';
import { DRAINED_FOR_HOURS, type DrainedAccount, useDrain } from './use-drain.ts';

const schema = z.object({ reason: overrideReason, putBack: z.boolean() });

/** Asks before an account is drained, with the impact in figures. */
export function DrainDialog({
  account,
  reason: proposed,
  isRecovered = false,
  onClose,
}: {
  account: DrainedAccount;
  /** The reason it proposes. */
  reason: string;
  /** The outage that it was opened for is over. */
  isRecovered?: boolean;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const { accountId, label } = account;
  const { name, drain } = useDrain(account);
  const { data: use, error } = useQuery(trpc.gateways.usage.queryOptions({ accountId }));
  const form = useForm({
    schema,
    // The outage may end, and propose another one, while the dialog is open.
    values: useState({ reason: proposed, putBack: false })[0],
    async onSubmit(entered) {
      const refusal = await drain(entered);
      if (refusal === null) onClose();
      return refusal;
    },
  });
  return (
    <Dialog title={`Drain ${name}?`} onClose={onClose}>
      <Form form={form}>
        {isRecovered && <p>{label} is not part of an outage any more.</p>}
        <Impact>
          {describeImpact('drain', use, 'any method', null)} It ends in {DRAINED_FOR_HOURS} hours, or as soon as you end it.
        </Impact>
        <form.Text
          name="reason"
          label="Reason"
          maxLength={500}
          description="Shown in the routing record of each payment it affects."
        />
        <form.Checkbox name="putBack" {...PUT_BACK} />
        <Refusal message={error?.message ?? null} />
        <FormActions action={`Drain ${label}`} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
