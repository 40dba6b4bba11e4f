import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../harness/eventually.ts';
import { PAIR } from '../../harness/gateways.ts';
import type { Environment } from '../environment/environment.ts';
import { sendTo } from '../environment/replicas.ts';
import { DATABASE_FAULTS, type FaultPlan } from '../plan/faults.ts';

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
    if (DATABASE_FAULTS.some((kind) => kind === fault.kind)) {
      database = database.then(() => injectFault(environment, fault));
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
      const end = servers.begin(kind, which);
      await pause(lengthMs);
      return end();
    }
    case 'webhooks_lost':
    case 'webhooks_delayed':
    case 'webhooks_reordered':
    case 'webhooks_repeated':
    case 'webhooks_forged':
    case 'webhooks_stale': {
      const end = faultProxy.begin(kind);
      await pause(lengthMs);
      return end();
    }
    default: {
      const gateway = of(PAIR, which);
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
export async function waitUntilHealthy({ webs, workers }: Environment): Promise<void> {
  await Promise.all([...webs, ...workers].map((managed) => managed.ready()));
  for (const web of webs) {
    await eventually(`${web.name} to be healthy`, async () => (await sendTo(web, '/api/health'))?.status === 200 || null);
  }
}
