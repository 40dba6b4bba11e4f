'use client';

import { Badge } from '#/components/badge/badge.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { gatewayTitle } from '#/copy/gateways.ts';
import { describeLength } from '#/format/moments.ts';
import { useScope } from '#/scope/use-scope.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

/** The dependencies of this installation, and the gateways of the merchants shown. */
export function SystemFacts({ health }: { health: RouterOutputs['system']['health'] | undefined }) {
  const { mode } = useScope();
  if (health === undefined) return null;
  const { database, configuration, archiving } = health;
  const gateways = health.gateways.filter((gateway) => gateway.mode === mode);
  return (
    <DescriptionList>
      <Description name="Database">
        <Badge tone={database.up ? 'good' : 'bad'}>
          {database.up ? `Answers in ${database.latencyMs} ms` : 'Does not answer'}
        </Badge>
      </Description>
      <Description name="Configuration">
        <Badge tone={configuration.current ? 'good' : 'wait'}>
          {configuration.ageMs === null
            ? 'Not loaded yet'
            : configuration.current
              ? 'Current'
              : `${describeLength(configuration.ageMs)} old`}
        </Badge>
      </Description>
      {archiving !== null && (
        <Description name="Backups">
          <Badge tone={backups(archiving).tone}>{backups(archiving).text}</Badge>
        </Description>
      )}
      {gateways.map(({ gateway, accounts, enabled }) => (
        <Description key={gateway} name={gatewayTitle(gateway)}>
          {enabled === accounts ? countAccounts(accounts) : `${enabled} of ${countAccounts(accounts)} on`}
        </Description>
      ))}
      {gateways.length === 0 && <Description name="Gateways">No {mode} accounts</Description>}
    </DescriptionList>
  );
}

type Archiving = NonNullable<RouterOutputs['system']['health']['archiving']>;

const LATE_SECONDS = 900;
const OLD_SECONDS = 129_600;

/** The first thing that is wrong with what could be restored; as the alerts of operation have it. */
function backups({ archives, failing, archivedSeconds, baseSeconds, seesBackups }: Archiving): {
  readonly tone: 'good' | 'wait' | 'bad';
  readonly text: string;
} {
  if (!archives) return { tone: 'wait', text: 'The log is not archived' };
  if (failing) return { tone: 'bad', text: 'The log cannot be archived' };
  if (archivedSeconds === null) return { tone: 'wait', text: 'No log archived yet' };
  if (archivedSeconds > LATE_SECONDS) return { tone: 'bad', text: `Log archived ${describeLength(archivedSeconds * 1_000)} ago` };
  if (!seesBackups) return { tone: 'good', text: 'Log archived; base backups unknown' };
  if (baseSeconds === null) return { tone: 'bad', text: 'No base backup' };
  const age = describeLength(baseSeconds * 1_000);
  return baseSeconds > OLD_SECONDS
    ? { tone: 'bad', text: `Base backup ${age} old` }
    : { tone: 'good', text: `Base backup ${age} old` };
}

function countAccounts(count: number): string {
  return count === 1 ? '1 account' : `${count} accounts`;
}
