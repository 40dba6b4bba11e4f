'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Button } from '#/components/button/button.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { SessionList } from '#/components/session-list/session-list.tsx';
import { PanelPart, SidePanel } from '#/components/side-panel/side-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { ConfirmDialog } from '#/forms/form-dialog.tsx';
import { reportRefusal } from '#/forms/reply.ts';
import { useForm } from '#/forms/use-form.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCanAnywhere } from '#/trpc/use-can.ts';
import { IssuedPart } from './issued-part.tsx';
import { LinkShown } from './link-shown.tsx';
import { ALL, optionOf, RoleSelect } from './role-choices.tsx';
import { type Person, type Team, useMerchants, usePersonActions, useRoles } from './use-team.ts';

interface PersonProps {
  readonly person: Person;
  readonly merchantScope: Team['merchantScope'];
  readonly canManage: boolean;
  readonly isSelf: boolean;
}

/** One person beside the team: roles, sign-in, sessions, and what can be done about each. Escape closes it. */
export function PersonPanel({ onClose, ...props }: PersonProps & { onClose: () => void }) {
  const { person, merchantScope, canManage, isSelf } = props;
  const scope = useScope();
  const mayReadAudit = useCanAnywhere()('audit:read');
  const { name } = useMerchants();
  const actions = usePersonActions(person, name);
  const manage = canManage && person.manageable;
  return (
    <SidePanel label={person.name} title={person.name} from={['data-person', person.staffId]} onClose={onClose}>
      <DescriptionList>
        <Description name="E-mail address">
          <Copyable text={person.email} label="the e-mail address" />
        </Description>
        <Description name="Joined">
          <Moment value={person.joinedAt} />
        </Description>
        <Description name="Provisioned by">{person.provisionedBy}</Description>
        <Description name="Disabled">{person.disabledAt && <Moment value={person.disabledAt} />}</Description>
      </DescriptionList>
      {mayReadAudit && (
        <Link className="w-[fit-content]" href={hrefIn(scope, '/audit', { actor: `staff:${person.staffId}` })}>
          Activity of {person.name}
        </Link>
      )}
      <PanelPart title="Roles">
        {person.provisionedBy !== null && (
          <p className="text-ink-quiet text-sm">
            {person.provisionedBy} provisions {person.name}: roles come from the groups there. You can add others for merchants
            that no group gives one for.
          </p>
        )}
        <PersonRoles person={person} merchantScope={merchantScope} canManage={canManage} actions={actions} />
        {person.neededToApprove.length > 0 && <p className="text-ink-quiet text-sm">{describeMissingApprover(person, name)}</p>}
      </PanelPart>
      {canManage && !person.manageable && (
        <p className="text-ink-quiet text-sm">
          {person.name} also has roles that are not yours to manage, so only an owner of all merchants changes how they sign in.
        </p>
      )}
      {isSelf && (
        <p className="text-ink-quiet text-sm">
          This is you. Your own second step, password and sessions are under{' '}
          <Link href={hrefIn(scope, '/account')}>your account</Link>.
        </p>
      )}
      {manage && <SignIn person={person} isSelf={isSelf} actions={actions} />}
      {manage && !isSelf && <Sessions person={person} actions={actions} />}
      {manage && !isSelf && <IssuedPart person={person} />}
    </SidePanel>
  );
}

/** Consequences for the approval of rules when the person leaves or loses the role. */
function describeMissingApprover({ name, neededToApprove }: Person, merchantName: (merchantId: string) => string): string {
  const named = neededToApprove.slice(0, 3).map(merchantName);
  const more = neededToApprove.length - named.length;
  const merchants = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return `Rules of ${merchants} need a second person to approve them. Without ${name}, only one person could publish them, and no one could approve: no rules can be published there until another owner or operator joins or that person lets one person publish.`;
}

type Actions = ReturnType<typeof usePersonActions>;

