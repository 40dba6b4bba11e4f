import type { Bench } from './environment.ts';
import { untilQuiet } from './round.ts';

/** Behaviour of a web process with more initiates than it can carry out. */
export interface Overload {
  /** Offered ÷ the most that were carried out in a closed loop. */
  readonly times: number;
  readonly offeredPerSecond: number;
  readonly answeredPerSecond: number;
  /** Answered ÷ the most that were carried out in a closed loop. */
  readonly goodput: number;
  /** How those that were not carried out ended: 503, or an error of the connection. */
  readonly failures: Readonly<Record<string, number>>;
  /** Milliseconds, of those that were carried out, from the moment each was due. */
  readonly latency: { readonly p50: number; readonly p99: number };
  /** Milliseconds until a 503, from the moment the request was sent; null without any. */
  readonly shedLatency: { readonly p50: number; readonly p99: number } | null;
}

const CONNECTIONS = 64;
/** Customers do not wait for each other: more than a process admits at once. */
const OPEN_CONNECTIONS = 6_000;

/** Measures how many initiates a second are carried out in a closed loop, and then with so many times as many offered. */
export async function measureOverload(
  bench: Bench,
  multiples: readonly number[],
  seconds: number,
  tell: (line: string) => void,
): Promise<Overload[]> {
  if (multiples.length === 0) return [];
  const { origins, processes } = bench.product;
  const send = async (pace: Parameters<Bench['load']>[0]['pace']) => {
    const result = await bench.load({ operation: 'initiate', origins: [...origins], pace, seconds }, 'overload');
    await untilQuiet(processes);
    return result;
  };
  await send({ kind: 'closed', connections: CONNECTIONS });
  const peak = await send({ kind: 'closed', connections: CONNECTIONS });
  const peakPerSecond = peak.answered / peak.seconds;
  const measured: Overload[] = [];
  for (const times of multiples) {
    const offeredPerSecond = peakPerSecond * times;
    const {
      answered,
      failures,
      seconds: took,
      latency,
      shedLatency,
    } = await send({
      kind: 'open',
      perSecond: offeredPerSecond,
      connections: OPEN_CONNECTIONS,
    });
    const answeredPerSecond = answered / took;
    tell(
      `${times} × the most: ${Math.round(offeredPerSecond)}/s offered, ${Math.round(answeredPerSecond)}/s carried out, ${JSON.stringify(failures)}`,
    );
    measured.push({
      times,
      offeredPerSecond,
      answeredPerSecond,
      goodput: answeredPerSecond / peakPerSecond,
      failures,
      latency,
      shedLatency,
    });
  }
  return measured;
}
