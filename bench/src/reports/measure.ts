import { loadavg } from 'node:os';

/** A question asked again and again; `ask` throws when the answer is not what it should be, and says how many rows came. */
export interface Question {
  readonly name: string;
  /** What its 95th percentile is to stay under, in milliseconds. */
  readonly barMs: number | null;
  readonly ask: () => Promise<number>;
}

const ROUNDS = 300;
/** Servers are up for days: what is measured is not how they begin. */
const WARM_UP = { rounds: 500, ms: 5_000 };
/** No question is asked for longer than this once it is warm; slow ones are asked less often. */
const PATIENCE_MS = 15_000;

/** Asks one question one at a time and prints its p50 and p95, beside the machine's load meanwhile. */
export async function measure({ name, barMs, ask }: Question): Promise<void> {
  const times: number[] = [];
  let rows = 0;
  try {
    const warmed = performance.now() + WARM_UP.ms;
    for (let round = 0; round < WARM_UP.rounds && performance.now() < warmed; round++) await ask();
    const impatient = performance.now() + PATIENCE_MS;
    for (let round = 0; round < ROUNDS && (round === 0 || performance.now() < impatient); round++) {
      const asked = performance.now();
      rows = await ask();
      times.push(performance.now() - asked);
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    print(name, `no answer: ${why.slice(0, 120)}`);
    return;
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? Number.NaN;
  const p95 = at(0.95);
  const verdict = barMs === null ? '' : p95 < barMs ? `under ${barMs}` : `OVER ${barMs}`;
  print(name, `p50 ${ms(at(0.5))}  p95 ${ms(p95)}  ${rows} rows, asked ${times.length}x  ${verdict}`);
}

function ms(value: number): string {
  return `${value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en-US')} ms`.padStart(10);
}

export function print(name: string, figures: string): void {
  process.stdout.write(`${name.padEnd(52)} ${figures}  [load ${loadavg()[0]?.toFixed(1)}]\n`);
}
