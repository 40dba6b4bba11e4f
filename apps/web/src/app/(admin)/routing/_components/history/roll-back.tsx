'use client';

import { publicationReason } from '@switchyard/api/entered-fields';
import { useMemo } from 'react';
import * as z from 'zod/mini';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { Form, FormActions } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { isNameOf, NameField } from '../publish/name-field.tsx';
import { useLive, useMerchantName, useRoutingScope } from '../queries/use-routing.ts';
import { useStoredText } from '../queries/use-stored-text.ts';
import { Consequence } from '../replay/consequence.tsx';
import { useReplay } from '../replay/use-replay.ts';
import { useRollBackTo } from './use-roll-back-to.ts';

const DAYS = 7;
const schema = z.object({ reason: publicationReason, merchantName: z.string() });

/** Confirmation before an old version is restored, with the consequences in figures. */
export function RollBack({ version, current: inForce, onClose }: { version: number; current: number; onClose: () => void }) {
  const scope = useRoutingScope();
  const live = useLive();
  const merchant = useMerchantName();
  const { current, rollBack } = useRollBackTo(version, inForce);
  const [reason, keepReason] = useStoredText(`roll back ${scope.merchantId} ${scope.mode} ${version}`);
  const rules = useMemo(() => ({ kind: 'version' as const, version }), [version]);
  const replay = useReplay(rules, DAYS, current);
  const form = useForm({
    schema,
    values: { reason, merchantName: '' },
    async onSubmit(entered) {
      await rollBack(entered.reason);
      keepReason('');
      onClose();
      return null;
    },
  });
  const isReady = form.entered.reason.trim() !== '' && (scope.mode !== 'live' || isNameOf(form.entered.merchantName, merchant));
  return (
    <Dialog title={`Roll back to version ${version} for ${merchant}, ${scope.mode} mode?`} onClose={onClose}>
      <Form form={form} warns={false}>
        <p>
          Its rules replace version {current} from now on, as version {current + 1}. Nothing is deleted.
        </p>
        <Consequence state={replay.state} days={DAYS} accounts={live.data?.accounts ?? []} onAgain={replay.again} />
        <form.Area name="reason" label="Reason" required maxLength={500} onChange={keepReason} />
        {scope.mode === 'live' && <NameField form={form} merchant={merchant} />}
        <FormActions action={`Roll back to version ${version}`} disabled={!isReady} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
