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
  const { database, configuration } = health;
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
      {gateways.map(({ gateway, accounts, enabled }) => (
        <Description key={gateway} name={gatewayTitle(gateway)}>
          {enabled === accounts ? countAccounts(accounts) : `${enabled} of ${countAccounts(accounts)} on`}
        </Description>
      ))}
      {gateways.length === 0 && <Description name="Gateways">No {mode} accounts</Description>}
    </DescriptionList>
  );
}

function countAccounts(count: number): string {
  return count === 1 ? '1 account' : `${count} accounts`;
}
