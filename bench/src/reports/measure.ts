import { loadavg } from 'node:os';

/** A query to measure; `run` throws on a wrong answer, and returns the number of rows. */
export interface BenchQuery {
  readonly name: string;
  /** The limit of its 95th percentile. */
  readonly limitMs: number | null;
  readonly run: () => Promise<number>;
}

const ROUNDS = 300;
/** Servers run for days: their start is not measured. */
const WARM_UP = { rounds: 500, ms: 5_000 };
/** Limits the time of each warm query; slow ones run fewer rounds. */
const TIMEOUT_MS = 15_000;

/** Runs one query sequentially and prints its p50 and p95, with the machine's load. */
export async function measure({ name, limitMs, run }: BenchQuery): Promise<void> {
  const times: number[] = [];
  let rows = 0;
  try {
    const warmed = performance.now() + WARM_UP.ms;
    for (let round = 0; round < WARM_UP.rounds && performance.now() < warmed; round++) await run();
    const deadline = performance.now() + TIMEOUT_MS;
    for (let round = 0; round < ROUNDS && (round === 0 || performance.now() < deadline); round++) {
      const startedAt = performance.now();
      rows = await run();
      times.push(performance.now() - startedAt);
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    print(name, `no answer: ${why.slice(0, 120)}`);
    return;
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? Number.NaN;
  const p95 = at(0.95);
  const verdict = limitMs === null ? '' : p95 < limitMs ? `under ${limitMs}` : `OVER ${limitMs}`;
  print(name, `p50 ${ms(at(0.5))}  p95 ${ms(p95)}  ${rows} rows, run ${times.length}x  ${verdict}`);
}

function ms(value: number): string {
  return `${value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en-US')} ms`.padStart(10);
}

export function print(name: string, figures: string): void {
  process.stdout.write(`${name.padEnd(52)} ${figures}  [load ${loadavg()[0]?.toFixed(1)}]\n`);
}
