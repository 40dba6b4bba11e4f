import { setTimeout as pause } from 'node:timers/promises';
import { GATEWAYS } from '../../harness/gateways.ts';
import type { Environment } from '../environment/environment.ts';
import type { ManagedProcess } from '../environment/managed-process.ts';
import type { FaultPlan } from '../plan/faults.ts';

const PAUSE_MAX_MS = 4_000;
const AWAY_MAX_MS = 1_500;
/** The offset of a wrong clock. */
const CLOCK_OFF_MS = 10 * 60_000;

/** Injects the faults of a round at their times, and ends each; resolves when the last has ended. */
export async function injectFaults(
  environment: Environment,
  faults: readonly FaultPlan[],
  done: (fault: FaultPlan) => void,
): Promise<void> {
  const begun = performance.now();
  // Restarts have no fixed length: the next waits for the one before.
  let database: Promise<void> = Promise.resolve();
  const carryOut = async (fault: FaultPlan): Promise<void> => {
    await pause(Math.max(0, fault.atMs - (performance.now() - begun)));
    const isOfDatabase =
      fault.kind === 'postgres_fast' || fault.kind === 'postgres_immediate' || fault.kind === 'connections_cut';
    if (isOfDatabase) {
      const before = database;
      database = before.then(() => injectFault(environment, fault));
      await database;
    } else await injectFault(environment, fault);
    done(fault);
  };
  await Promise.all(faults.map(carryOut));
}

async function injectFault(environment: Environment, fault: FaultPlan): Promise<void> {
  const { kind, lengthMs, which } = fault;
  const { webs, workers, records, postgres, faultProxy, servers, clock } = environment;
  switch (kind) {
    case 'kill_web':
      return of(webs, which).kill();
    case 'kill_worker':
      return of(workers, which).kill();
    case 'pause_web':
      return of(webs, which).pause(Math.min(lengthMs, PAUSE_MAX_MS));
    case 'pause_worker':
      return of(workers, which).pause(Math.min(lengthMs, PAUSE_MAX_MS));
    case 'postgres_fast':
      return postgres.restart('fast', Math.min(lengthMs, AWAY_MAX_MS));
    case 'postgres_immediate':
      return postgres.restart('immediate', Math.min(lengthMs, AWAY_MAX_MS));
    case 'connections_cut':
      return records.cutConnections();
    case 'clock_ahead':
    case 'clock_behind': {
      const { name } = of([...webs, ...workers], which);
      clock.setOff(name, kind === 'clock_ahead' ? CLOCK_OFF_MS : -CLOCK_OFF_MS);
      await pause(lengthMs);
      return clock.setOff(name, 0);
    }
    case 'endpoint_500':
    case 'endpoint_slow':
    case 'endpoint_dead':
    case 'endpoint_drops_answers': {
      const slot = which % Math.max(1, environment.endpoints);
      servers.begin(kind, slot);
      await pause(lengthMs);
      return servers.end(kind, slot);
    }
    case 'webhooks_lost':
    case 'webhooks_delayed':
    case 'webhooks_reordered':
    case 'webhooks_repeated':
    case 'webhooks_forged':
    case 'webhooks_stale':
      faultProxy.begin(kind);
      await pause(lengthMs);
      return faultProxy.end(kind);
    default: {
      const gateway = of(GATEWAYS, which);
      await environment.simulators.setFault(gateway, kind, fault);
      await pause(lengthMs);
      return environment.simulators.heal(gateway);
    }
  }
}

function of<T>(things: readonly T[], which: number): T {
  const thing = things[which % things.length];
  if (thing === undefined) throw new Error('there is no target for the fault');
  return thing;
}

/** Waits until every process is up and every web process answers. */
export async function waitUntilHealthy({ webs, workers, replicas }: Environment): Promise<void> {
  await Promise.all([...webs, ...workers].map((managed: ManagedProcess) => managed.ready()));
  const deadline = performance.now() + 30_000;
  for (const to of webs.keys()) {
    while ((await replicas.send({ method: 'GET', path: '/api/health', to }))?.status !== 200) {
      if (performance.now() > deadline) throw new Error(`${webs[to]?.name} does not become healthy`);
      await pause(50);
    }
  }
}
