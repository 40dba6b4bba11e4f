import { setTimeout as pause } from 'node:timers/promises';
import { PAIR } from '../../harness/gateways.ts';
import { drawsFor } from '../kernel/random.ts';
import type { NetworkTrouble } from './host.ts';
import type { World } from './open-world.ts';
import type { SimulatedFaultPlan } from './world-plan.ts';

/** Injects each fault at its time and ends it; resolves when the last has ended. */
export async function injectFaults(world: World, faults: readonly SimulatedFaultPlan[]): Promise<void> {
  await Promise.all(
    faults.map(async (fault) => {
      await pause(fault.atMs);
      world.host.note(`fault ${fault.kind} for ${fault.lengthMs} ms (target ${fault.which})`);
      const end = await beginFault(world, fault);
      await pause(fault.lengthMs);
      await end();
    }),
  );
}

type End = () => void | Promise<void>;

/** Begins a fault now; what it gives ends it. */
export async function beginFault(world: World, { kind, which, seed, lengthMs }: SimulatedFaultPlan): Promise<End> {
  const { host, simulators, proxy, servers } = world;
  const nothing = (): void => undefined;
  switch (kind) {
    case 'crash_web':
      return of(host.webs, which).crash(eventsBeforeCrash(seed), lengthMs);
    case 'crash_worker':
      return of(host.workers, which).crash(eventsBeforeCrash(seed), lengthMs);
    case 'pause_web':
      of(host.webs, which).pause(lengthMs);
      return nothing;
    case 'pause_worker':
      of(host.workers, which).pause(lengthMs * 4);
      return nothing;
    case 'clock_ahead':
    case 'clock_behind': {
      const machine = of([...host.webs, ...host.workers], which);
      const offMs = drawsFor(seed, kind).between(1_000, 600_000);
      machine.setAhead(kind === 'clock_ahead' ? offMs : -offMs);
      return () => machine.setAhead(0);
    }
    case 'database_away':
      host.database.setAway(true);
      return () => host.database.setAway(false);
    case 'connections_cut':
      host.database.cutConnections();
      return nothing;
    case 'statements_lost':
      host.database.setTrouble({ loss: 0.05, timeout: 0, latencyMs: 2 });
      return () => host.database.setTrouble(null);
    case 'statements_timed_out':
      host.database.setTrouble({ loss: 0, timeout: 0.05, latencyMs: 2 });
      return () => host.database.setTrouble(null);
    case 'database_slow':
      host.database.setTrouble({ loss: 0, timeout: 0.01, latencyMs: 1_500 });
      return () => host.database.setTrouble(null);
    case 'gateway_lossy':
      return weather(world, gatewayAddress(world, which), { requestLost: 0.2, answerLost: 0.3 });
    case 'gateway_late':
      return weather(world, gatewayAddress(world, which), { late: 0.5, lateMs: 4 * 3_600_000, latencyMs: 2_000 });
    case 'gateway_half_open':
      return weather(world, gatewayAddress(world, which), { halfOpen: 0.5 });
    case 'gateway_refuses':
      return weather(world, gatewayAddress(world, which), { refused: 0.7 });
    case 'webhook_flood':
      return weather(world, proxy.url, { repeated: 0.9, latencyMs: 300 });
    case 'webhooks_late':
      return weather(world, proxy.url, { late: 0.6, lateMs: 3 * 3_600_000 });
    case 'merchant_lossy':
      return weather(world, servers.nextUrl().replace(/\/events\/.*/, ''), { requestLost: 0.2, answerLost: 0.3, halfOpen: 0.1 });
    case 'endpoint_500':
    case 'endpoint_slow':
    case 'endpoint_dead':
    case 'endpoint_drops_answers':
      return servers.begin(kind, which);
    case 'webhooks_lost':
    case 'webhooks_delayed':
    case 'webhooks_reordered':
    case 'webhooks_repeated':
    case 'webhooks_forged':
    case 'webhooks_stale':
      return proxy.begin(kind);
    default: {
      const gateway = of(PAIR, which);
      await simulators.setFault(gateway, kind, { seed });
      return () => simulators.heal(gateway);
    }
  }
}

/** Between any two things that a process waits for, most often near those of a payment. */
function eventsBeforeCrash(seed: number): number {
  const draws = drawsFor(seed, 'crash');
  return draws.between(0, draws.pick([10, 60, 300]));
}

function weather({ host }: World, address: string, trouble: NetworkTrouble): End {
  host.setWeather(address, trouble);
  return () => host.setWeather(address, null);
}

function gatewayAddress({ simulators }: World, which: number): string {
  return simulators.baseUrlOf(of(PAIR, which));
}

function of<T>(things: readonly T[], which: number): T {
  const thing = things[which % things.length];
  if (thing === undefined) throw new Error('there is no target for the fault');
  return thing;
}