function SignIn({ person, isSelf, actions }: { person: Person; isSelf: boolean; actions: Actions }) {
  const trpc = useTRPC();
  const [asking, setAsking] = useState<'nothing' | 'second_step' | 'disable'>('nothing');
  const link = useMutation(
    trpc.team.makeResetLink.mutationOptions({ onError: ({ message }) => void showToast({ text: message, tone: 'bad' }) }),
  );
  const { name, twoFactorEnabled, twoFactorRequired, disabledAt, staffId } = person;
  const { name: merchantName } = useMerchants();
  const approvals = person.neededToApprove.length > 0 ? ` ${describeMissingApprover(person, merchantName)}` : '';
  const close = () => setAsking('nothing');
  return (
    <PanelPart title="Sign-in">
      <label className="box-label gap-2.5">
        <input
          type="checkbox"
          checked={twoFactorRequired}
          disabled={actions.busy}
          onChange={(event) => void reportRefusal(actions.requireTwoFactor(event.currentTarget.checked))}
        />
        <span>
          Require two-factor sign-in
          <small className="block text-ink-faint text-xs">
            {twoFactorEnabled
              ? 'It is set up.'
              : twoFactorRequired
                ? 'Not set up yet: until it is, nothing else can be done.'
                : 'Not set up: they sign in with a password only.'}
          </small>
        </span>
      </label>
      <div className="flex flex-wrap gap-2 items-center">
        {!isSelf && person.provisionedBy === null && (
          <Button loading={link.isPending} onClick={() => link.mutate({ staffId })}>
            Create reset link
          </Button>
        )}
        {twoFactorEnabled && !isSelf && <Button onClick={() => setAsking('second_step')}>Reset two-factor sign-in</Button>}
        {disabledAt !== null && (
          <Button loading={actions.busy} onClick={() => void reportRefusal(actions.setDisabled(false))}>
            Enable {name}
          </Button>
        )}
        {disabledAt === null && !isSelf && (
          <Button variant="danger" onClick={() => setAsking('disable')}>
            Disable
          </Button>
        )}
      </div>
      {link.data !== undefined && (
        <Dialog title={`A new password for ${name}`} locked onClose={link.reset}>
          <LinkShown link={link.data} purpose="password_reset" onDone={link.reset} />
        </Dialog>
      )}
      {asking === 'second_step' && (
        <ConfirmDialog
          title={`Reset two-factor sign-in of ${name}`}
          action="Reset two-factor sign-in"
          variant="danger"
          onConfirm={actions.resetTwoFactor}
          onClose={close}
        >
          <p className="text-ink-quiet text-sm">
            The app and the backup codes of {name} stop working, and every session and machine token ends. Do this when phone and
            codes are lost, and only after you have made sure that it is {name} who asks.
          </p>
        </ConfirmDialog>
      )}
      {asking === 'disable' && (
        <ConfirmDialog
          title={`Disable ${name}`}
          action={`Disable ${name}`}
          variant="danger"
          onConfirm={() => actions.setDisabled(true)}
          onClose={close}
        >
          <p className="text-ink-quiet text-sm">
            {name} is signed out everywhere and cannot sign in. Their machine tokens end, and the invitations they sent that are
            still open, for good. Roles and history stay; you can enable {name} again at any time.
            {approvals}
          </p>
        </ConfirmDialog>
      )}
    </PanelPart>
  );
}

function Sessions({ person, actions }: { person: Person; actions: Actions }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.team.sessions.queryOptions({ staffId: person.staffId }));
  return (
    <PanelPart title="Signed in">
      <SessionList
        sessions={data}
        busy={actions.busy}
        onEnd={(sessionId) => void reportRefusal(actions.endSessions(sessionId))}
      />
      {data !== undefined && data.length > 1 && (
        <div className="flex flex-wrap gap-2 items-center">
          <Button variant="danger" loading={actions.busy} onClick={() => void reportRefusal(actions.endSessions(null))}>
            Sign out everywhere
          </Button>
        </div>
      )}
    </PanelPart>
  );
}

