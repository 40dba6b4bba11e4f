import { PassThrough } from 'node:stream';
import { readText } from '@switchyard/cli';
import { expect, it } from 'vitest';

/** A terminal that a person types at. */
function terminal() {
  return Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
}

it('takes lines up to a dot alone', async () => {
  const input = terminal();
  const text = readText({ input }, { signal: new AbortController().signal, onInterrupt: () => undefined });
  input.write('content-type: application/json\r\r{"a":1}\r.\rmore\r');
  expect(await text).toBe('content-type: application/json\n\n{"a":1}');
});

it('ends with what came when its time is over', async () => {
  const input = terminal();
  const limit = new AbortController();
  input.on('keypress', (_key, { name }) => name === 'return' && setImmediate(() => limit.abort()));
  const text = readText({ input }, { signal: limit.signal, onInterrupt: () => undefined });
  input.write('a: b\r');
  expect(await text).toBe('a: b');
  expect(await readText({ input }, { signal: limit.signal, onInterrupt: () => undefined })).toBe('');
});

it('reports Ctrl-C, and ends', async () => {
  const input = terminal();
  const stopping = new AbortController();
  const text = readText({ input }, { signal: stopping.signal, onInterrupt: () => stopping.abort() });
  input.write('a: b\r\u0003');
  expect(await text).toBe('a: b');
  expect(stopping.signal.aborted).toBe(true);
});
