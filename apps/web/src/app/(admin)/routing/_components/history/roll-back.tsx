'use client';

import { publicationReason } from '@switchyard/api/entered-fields';
import { useMemo, useState } from 'react';
import * as z from 'zod/mini';
import { showToast } from '#/components/toasts/toast-store.ts';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { useForm } from '#/forms/use-form.ts';
import { Consequence } from '../moves/what-moves.tsx';
import { isNameOf, NameField } from '../publish/name-field.tsx';
import { useRollBack, useRollBackWithToast } from '../publish/use-publication.ts';
import { useLive, useMerchantName, useNextVersion, useRoutingScope } from '../queries/use-routing.ts';
import { useStoredText } from '../queries/use-stored-text.ts';
import { useReplay } from '../replay/use-replay.ts';

const DAYS = 7;
const schema = z.object({ reason: publicationReason, merchantName: z.string() });

/** Confirmation before an old version is restored, with the consequences in figures. */
export function RollBack({ version, current: inForce, onClose }: { version: number; current: number; onClose: () => void }) {
  const scope = useRoutingScope();
  const live = useLive();
  const merchant = useMerchantName();
  const { current, rollBack } = useRollBackTo(version, inForce);
  const next = useNextVersion(current);
  const [reason, keepReason] = useStoredText(`roll back ${scope.merchantId} ${scope.mode} ${version}`);
  const rules = useMemo(() => ({ kind: 'version' as const, version }), [version]);
  const replay = useReplay(rules, DAYS, current);
  const form = useForm({
    schema,
    values: { reason, merchantName: '' },
    async onSubmit(entered) {
      await rollBack(entered.reason);
      keepReason('');
      return null;
    },
    onDone: onClose,
  });
  const isReady = form.entered.reason.trim() !== '' && (scope.mode !== 'live' || isNameOf(form.entered.merchantName, merchant));
  return (
    <FormDialog
      title={`Roll back to version ${version} for ${merchant}, ${scope.mode} mode?`}
      form={form}
      action={`Roll back to version ${version}`}
      disabled={!isReady}
      warns={false}
      onClose={onClose}
    >
      <p>
        Its rules replace version {current} from now on, as version {next}. Nothing is deleted.
      </p>
      <Consequence state={replay.state} days={DAYS} accounts={live.data?.accounts ?? []} onAgain={replay.again} />
      <form.Area name="reason" label="Reason" required maxLength={500} onChange={keepReason} />
      {scope.mode === 'live' && <NameField form={form} merchant={merchant} />}
    </FormDialog>
  );
}

/**
 * The decision to put a version back in force instead of the one that was in force when the question was opened, `current`: of another
 * one that is published meanwhile the person has seen nothing, and the server refuses to replace it.
 */
export function useRollBackTo(version: number, inForce: number) {
  const [current] = useState(inForce);
  const rollBack = useRollBack();
  const rollBackWithToast = useRollBackWithToast();
  return {
    current,
    /** Rolls back, and says what came of it with a way back. Throws why it was refused. */
    async rollBack(reason: string): Promise<void> {
      const outcome = await rollBack({ version, baseVersion: current, reason });
      if (outcome.kind === 'needs_approval') {
        showToast({ text: `A draft of version ${version} waits for approval by a second person.` });
        return;
      }
      const { version: next } = outcome.ruleSet;
      showToast({
        text: `The rules of version ${version} are active again, as version ${next}.`,
        action: {
          label: `Back to ${current}`,
          run: () => rollBackWithToast({ version: current, baseVersion: next, reason: `Version ${next} was rolled back.` }),
        },
      });
    },
  };
}
