import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../harness/eventually.ts';
import type { Host, Slack } from '../world/drive/host.ts';
import { targetOf } from '../world/drive/inject-faults.ts';
import type { FaultPlan } from '../world/plan/faults.ts';
import { sendTo } from '../world/servers/send.ts';
import type { Environment } from './environment/environment.ts';

const AWAY_MAX_MS = 1_500;
const POLL_MS = 250;
/** Longer than it takes to unlock a dead worker's jobs, and than any gateway timeout. */
const STANDSTILL_MS = 60_000;
const MINUTE_MS = 60_000;
/** How far all clocks step ahead at once. Every step costs a look-up of each open payment, on this machine's time. */
const STEPS_MS: Readonly<Record<Slack, number>> = {
  seconds: 3 * MINUTE_MS,
  minutes: 30 * MINUTE_MS,
  hours: 12 * 60 * MINUTE_MS,
  days: 24 * 60 * MINUTE_MS,
};

/** The host of a run on this machine: faults are signals and restarts, and time passes by steps of all clocks. */
export function machineHost(environment: Environment, note: (line: string) => void): Host {
  const { database, processes, webs } = environment;
  return {
    note,
    comparesLists: false,
    rows: database.query,
    begin: (fault) => beginOwn(environment, fault),
    async untilReady() {
      await Promise.all(processes.map((each) => each.ready()));
      for (const web of webs) {
        await eventually(`${web.name} to be healthy`, async () => (await sendTo(web, '/api/health'))?.status === 200 || null);
      }
    },
    async pass(milliseconds, slack) {
      for (let left = milliseconds; left > 0; left -= STEPS_MS[slack]) {
        await step(environment, Math.min(left, STEPS_MS[slack]));
        await untilNothingIsDue(environment);
      }
    },
  };
}

async function beginOwn({ webs, workers, postgres, database }: Environment, fault: FaultPlan): Promise<() => void> {
  const { kind, which, lengthMs } = fault;
  const nothing = (): void => undefined;
  switch (kind) {
    case 'crash_web':
      targetOf(webs, which).kill();
      return nothing;
    case 'crash_worker':
      targetOf(workers, which).kill();
      return nothing;
    case 'pause_web':
      return targetOf(webs, which).suspend();
    case 'pause_worker':
      return targetOf(workers, which).suspend();
    case 'database_away':
      await postgres.restart('fast', Math.min(lengthMs, AWAY_MAX_MS));
      return nothing;
    case 'database_crash':
      await postgres.restart('immediate', Math.min(lengthMs, AWAY_MAX_MS));
      return nothing;
    case 'connections_cut':
      await database.cutConnections();
      return nothing;
    default:
      throw new Error(`a run on this machine cannot have ${kind}`);
  }
}

/** Steps all clocks ahead, and ages what goes by the database's. */
async function step({ clock, processes, database }: Environment, milliseconds: number): Promise<void> {
  await database.age(milliseconds);
  const state = clock.step(milliseconds);
  for (const each of processes) each.send(state);
}

/** Waits until nothing is due; rejects when the number of due items does not fall for a minute. */
async function untilNothingIsDue({ database, clock }: Environment): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  let lately = performance.now();
  for (let quiet = 0; quiet < 2; ) {
    const due = await database.due(clock.now());
    const left = Object.values(due).reduce((sum, count) => sum + count, 0);
    if (left < least) {
      least = left;
      lately = performance.now();
    }
    if (performance.now() - lately > STANDSTILL_MS) throw new Error(`what is due is not done: ${JSON.stringify(due)}`);
    quiet = left === 0 ? quiet + 1 : 0;
    await pause(POLL_MS);
  }
}
