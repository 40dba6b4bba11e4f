'use client';

import { methodWord } from '@switchyard/routing';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { PanelPart } from '#/components/side-panel/side-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { describeActor, healthReasonText, OVERRIDE_LABELS } from '#/copy/health.ts';
import { ConfirmDialog } from '#/forms/form-dialog.tsx';
import { isPlanned, useOverrides } from '#/overrides/use-overrides.ts';
import { useCan } from '#/trpc/use-can.ts';
import { type AccountOverview, type OverrideOverview, useNames } from '../use-health.ts';

/** The overrides of an account, active and planned, with the actions to set and end one. */
export function Overrides({
  account,
  onSet,
  onDrainGateway,
  mayAct,
}: {
  account: AccountOverview;
  onSet: () => void;
  onDrainGateway: () => void;
  mayAct: boolean;
}) {
  const mayActForAll = useCan()('override:set', null);
  const [ending, setEnding] = useState<OverrideOverview | null>(null);
  const overrides = [...account.overrides, ...account.planned];
  const names = useNames(overrides.map(({ actor }) => actor));
  return (
    <PanelPart title="Overrides" action={mayAct && <Button onClick={onSet}>Set an override</Button>}>
      {overrides.length === 0 && <p className="text-ink-faint text-sm">No overrides: rules and health decide.</p>}
      <ul>
        {overrides.map((override) => (
          <li key={override.overrideId} className="flex gap-3 items-start py-1 text-sm">
            <div className="flex-1 min-w-0 wrap-anywhere">
              <p className="text-wait-ink font-semibold">
                {isPlanned(account, override)
                  ? `Planned: ${OVERRIDE_LABELS[override.action].verb.toLowerCase()}`
                  : OVERRIDE_LABELS[override.action].past}
                , {methodWord(override.method)}
                {override.gateway !== null && `, ${account.gatewayTitle} of all merchants`}
              </p>
              <p>{override.reason}</p>
              <p className="text-ink-faint text-xs">
                By {describeActor(override.actor, names)}, <Moment value={override.createdAt} />;{' '}
                {isPlanned(account, override) && override.startsAt !== null && (
                  <>
                    starts <Moment value={override.startsAt} tense="upcoming" />,{' '}
                  </>
                )}
                {override.expiresAt === null ? (
                  'until it is ended'
                ) : (
                  <>
                    ends <Moment value={override.expiresAt} tense="upcoming" />
                  </>
                )}
                {override.putBack && ', or by itself when recovered'}
              </p>
            </div>
            {(override.gateway === null ? mayAct : mayActForAll) && (
              <Button onClick={() => setEnding(override)}>{isPlanned(account, override) ? 'Cancel' : 'End'}</Button>
            )}
          </li>
        ))}
      </ul>
      {mayActForAll && <Button onClick={onDrainGateway}>Drain {account.gatewayTitle} for all merchants</Button>}
      {!mayAct && <p className="text-ink-faint text-sm">Only operators and owners can set one.</p>}
      {ending !== null && <EndDialog account={account} override={ending} onClose={() => setEnding(null)} />}
    </PanelPart>
  );
}

function EndDialog({
  account,
  override,
  onClose,
}: {
  account: AccountOverview;
  override: OverrideOverview;
  onClose: () => void;
}) {
  const { isPlanned: planned, isOver, end } = useOverrideEnd(account, override);
  const whose = `${override.gateway === null ? account.label : `${account.gatewayTitle} for all merchants`}, ${methodWord(override.method)}`;
  const whole = account.health.find(({ method }) => method === override.method) ?? account.health[0];

  async function confirm() {
    const outcome = await end();
    showToast({
      subject: override.overrideId,
      text:
        outcome.kind === 'already_ended'
          ? `The override of ${whose} had already ended.`
          : planned
            ? `Planned override of ${whose} cancelled.`
            : `Override ended: ${whose} follows rules and health again.`,
    });
    return null;
  }

  return (
    <ConfirmDialog
      title={planned ? `Cancel the planned override of ${whose}?` : `End the override of ${whose}?`}
      action={planned ? 'Cancel override' : 'End override'}
      disabled={isOver}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p className="text-base wrap-anywhere">
        {isOver
          ? `It ${planned ? 'was cancelled or has ended' : 'has ended'} meanwhile.`
          : describeEnd(override, planned, whole === undefined ? null : healthReasonText(whole))}
      </p>
    </ConfirmDialog>
  );
}

/** The effect of ending an override, or cancelling it while it is planned; `health` is why the account is in its state. */
function describeEnd({ action, reason }: OverrideOverview, planned: boolean, health: string | null): string {
  const { past, verb } = OVERRIDE_LABELS[action];
  if (planned) return `${verb} is planned for “${reason}”. Nothing changes for payments when it is cancelled.`;
  return `${past} for “${reason}”. Once it ends, rules and health decide again${health === null ? '.' : `. Current health: ${health}`}`;
}

interface Override {
  readonly overrideId: string;
  /** The gateway whose accounts of all merchants it concerns; null for the account. */
  readonly gateway?: string | null;
}

interface OverriddenAccount {
  readonly merchantId: string;
  readonly overrides: readonly Override[];
  readonly planned: readonly Override[];
}

/**
 * An override that a dialog asks to end, or to cancel while it is planned. Live data may bring its beginning, its expiry or another
 * person's cancelling: the dialog then says what is so, and never offers to end what has not begun.
 */
export function useOverrideEnd(account: OverriddenAccount, override: Override) {
  const { end, endGateway } = useOverrides();
  const isListed = [...account.overrides, ...account.planned].some(({ overrideId }) => overrideId === override.overrideId);
  const isPlannedNow = isPlanned(account, override);
  const [wasPlanned, setWasPlanned] = useState(isPlannedNow);
  if (isListed && wasPlanned !== isPlannedNow) setWasPlanned(isPlannedNow);
  return {
    /** True if the override has not started, or had not when it ended. */
    isPlanned: wasPlanned,
    /** It has ended, or was cancelled, by itself or by another person. */
    isOver: !isListed && !end.isPending && !endGateway.isPending,
    /** Ends or cancels it. */
    end: () => {
      const { overrideId, gateway = null } = override;
      if (gateway !== null) return endGateway.mutateAsync({ overrideId });
      return end.mutateAsync({ merchantId: account.merchantId, overrideId });
    },
  };
}
