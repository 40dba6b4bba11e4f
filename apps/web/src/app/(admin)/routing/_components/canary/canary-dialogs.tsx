'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { showToast } from '#/components/toasts/toast-store.ts';
import { ConfirmDialog, FormDialog } from '#/forms/form-dialog.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useRefreshRouting } from '../publish/use-publication.ts';
import { useMerchantName, useRoutingScope } from '../queries/use-routing.ts';
import { type Canary, describeCanary, SHARES, versionName } from './describe-canary.ts';

/** Confirmation before a version is promoted without its verdict. */
export function PromoteDialog({ canary, onClose }: { canary: Canary; onClose: () => void }) {
  const trpc = useTRPC();
  const { merchantId, mode } = useRoutingScope();
  const merchant = useMerchantName();
  const refresh = useRefreshRouting();
  const promote = useMutation(trpc.routing.canaries.promote.mutationOptions());
  const [{ canaryId, version, liveVersion, percent }] = useState(canary);
  async function confirm(): Promise<string | null> {
    const outcome = await promote.mutateAsync({ merchantId, canaryId });
    await refresh();
    if (outcome.kind !== 'promoted') return refusalText(outcome);
    showToast({ text: `Version ${version} is active for ${merchant}.` });
    return null;
  }
  return (
    <ConfirmDialog
      title={`Promote version ${version} for ${merchant}, ${mode} mode?`}
      action={`Promote version ${version}`}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        It then routes all customers instead of {percent}%, in place of {versionName(liveVersion)}. {describeCanary(canary)}
      </p>
    </ConfirmDialog>
  );
}

const wider = z.object({ percent: z.string() });

/** Tries a version with a greater share of customers. */
export function WidenDialog({ canary, onClose }: { canary: Canary; onClose: () => void }) {
  const trpc = useTRPC();
  const { merchantId, mode } = useRoutingScope();
  const merchant = useMerchantName();
  const refresh = useRefreshRouting();
  const widen = useMutation(trpc.routing.canaries.widen.mutationOptions());
  const [{ canaryId, version, liveVersion, percent: before }] = useState(canary);
  const shares = SHARES.filter(({ value }) => Number(value) > before);
  const form = useForm({
    schema: wider,
    values: { percent: shares[0]?.value ?? '' },
    async onSubmit({ percent }) {
      const outcome = await widen.mutateAsync({ merchantId, canaryId, percent: Number(percent) });
      await refresh();
      if (outcome.kind !== 'widened') return refusalText(outcome);
      showToast({ text: `Version ${version} routes ${outcome.percent}% of customers of ${merchant}.` });
      return null;
    },
    onDone: onClose,
  });
  return (
    <FormDialog
      title={`Try version ${version} with more customers of ${merchant}, ${mode} mode?`}
      form={form}
      action={`Try with ${form.entered.percent}%`}
      onClose={onClose}
    >
      <p>
        It routes {before}% of customers now. They stay with it, and more of those whom {versionName(liveVersion)} routes move to
        it. What was counted stays counted, and both bounds hold. The share cannot be made smaller again.
      </p>
      <form.Select name="percent" label="Share" options={shares} />
    </FormDialog>
  );
}

type Refusal =
  | Exclude<RouterOutputs['routing']['canaries']['promote'], { kind: 'promoted' }>
  | Exclude<RouterOutputs['routing']['canaries']['widen'], { kind: 'widened' }>;

function refusalText(outcome: Refusal): string {
  switch (outcome.kind) {
    case 'not_running':
      return 'It had ended already.';
    case 'stale_base':
      return `Version ${outcome.currentVersion} was published meanwhile.`;
    case 'needs_approval':
      return 'A second person has to approve it first.';
    case 'broken_expectations':
      return outcome.broken[0]?.message ?? 'An expectation does not hold.';
    case 'invalid':
      return outcome.problems.map(({ field, message }) => `${field} ${message}`).join('; ');
    case 'not_found':
      return 'The trial no longer exists.';
    default:
      return outcome satisfies never;
  }
}
