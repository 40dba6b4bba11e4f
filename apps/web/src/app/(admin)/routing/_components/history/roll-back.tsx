'use client';

import { useMemo, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { AreaField } from '#/components/field/field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { isNameOf, NameField } from '../editor/name-field.tsx';
import { useConfirm } from '../queries/use-confirm.ts';
import { useLive, useMerchantName, useRoutingScope } from '../queries/use-routing.ts';
import { useStoredText } from '../queries/use-stored-text.ts';
import { Consequence } from '../replay/consequence.tsx';
import { useReplay } from '../replay/use-replay.ts';
import { useRollBackTo } from './use-roll-back-to.ts';

const DAYS = 7;

/** Confirmation before an old version is restored, with the consequences in figures. */
export function RollBack({ version, current: inForce, onClose }: { version: number; current: number; onClose: () => void }) {
  const scope = useRoutingScope();
  const live = useLive();
  const merchant = useMerchantName();
  const { current, rollBack } = useRollBackTo(version, inForce);
  const [reason, setReason] = useStoredText(`roll back ${scope.merchantId} ${scope.mode} ${version}`);
  const [typedName, setTypedName] = useState('');
  const rules = useMemo(() => ({ kind: 'version' as const, version }), [version]);
  const replay = useReplay(rules, DAYS, current);
  async function go(): Promise<string | null> {
    await rollBack(reason.trim());
    setReason('');
    return null;
  }
  const { busy, refusal, confirm } = useConfirm(go, onClose);
  const isReady = reason.trim() !== '' && (scope.mode !== 'live' || isNameOf(typedName, merchant));
  return (
    <Dialog title={`Roll back to version ${version} for ${merchant}, ${scope.mode} mode?`} onClose={onClose}>
      <p>
        Its rules replace version {current} from now on, as version {current + 1}. Nothing is deleted.
      </p>
      <Consequence state={replay.state} days={DAYS} accounts={live.data?.accounts ?? []} onAgain={replay.again} />
      <AreaField
        label="Reason"
        required
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {scope.mode === 'live' && <NameField merchant={merchant} typed={typedName} onType={setTypedName} />}
      <Refusal message={refusal} />
      <DialogActions onCancel={onClose}>
        <Button variant="accent" loading={busy} disabled={!isReady} onClick={confirm}>
          Roll back to version {version}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
