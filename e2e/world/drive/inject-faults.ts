import { setTimeout as pause } from 'node:timers/promises';
import { ENDPOINT_FAULTS, type FaultKind, type FaultPlan, GATEWAY_FAULTS, WEBHOOK_FAULTS } from '../plan/faults.ts';
import type { World } from '../servers/open-world.ts';

/** Where a plan is driven: our processes with their database, and their time. */
export interface Host {
  /** Waits until every process takes work. */
  untilReady(): Promise<void>;
  /** Rows of a statement. */
  rows(statement: string): Promise<readonly unknown[]>;
  /** Begins a fault of processes, database or network; what it gives ends it. Rejects for a fault that cannot be had here. */
  begin(fault: FaultPlan): Promise<() => void>;
  /** Lets this much time pass while only our processes do anything. */
  pass(milliseconds: number, slack: Slack): Promise<void>;
  /** True if days pass as they are, so that the lists of each are compared once it is over. */
  readonly comparesLists: boolean;
  /** Writes a line of the run's log. */
  note(line: string): void;
}

/** How late what is due may be done while time passes. */
export type Slack = 'seconds' | 'minutes' | 'hours' | 'days';

type End = () => void | Promise<void>;

/** Injects each fault at its time and ends it; resolves when the last has ended. */
export async function injectFaults(world: World, host: Host, faults: readonly FaultPlan[]): Promise<void> {
  await Promise.all(
    faults.map(async (fault) => {
      await pause(fault.atMs);
      host.note(`fault ${fault.kind} for ${fault.lengthMs} ms (target ${fault.which})`);
      const end = await beginFault(world, host, fault);
      await pause(fault.lengthMs);
      await end();
    }),
  );
}

/** Begins a fault now; what it gives ends it. */
export async function beginFault({ gateways, simulators, proxy, servers }: World, host: Host, fault: FaultPlan): Promise<End> {
  const { kind, which } = fault;
  if (isOf(WEBHOOK_FAULTS, kind)) return proxy.begin(kind);
  if (isOf(ENDPOINT_FAULTS, kind)) return servers.begin(kind, which);
  if (isOf(GATEWAY_FAULTS, kind)) return simulators.begin(targetOf(gateways, which), kind, fault);
  return host.begin(fault);
}

/** The target that a fault's draw selects. */
export function targetOf<T>(targets: readonly T[], which: number): T {
  const target = targets[which % targets.length];
  if (target === undefined) throw new Error('there is no target for the fault');
  return target;
}

function isOf<Kind extends FaultKind>(kinds: readonly Kind[], kind: FaultKind): kind is Kind {
  return kinds.some((each) => each === kind);
}