const schema = z.object({ role: z.string(), merchant: z.string() });

/** A staff user's roles. The viewer changes, removes and grants those they manage. */
export function PersonRoles({
  person,
  merchantScope,
  canManage,
  actions,
}: {
  person: Person;
  merchantScope: Team['merchantScope'];
  canManage: boolean;
  actions: Actions;
}) {
  const { name } = useMerchants();
  const { describe } = useRoles();
  const mine = (merchantId: string | null) =>
    canManage && (merchantScope.everywhere || (merchantId !== null && merchantScope.merchantIds.includes(merchantId)));
  return (
    <>
      <ul className="grid gap-3">
        {person.roles.map(({ merchantId, role, group }) => (
          <li key={merchantId ?? 'all'} className="flex flex-wrap gap-x-2 gap-y-1 items-center">
            {mine(merchantId) && group === null ? (
              <>
                <RoleSelect
                  value={role}
                  label={`Role for ${name(merchantId)}`}
                  disabled={actions.busy}
                  onChange={(chosen) => void reportRefusal(actions.giveRole(merchantId, chosen))}
                />
                <span className="flex-1 min-w-0 wrap-anywhere">{name(merchantId)}</span>
                <Button
                  loading={actions.busy}
                  onClick={() => void reportRefusal(actions.takeRole(merchantId, role))}
                  aria-label={`Remove the role for ${name(merchantId)}`}
                >
                  Remove
                </Button>
              </>
            ) : (
              <span className="flex-1 min-w-0 wrap-anywhere">
                <strong>{describe(role).name}</strong> {name(merchantId)}
              </span>
            )}
            <p className="basis-full text-ink-faint text-xs first-letter:uppercase">{describe(role).may}</p>
            {group !== null && (
              <p className="basis-full text-ink-faint text-xs first-letter:uppercase">
                From the group “{group}”: it changes with its people, or with the roles of groups.
              </p>
            )}
          </li>
        ))}
        {person.roles.length === 0 && (
          <li className="text-ink-quiet text-sm">No role: {person.name} can sign in and see nothing.</li>
        )}
      </ul>
      {canManage && <GrantRole person={person} merchantScope={merchantScope} actions={actions} />}
    </>
  );
}

function GrantRole({
  person,
  merchantScope,
  actions,
}: {
  person: Person;
  merchantScope: Team['merchantScope'];
  actions: Actions;
}) {
  const { merchants, name } = useMerchants();
  const { options } = useRoles();
  const mine = merchants.filter(({ merchantId }) => merchantScope.everywhere || merchantScope.merchantIds.includes(merchantId));
  const free = [...(merchantScope.everywhere ? [null] : []), ...mine.map(({ merchantId }) => merchantId)].filter(
    (merchantId) => !person.roles.some((each) => each.merchantId === merchantId),
  );
  const form = useForm({
    schema,
    values: { role: 'viewer', merchant: optionOf(free[0] ?? null) },
    async onSubmit({ role, merchant }) {
      const refusal = await actions.giveRole(merchant === ALL ? null : merchant, role);
      // The merchant that was chosen is not to be chosen any more.
      if (refusal === null) form.discard();
      return refusal;
    },
  });
  if (free.length === 0) return null;
  return (
    <Form form={form} className="flex flex-wrap gap-2 items-center" warns={false}>
      <form.Select name="role" label="Role to add" labelPlace="hidden" options={options} />
      <span>for</span>
      <form.Select
        name="merchant"
        label="Merchant of the role to add"
        labelPlace="hidden"
        options={free.map((merchantId) => ({ value: optionOf(merchantId), label: name(merchantId) }))}
      />
      <SubmitButton variant="plain">Add role</SubmitButton>
      <FormRefusal small />
    </Form>
  );
}
