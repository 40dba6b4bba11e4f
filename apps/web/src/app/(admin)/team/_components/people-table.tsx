'use client';

import { useMemo } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import type { ListDefinition, ListState } from '#/components/list/use-list.ts';
import type { Pages } from '#/components/list/use-noun-list.ts';
import { Moment } from '#/components/time/moment.tsx';
import { type Invitation, type Person, useMerchants, useRoles } from './use-team.ts';

/** The staff users as a list. */
export const TEAM_LIST: ListDefinition = {
  page: 'team',
  orders: [
    { by: 'name', descending: false },
    { by: 'email', descending: false, title: 'E-mail' },
    { by: 'joined', descending: true },
    { by: 'seen', descending: true, title: 'Last seen' },
  ],
  notSaved: ['person', 'do'],
};

/** The staff users of the team: name, roles, second factor, and when they were last seen. */
export function PeopleTable({
  people,
  tools,
  ownId,
  openId,
  onOpen,
}: {
  people: Pages<Person>;
  tools: ListState;
  ownId: string | null;
  openId: string | null;
  onOpen: (staffId: string) => void;
}) {
  const columns = useMemo(() => columnsOf(ownId, onOpen), [ownId, onOpen]);
  return (
    <NounTable
      label="People"
      name="team"
      list={people}
      tools={tools}
      columns={columns}
      rowKey={({ staffId }) => staffId}
      openKey={openId}
      noun={['person', 'people']}
      empty={<p className="py-3 text-ink-faint text-sm">Nobody matches these filters.</p>}
    />
  );
}

function columnsOf(ownId: string | null, onOpen: (staffId: string) => void): DataColumn<Person>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      fixed: true,
      sortable: 'ascending',
      sortValue: ({ name }) => name.toLowerCase(),
      card: 'main',
      className: 'card:wrap-anywhere card:whitespace-normal',
      cell: ({ staffId, name, disabledAt }) => (
        <>
          <button
            type="button"
            className="row-link font-medium text-start data-[off=true]:text-ink-faint"
            data-person={staffId}
            data-off={disabledAt !== null}
            onClick={() => onOpen(staffId)}
          >
            {name}
          </button>
          {staffId === ownId && <span className="ml-2 px-2 rounded-[9px] bg-accent-soft text-accent-ink text-xs">You</span>}
        </>
      ),
    },
    {
      id: 'email',
      header: 'E-mail',
      sortable: 'ascending',
      sortValue: ({ email }) => email.toLowerCase(),
      look: 'quiet',
      priority: 4,
      card: 'line',
      className: 'card:text-xs card:text-ellipsis',
      cell: ({ email }) => <span title={email}>{email}</span>,
    },
    {
      id: 'roles',
      header: 'Roles',
      wraps: true,
      card: 'second',
      cell: ({ roles }) => <Roles roles={roles} />,
    },
    {
      id: 'second',
      header: 'Sign-in',
      priority: 2,
      card: 'aside',
      className: 'card:block',
      cell: secondStep,
    },
    {
      id: 'joined',
      header: 'Joined',
      optional: true,
      sortable: 'descending',
      sortValue: ({ joinedAt }) => joinedAt,
      look: 'quiet',
      priority: 4,
      card: 'line',
      className: 'card:text-xs card:text-ellipsis',
      cell: ({ joinedAt }) => (
        <>
          {/* Rows shown as cards have no header that names the column. */}
          <span className="hidden card:inline">Joined </span>
          <Moment value={joinedAt} />
        </>
      ),
    },
    {
      id: 'seen',
      header: 'Last seen',
      sortable: 'descending',
      sortValue: ({ lastSeenAt }) => lastSeenAt?.getTime() ?? 0,
      look: 'quiet',
      card: 'third',
      className: 'card:text-xs',
      cell: lastSeen,
    },
  ];
}

function secondStep({ provisionedBy, twoFactorEnabled, twoFactorRequired }: Person) {
  if (provisionedBy !== null) {
    return (
      <Badge tone="good" title={`Provisioned by ${provisionedBy}`}>
        {provisionedBy}
      </Badge>
    );
  }
  if (twoFactorEnabled) return <Badge tone="good">Two-factor</Badge>;
  if (twoFactorRequired)
    return (
      <Badge tone="wait" title="Can do nothing before setting up two-factor sign-in">
        Setup required
      </Badge>
    );
  return (
    <Badge tone="wait" warns>
      Password only
    </Badge>
  );
}

function lastSeen({ disabledAt, lastSeenAt }: Person) {
  if (disabledAt !== null) return <Badge tone="over">Disabled</Badge>;
  if (lastSeenAt === null) return 'Not signed in';
  return (
    <>
      <span className="hidden card:inline">Seen </span>
      <Moment value={lastSeenAt} />
    </>
  );
}

/** Roles in words, a line each. */
export function Roles({ roles }: { roles: Invitation['roles'] }) {
  const { name } = useMerchants();
  const { describe } = useRoles();
  if (roles.length === 0) return <p className="min-w-0 text-ink-quiet [&_strong]:text-ink [&_strong]:font-medium">No role yet</p>;
  return (
    <ul className="min-w-0 text-ink-quiet [&_strong]:text-ink [&_strong]:font-medium">
      {roles.map(({ merchantId, role }) => (
        <li key={merchantId ?? 'all'}>
          <strong>{describe(role).name}</strong> {name(merchantId)}
        </li>
      ))}
    </ul>
  );
}
