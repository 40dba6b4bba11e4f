'use client';

import { overrideReason } from '@switchyard/api/entered-fields';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Dialog } from '../components/dialog/dialog.tsx';
import { showToast } from '../components/toasts/toast-store.ts';
import { Form, FormActions } from '../forms/form.tsx';
import { useForm } from '../forms/use-form.ts';
import type { DrainedGateway } from './drained-gateway.ts';
import { Impact, PUT_BACK } from './impact.tsx';
import { useOverrides } from './use-overrides.ts';

/** How long it lasts unless it is ended. */
const DRAINED_FOR_HOURS = 2;

const schema = z.object({ reason: overrideReason, putBack: z.boolean() });

/** Asks before all accounts of a gateway are drained, those of all merchants. */
export function DrainGatewayDialog({ of, onClose }: { of: DrainedGateway; onClose: () => void }) {
  const { drainGateway, endGateway } = useOverrides();
  const { gateway, title, mode, accounts, merchants } = of;
  const form = useForm({
    schema,
    values: useState({ reason: 'Gateway outage', putBack: false })[0],
    async onSubmit({ reason, putBack }) {
      const expiresAt = new Date(Date.now() + DRAINED_FOR_HOURS * 3_600_000);
      const outcome = await drainGateway.mutateAsync({ gateway, mode, reason, putBack, expiresAt });
      if (outcome.kind === 'invalid') return outcome.problems;
      onClose();
      if (outcome.kind === 'not_found') return null;
      const { id: overrideId } = outcome.override;
      const undo = { label: 'Undo', run: () => endGateway.mutateAsync({ overrideId }) };
      showToast({ text: `${title} is drained for all merchants.`, subject: overrideId, action: undo });
      return null;
    },
  });
  return (
    <Dialog title={`Drain ${title} for all merchants?`} onClose={onClose}>
      <Form form={form}>
        <Impact>
          {accounts === 1 ? '1 account' : `${accounts} accounts`} of {merchants === 1 ? '1 merchant' : `${merchants} merchants`}{' '}
          in {mode} mode, and those that are added meanwhile. New payments go to the next account of their rule; open checkouts
          can still be paid. Where a merchant has no other account, payments fail. It ends in {DRAINED_FOR_HOURS} hours, or as
          soon as you end it.
        </Impact>
        <form.Text
          name="reason"
          label="Reason"
          maxLength={500}
          description="Shown in the routing record of each payment it affects."
        />
        <form.Checkbox name="putBack" {...PUT_BACK} />
        <FormActions action={`Drain ${title}`} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
