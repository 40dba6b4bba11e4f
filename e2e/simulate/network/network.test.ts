import { expect, test } from 'vitest';
import { drawsFor } from '../../world/plan/rng.ts';
import { type Owner, Scheduler } from '../kernel/scheduler.ts';
import { Network } from './network.ts';

const world: Owner = { name: 'world', alive: true, pausedUntil: 0 };
const request = { method: 'POST', origin: 'http://gateway:1', path: '/', headers: {}, body: Buffer.alloc(0) };

/** Arrivals of a request that its sender gives up once it is connected, or not. */
async function arrivalsOf(isGivenUp: boolean): Promise<{ readonly arrived: number; readonly heard: readonly string[] }> {
  const scheduler = new Scheduler(0, 1);
  const network = new Network(scheduler, drawsFor(1, 'network'), world, () => undefined);
  const heard: string[] = [];
  let arrived = 0;
  network.attach(request.origin, {
    isUp: () => true,
    answer(_request, done) {
      arrived++;
      done({ status: 200, headers: {}, body: Buffer.alloc(0) });
    },
  });
  const giveUp = network.send(world, request, {
    connected: () => isGivenUp && giveUp(),
    answered: ({ status }) => heard.push(String(status)),
    lost: (problem) => heard.push(problem),
  });
  await scheduler.run(() => false);
  return { arrived, heard };
}

test('of a request that is given up as soon as it is connected, nothing is sent', async () => {
  expect(await arrivalsOf(false)).toEqual({ arrived: 1, heard: ['200'] });
  expect(await arrivalsOf(true)).toEqual({ arrived: 0, heard: [] });
});
