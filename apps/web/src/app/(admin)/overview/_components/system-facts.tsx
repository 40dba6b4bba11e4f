'use client';

import { Badge } from '#/components/badge/badge.tsx';
import { Fact, Facts } from '#/components/facts/facts.tsx';
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
    <Facts>
      <Fact name="Database">
        <Badge tone={database.up ? 'good' : 'bad'}>
          {database.up ? `Answers in ${database.latencyMs} ms` : 'Does not answer'}
        </Badge>
      </Fact>
      <Fact name="Configuration">
        <Badge tone={configuration.current ? 'good' : 'wait'}>
          {configuration.ageMs === null
            ? 'Not loaded yet'
            : configuration.current
              ? 'Current'
              : `${describeLength(configuration.ageMs)} old`}
        </Badge>
      </Fact>
      {gateways.map(({ gateway, accounts, enabled }) => (
        <Fact key={gateway} name={gatewayTitle(gateway)}>
          {enabled === accounts ? countAccounts(accounts) : `${enabled} of ${countAccounts(accounts)} on`}
        </Fact>
      ))}
      {gateways.length === 0 && <Fact name="Gateways">No {mode} accounts</Fact>}
    </Facts>
  );
}

function countAccounts(count: number): string {
  return count === 1 ? '1 account' : `${count} accounts`;
}
