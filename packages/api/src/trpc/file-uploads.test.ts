import { expect, test } from 'vitest';
import { oneFileAtATime } from './file-uploads.ts';

test('files are read one after another, also after one that fails, and too many at once are refused', async () => {
  const said: string[] = [];
  const first = Promise.withResolvers<void>();
  const read = (name: string, until: Promise<void>) => async () => {
    said.push(`${name} begins`);
    await until;
    said.push(`${name} ends`);
  };
  const reading = oneFileAtATime(read('first', first.promise));
  await expect.poll(() => said).toEqual(['first begins']);
  const failing = oneFileAtATime(() => Promise.reject(new Error('unreadable')));
  const others = ['second', 'third', 'fourth'].map((name) => oneFileAtATime(read(name, Promise.resolve())));
  await expect(oneFileAtATime(read('fifth', Promise.resolve()))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(said).toEqual(['first begins']);
  first.resolve();
  await reading;
  await expect(failing).rejects.toThrow('unreadable');
  await Promise.all(others);
  expect(said).toEqual(['first', 'second', 'third', 'fourth'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  expect(await oneFileAtATime(() => Promise.resolve('sixth'))).toBe('sixth');
});
