'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { Button } from '../../../../components/button.tsx';
import { CouldNotLoad } from '../../../../components/could-not-load/could-not-load.tsx';
import { Empty } from '../../../../components/empty/empty.tsx';
import { PageHead } from '../../../../components/page-head.tsx';
import { WithPanel } from '../../../../components/side-panel/with-panel.tsx';
import { useTRPC } from '../../../../trpc/client.tsx';
import { useMay } from '../../../../trpc/use-may.ts';
import { InvitationList } from './invitation-list.tsx';
import { PeopleList } from './people-list.tsx';
import { TeamSkeleton } from './team-skeleton.tsx';

const InviteDialog = dynamic(() => import('./invite-dialog.tsx').then((module) => module.InviteDialog));
const PersonPanel = dynamic(() => import('./person-panel.tsx').then((module) => module.PersonPanel));

const parsers = { person: parseAsString, do: parseAsStringLiteral(['invite']) };

/** Staff users and invitations, and the panel of the selected staff user. */
export function TeamPage() {
  const trpc = useTRPC();
  const { data: team, error, refetch } = useQuery(trpc.team.list.queryOptions());
  const { data: me } = useQuery(trpc.me.queryOptions());
  const may = useMay();
  const [at, setAt] = useQueryStates(parsers, { history: 'push' });
  const canManage = may('team:manage', null);
  const open = team?.people.find(({ staffId }) => staffId === at.person);
  const alone = team !== undefined && team.people.length < 2 && team.invitations.length === 0;
  const invite = () => void setAt({ do: 'invite' });
  return (
    <WithPanel
      label="Team"
      panel={
        open !== undefined &&
        team !== undefined && (
          <PersonPanel
            key={open.staffId}
            person={open}
            merchantScope={team.merchantScope}
            canManage={canManage}
            isSelf={open.staffId === me?.staffId}
            onClose={() => void setAt({ person: null })}
          />
        )
      }
    >
      <PageHead title="Team">
        {canManage && (
          <Button tone="accent" onClick={invite}>
            Invite a person
          </Button>
        )}
      </PageHead>
      {error !== null && team === undefined && <CouldNotLoad error={error} onRetry={() => void refetch()} />}
      {team === undefined && error === null && <TeamSkeleton />}
      {team !== undefined && (
        <PeopleList
          people={team.people}
          ownId={me?.staffId ?? null}
          openId={at.person}
          onOpen={(person) => void setAt({ person })}
        />
      )}
      {alone && (
        <Empty title="No other team members yet" action={canManage && <Button onClick={invite}>Invite a second owner</Button>}>
          Invite a second owner first: when one of you loses phone or password, the other lets them in again. Then those who run
          the switch as operators, and those who count the money as finance.
        </Empty>
      )}
      {team !== undefined && team.invitations.length > 0 && <InvitationList invitations={team.invitations} />}
      {at.do === 'invite' && canManage && team !== undefined && (
        <InviteDialog merchantScope={team.merchantScope} onClose={() => void setAt({ do: null }, { history: 'replace' })} />
      )}
    </WithPanel>
  );
}
