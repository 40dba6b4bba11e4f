'use client';

import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useId, useState } from 'react';
import { formatTimestamp } from '#/format/moments.ts';
import { reportRefusal } from '#/forms/reply.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useCanAnywhere } from '#/trpc/use-can.ts';
import { Button } from '../button/button.tsx';
import { DialogActions } from '../dialog/dialog.tsx';
import { Moment } from '../time/moment.tsx';
import { describePeople, type SecondPersonState } from './use-second-person.ts';

const ConfirmDialog = dynamic(() => import('#/forms/form-dialog.tsx').then((module) => module.ConfirmDialog));

/** Texts about a rule that needs a second person: whole sentences unless another form is named. */
export interface SecondPersonTexts {
  readonly isRequired: string;
  readonly isNotRequired: string;
  /** Why one who is alone cannot require it. */
  readonly alone: string;
  /** `Require a second person` */
  readonly requireAction: string;
  /** The consequence of requiring it, and for whom. Ends with who the second person is. */
  readonly require: string;
  /** Why nothing goes on, where no one else is left. */
  readonly leftAlone: string;
  /** The consequence of lifting it by a person who is left alone. */
  readonly liftAlone: string;
  /** The state until another person agrees. */
  readonly until: string;
  /** The state once another person has agreed. */
  readonly ifAgreed: string;
  /** The state if no one answers. */
  readonly withoutAnswer: string;
  /** `Let one person publish`, and the same within sentences: `let one person publish`, `one person can publish rules`. */
  readonly lift: string;
  readonly toLift: string;
  readonly lifted: string;
  /** `another owner or operator` */
  readonly whoToInvite: string;
}

interface RuleProps {
  readonly state: SecondPersonState;
  readonly texts: SecondPersonTexts;
  /** True if the person may change the rule. */
  readonly may: boolean;
}

/** The setting by which a second person is needed or not, and the switch for it. */
export function SecondPerson({ state, texts, may }: RuleProps) {
  const { required, others, waiver } = state;
  if (required === undefined) return null;
  return (
    <div className="grid gap-2 justify-items-start text-ink-quiet text-sm">
      <p>{required ? texts.isRequired : texts.isNotRequired}</p>
      {may && !required && <RequireSecondPerson state={state} texts={texts} />}
      {may && required && others.length === 0 && <OnlyPerson state={state} texts={texts} />}
      {may && required && others.length > 0 && waiver === null && <RequestWaiver state={state} texts={texts} />}
      {required && waiver?.isMine && (
        <p>
          You requested <Moment value={waiver.requestedAt} /> to {texts.toLift}. {describePeople(others)} can agree until{' '}
          {formatTimestamp(waiver.until)}.{' '}
          <Button loading={state.busy} onClick={() => void reportRefusal(state.setWithToast(true))}>
            Withdraw the request
          </Button>
        </p>
      )}
    </div>
  );
}

/** Another person's request to lift the rule, with its answers. Empty while there is none. */
export function WaiverRequest({ state, texts, may }: RuleProps) {
  const { waiver, busy } = state;
  if (!may || waiver === null || waiver.isMine) return null;
  return (
    <WaiverPanel
      requesterName={waiver.requesterName}
      requestedAt={waiver.requestedAt}
      wants={`requested that ${texts.lifted}`}
      about={`${texts.ifAgreed} Without an answer until ${formatTimestamp(waiver.until)}, ${texts.withoutAnswer}`}
      busy={busy}
      onAnswer={(agree) => state.setWithToast(!agree)}
    />
  );
}

/** A person's request to lift a rule, with the answers of another. */
export function WaiverPanel({
  requesterName,
  requestedAt,
  wants,
  about,
  busy,
  onAnswer,
}: {
  requesterName: string;
  requestedAt: Date;
  wants: string;
  about: string;
  busy: boolean;
  onAnswer: (agree: boolean) => Promise<null>;
}) {
  return (
    <section
      className="grid gap-2 max-w-[1040px] mb-2 p-3 border border-wait-ink rounded-xl text-sm"
      aria-label={`Request of ${requesterName}`}
    >
      <p>
        <b>
          {requesterName} {wants}
        </b>{' '}
        <Moment value={requestedAt} />
      </p>
      <p>{about}</p>
      <DialogActions>
        <Button variant="accent" loading={busy} onClick={() => void reportRefusal(onAnswer(true))}>
          Agree
        </Button>
        <Button loading={busy} onClick={() => void reportRefusal(onAnswer(false))}>
          Decline
        </Button>
      </DialogActions>
    </section>
  );
}

type SwitchProps = Omit<RuleProps, 'may'>;

function RequireSecondPerson({ state, texts }: SwitchProps) {
  const [asking, setAsking] = useState(false);
  const why = useId();
  const isAlone = state.others.length === 0;
  return (
    <>
      <Button disabled={isAlone} aria-describedby={isAlone ? why : undefined} onClick={() => setAsking(true)}>
        {texts.requireAction}
      </Button>
      {isAlone && (
        <p id={why} className="max-w-[70ch] text-ink-faint">
          {texts.alone} <InviteLink who={texts.whoToInvite} />
        </p>
      )}
      {asking && (
        <ConfirmDialog
          title={`${texts.requireAction}?`}
          action={texts.requireAction}
          onConfirm={() => state.setWithToast(true)}
          onClose={() => setAsking(false)}
        >
          <div className="grid gap-2 leading-[1.5]">
            <p>
              {texts.require} Beside you that is {describePeople(state.others)}.
            </p>
            <p>You cannot undo this alone: two people have to agree to {texts.toLift} again.</p>
          </div>
        </ConfirmDialog>
      )}
    </>
  );
}

function RequestWaiver({ state, texts }: SwitchProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>{texts.lift}</Button>
      {asking && (
        <ConfirmDialog
          title={`Request that ${texts.lifted}?`}
          action="Send request"
          onConfirm={() => state.setWithToast(false)}
          onClose={() => setAsking(false)}
        >
          <div className="grid gap-2 leading-[1.5]">
            <p>
              {describePeople(state.others)} has to agree within a day, and sees your request among what needs attention. Until
              then nothing changes: {texts.until}
            </p>
          </div>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Lifts the rule where no second person is left; otherwise nothing would ever go on. */
function OnlyPerson({ state, texts }: SwitchProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <p className="max-w-[70ch] py-2 px-2.5 rounded-md bg-wait-soft text-wait-ink">
        {texts.leftAlone} <InviteLink who={texts.whoToInvite} />
      </p>
      <Button onClick={() => setAsking(true)}>{texts.lift}</Button>
      {asking && (
        <ConfirmDialog
          title={`${texts.lift}?`}
          action={texts.lift}
          onConfirm={() => state.setWithToast(false)}
          onClose={() => setAsking(false)}
        >
          <div className="grid gap-2 leading-[1.5]">
            <p>{texts.liftAlone}</p>
          </div>
        </ConfirmDialog>
      )}
    </>
  );
}

function InviteLink({ who }: { who: string }) {
  const scope = useScope();
  const mayInvite = useCanAnywhere()('team:manage');
  return mayInvite ? <Link href={hrefIn(scope, '/team')}>Invite {who}</Link> : <>Ask an owner to invite {who}.</>;
}
