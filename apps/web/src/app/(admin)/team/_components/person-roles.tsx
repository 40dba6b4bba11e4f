'use client';

import * as z from 'zod/mini';
import { Button } from '#/components/button/button.tsx';
import { ROLE_LABELS, ROLES } from '#/copy/roles.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { reportRefusal } from '#/forms/report-refusal.ts';
import { useForm } from '#/forms/use-form.ts';
import classes from './person-panel.module.css';
import { ALL, optionOf, ROLE_OPTIONS, RoleSelect } from './role-choices.tsx';
import { type Person, type Team, useMerchants, type usePersonActions } from './use-team.ts';

type Actions = ReturnType<typeof usePersonActions>;

const schema = z.object({ role: z.enum(ROLES), merchant: z.string() });

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
  const mine = (merchantId: string | null) =>
    canManage && (merchantScope.everywhere || (merchantId !== null && merchantScope.merchantIds.includes(merchantId)));
  return (
    <>
      <ul className="grid gap-3">
        {person.roles.map(({ merchantId, role }) => (
          <li key={merchantId ?? 'all'} className="flex flex-wrap gap-x-2 gap-y-1 items-center">
            {mine(merchantId) ? (
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
                <strong>{ROLE_LABELS[role].name}</strong> {name(merchantId)}
              </span>
            )}
            <p className={classes.may}>{ROLE_LABELS[role].may}</p>
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
      <form.Select name="role" label="Role to add" labelPlace="hidden" options={ROLE_OPTIONS} />
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
