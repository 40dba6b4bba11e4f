'use client';

import { overrideReason } from '@switchyard/api/entered-fields';
import { methodWord } from '@switchyard/routing';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { serverNow } from '../clock/server-clock.ts';
import { showToast } from '../components/toasts/toast-store.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import { useForm } from '../forms/use-form.ts';
import { useTRPC } from '../trpc/client.tsx';
import type { RouterOutputs } from '../trpc/outputs.ts';
import { Impact, PUT_BACK } from './impact.tsx';
import { type DrainedGateway, useOverrides } from './use-overrides.ts';

/** How long it lasts unless it is ended. */
const DRAINED_FOR_HOURS = 2;

const schema = z.object({ reason: overrideReason, putBack: z.boolean() });

/** Asks before all accounts of a gateway are drained, those of all merchants. */
export function DrainGatewayDialog({ of, onClose }: { of: DrainedGateway; onClose: () => void }) {
  const { drainGateway, endGateway } = useOverrides();
  const trpc = useTRPC();
  const { gateway, title, mode } = of;
  const { data: use } = useQuery(trpc.gateways.gatewayUsage.queryOptions({ gateway, mode }));
  const form = useForm({
    schema,
    values: useState({ reason: 'Gateway outage', putBack: false })[0],
    async onSubmit({ reason, putBack }) {
      const expiresAt = new Date(serverNow() + DRAINED_FOR_HOURS * 3_600_000);
      const outcome = await drainGateway.mutateAsync({ gateway, mode, reason, putBack, expiresAt });
      if (outcome.kind === 'invalid') return outcome.problems;
      if (outcome.kind === 'not_found') return null;
      const { id: overrideId } = outcome.override;
      const undo = { label: 'Put back', run: () => endGateway.mutateAsync({ overrideId }) };
      showToast({ text: `${title} is drained for all merchants.`, subject: overrideId, action: undo });
      return null;
    },
    onDone: onClose,
  });
  return (
    <FormDialog title={`Drain ${title} for all merchants?`} form={form} action={`Drain ${title}`} onClose={onClose}>
      <Impact>
        {describeGatewayImpact(use, mode)} New payments go to the next account of their rule; open checkouts can still be paid. It
        ends in {DRAINED_FOR_HOURS} hours, or as soon as you put it back.
      </Impact>
      {use !== undefined && use.strandedCount > 0 && <Stranded use={use} />}
      <form.Text
        name="reason"
        label="Reason"
        maxLength={500}
        description="Shown in the routing record of each payment it affects."
      />
      <form.Checkbox name="putBack" {...PUT_BACK} />
    </FormDialog>
  );
}

type GatewayUse = RouterOutputs['gateways']['gatewayUsage'];

/** How many payments a day a drain of a gateway moves, and whose. */
function describeGatewayImpact(use: GatewayUse | undefined, mode: DrainedGateway['mode']): string {
  if (use === undefined) return 'Counting the payments that go there…';
  const payments = `${use.payments.toLocaleString('en')} ${use.payments === 1 ? 'payment' : 'payments'}`;
  const accounts = use.accounts === 1 ? '1 account' : `${use.accounts} accounts`;
  const merchants = use.merchants === 1 ? '1 merchant' : `${use.merchants} merchants`;
  return `${payments} of the last 24 hours went there, by ${accounts} of ${merchants} in ${mode} mode.`;
}

/** The merchants whose payments would fail. */
function Stranded({ use: { stranded, strandedCount } }: { use: GatewayUse }) {
  const others = strandedCount - stranded.length;
  return (
    <div className="py-2.5 px-3 border-l-3 border-bad bg-bad-soft text-sm" role="note">
      <p>
        <strong>
          {strandedCount === 1 ? 'Payments of 1 merchant would fail' : `Payments of ${strandedCount} merchants would fail`}:
        </strong>{' '}
        no other account takes them.
      </p>
      <ul>
        {stranded.map(({ merchantId, merchantName, methods }) => (
          <li key={merchantId}>
            {merchantName}: {methods.map((method) => methodWord(method)).join(', ')}
          </li>
        ))}
        {others > 0 && <li>{others === 1 ? '1 other merchant' : `${others} other merchants`}</li>}
      </ul>
    </div>
  );
}
