'use client';

import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { ROLE_LABELS, type Role } from '#/copy/roles.ts';
import classes from './person-panel.module.css';
import { MerchantSelect, RoleSelect } from './role-choices.tsx';
import { type Person, type Team, useMerchants, type usePersonActions } from './use-team.ts';

type Actions = ReturnType<typeof usePersonActions>;

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
                  onChange={(chosen) => void actions.giveRole(merchantId, chosen)}
                />
                <span className="flex-1 min-w-0 wrap-anywhere">{name(merchantId)}</span>
                <Button
                  loading={actions.busy}
                  onClick={() => void actions.takeRole(merchantId, role)}
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
  const { merchants } = useMerchants();
  const [role, setRole] = useState<Role>('viewer');
  const [chosen, setChosen] = useState<string | null | undefined>(undefined);
  const mine = merchants.filter(({ merchantId }) => merchantScope.everywhere || merchantScope.merchantIds.includes(merchantId));
  const free = [...(merchantScope.everywhere ? [null] : []), ...mine.map(({ merchantId }) => merchantId)].filter(
    (merchantId) => !person.roles.some((each) => each.merchantId === merchantId),
  );
  const [first] = free;
  if (first === undefined) return null;
  const merchantId = chosen !== undefined && free.includes(chosen) ? chosen : first;
  return (
    <div className="flex flex-wrap gap-2 items-center">
      <RoleSelect value={role} label="Role to add" onChange={setRole} />
      <span>for</span>
      <MerchantSelect value={merchantId} label="Merchant of the role to add" choices={free} onChange={setChosen} />
      <Button loading={actions.busy} onClick={() => void actions.giveRole(merchantId, role)}>
        Add role
      </Button>
    </div>
  );
}
