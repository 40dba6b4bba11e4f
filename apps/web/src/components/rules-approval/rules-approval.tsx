'use client';

import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useId, useState } from 'react';
import { formatTimestamp } from '#/format/moments.ts';
import { reportRefusal } from '#/forms/report-refusal.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useCan } from '#/trpc/use-can.ts';
import { Button } from '../button/button.tsx';
import { DialogActions } from '../dialog/dialog.tsx';
import { Moment } from '../time/moment.tsx';
import { describeApprovers, type RulesApprovalState, useRulesApproval } from './use-rules-approval.ts';

const ConfirmDialog = dynamic(() => import('#/forms/confirm-dialog.tsx').then((module) => module.ConfirmDialog));

interface MerchantProps {
  readonly merchant: { readonly merchantId: string; readonly name: string };
}

/** The approval setting of a merchant's rules (one person publishes, or a second one approves), and the switch for it. */
export function RulesApproval({ merchant }: MerchantProps) {
  const approval = useRulesApproval(merchant);
  const mayUpdate = useCan()('merchant:update', merchant.merchantId);
  const { required, others } = approval;
  if (required === undefined) return null;
  return (
    <div className="grid gap-2 justify-items-start text-ink-quiet text-sm">
      <p>{required ? 'A second person has to approve rules before they are published.' : 'One person can publish rules.'}</p>
      {mayUpdate && !required && <RequireSecondPerson merchant={merchant} approval={approval} />}
      {mayUpdate && required && others.length === 0 && <OnlyApprover merchant={merchant} approval={approval} />}
      {mayUpdate && required && others.length > 0 && approval.waiver === null && (
        <LetOnePersonPublish merchant={merchant} approval={approval} />
      )}
      {required && approval.waiver?.isMine && (
        <p>
          You requested <Moment value={approval.waiver.requestedAt} /> to let one person publish. {describeApprovers(others)} can
          agree until {formatTimestamp(approval.waiver.until)}.{' '}
          <Button loading={approval.busy} onClick={() => void reportRefusal(approval.setWithToast(true))}>
            Withdraw the request
          </Button>
        </p>
      )}
    </div>
  );
}

/** Another person's request to let one person publish, with its answers. Empty while there is none. */
export function WaiverRequest({ merchant }: MerchantProps) {
  const approval = useRulesApproval(merchant);
  const mayUpdate = useCan()('merchant:update', merchant.merchantId);
  const { waiver, busy } = approval;
  if (!mayUpdate || waiver === null || waiver.isMine) return null;
  return (
    <section
      className="grid gap-2 max-w-[1040px] mb-2 p-3 border border-wait-ink rounded-xl text-sm"
      aria-label={`Request of ${waiver.requesterName}`}
    >
      <p>
        <b>{waiver.requesterName} requested that one person can publish rules</b> <Moment value={waiver.requestedAt} />
      </p>
      <p>
        If you agree, one person can publish rules of {merchant.name}, in test and live mode. Without an answer until{' '}
        {formatTimestamp(waiver.until)}, a second person still has to approve them.
      </p>
      <DialogActions>
        <Button variant="accent" loading={busy} onClick={() => void reportRefusal(approval.setWithToast(false))}>
          Agree
        </Button>
        <Button loading={busy} onClick={() => void reportRefusal(approval.setWithToast(true))}>
          Decline
        </Button>
      </DialogActions>
    </section>
  );
}

interface SwitchProps extends MerchantProps {
  readonly approval: RulesApprovalState;
}

function RequireSecondPerson({ merchant: { name }, approval }: SwitchProps) {
  const [asking, setAsking] = useState(false);
  const why = useId();
  const isAlone = approval.others.length === 0;
  return (
    <>
      <Button disabled={isAlone} aria-describedby={isAlone ? why : undefined} onClick={() => setAsking(true)}>
        Require a second person
      </Button>
      {isAlone && (
        <p id={why} className="max-w-[70ch] text-ink-faint">
          You are the only person who can publish rules of {name}, so no one else could approve them. <InviteLink />
        </p>
      )}
      {asking && (
        <ConfirmDialog
          title="Require a second person?"
          action="Require a second person"
          onConfirm={() => approval.setWithToast(true)}
          onClose={() => setAsking(false)}
        >
          <div className="grid gap-2 leading-[1.5]">
            <p>
              From now on rules of {name} are published, in test and live mode, only after a person who did not write them
              approved them. Beside you that is {describeApprovers(approval.others)}.
            </p>
            <p>You cannot undo this alone: two people have to agree to let one person publish again.</p>
          </div>
        </ConfirmDialog>
      )}
    </>
  );
}

function LetOnePersonPublish({ merchant: { name }, approval }: SwitchProps) {
  const [asking, setAsking] = useState(false);
  const who = describeApprovers(approval.others);
  return (
    <>
      <Button onClick={() => setAsking(true)}>Let one person publish</Button>
      {asking && (
        <ConfirmDialog
          title="Request that one person can publish?"
          action="Send request"
          onConfirm={() => approval.setWithToast(false)}
          onClose={() => setAsking(false)}
        >
          <div className="grid gap-2 leading-[1.5]">
            <p>
              {who} has to agree within a day, and sees your request among what needs attention. Until then nothing changes: a
              second person approves rules of {name}.
            </p>
          </div>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Lets one person publish where no second approver is left; otherwise no rules could ever be published. */
function OnlyApprover({ merchant: { name }, approval }: SwitchProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <p className="max-w-[70ch] py-2 px-2.5 rounded-md bg-wait-soft text-wait-ink">
        No one else can approve rules of {name} any more, so they cannot be published. <InviteLink />
      </p>
      <Button onClick={() => setAsking(true)}>Let one person publish</Button>
      {asking && (
        <ConfirmDialog
          title="Let one person publish?"
          action="Let one person publish"
          onConfirm={() => approval.setWithToast(false)}
          onClose={() => setAsking(false)}
        >
          <div className="grid gap-2 leading-[1.5]">
            <p>
              From now on you publish rules of {name} without the approval of a second person, in test and live mode. The audit
              log records that no one else could have approved them.
            </p>
          </div>
        </ConfirmDialog>
      )}
    </>
  );
}

function InviteLink() {
  const scope = useScope();
  const mayInvite = useCan()('team:manage');
  return mayInvite ? (
    <Link href={hrefIn(scope, '/team')}>Invite another owner or operator</Link>
  ) : (
    <>Ask an owner to invite another owner or operator.</>
  );
}
