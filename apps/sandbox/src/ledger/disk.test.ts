import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DiskJournal, readEntries } from './disk.ts';
import type { Entry } from './ledger.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-disk-'));
});
afterEach(() => rm(folder, { recursive: true }));

function call(id: number, status: number | null): Entry {
  const record = {
    id,
    at: '2026-11-20T10:00:00.000Z',
    method: 'GET',
    path: '/',
    account: null,
    reference: null,
    status,
    durationMs: 1,
    fault: null,
  };
  return { kind: 'call', record };
}

describe('the journal on disk', () => {
  it('reads back what was appended, in order, leaving out a line cut short', async () => {
    const path = join(folder, 'a.jsonl');
    const disk = new DiskJournal(path, () => []);
    disk.append(call(1, null));
    disk.append(call(1, 200));
    disk.close();
    await appendFile(path, '{"kind":"call","record":{"id":2');
    expect(readEntries(path)).toEqual([call(1, null), call(1, 200)]);
  });

  it('shrinks to what is held once it has grown past its bound', async () => {
    const path = join(folder, 'b.jsonl');
    const disk = new DiskJournal(path, () => [call(9, 200)], 3);
    for (const id of [1, 2, 3]) disk.append(call(id, 200));
    disk.append(call(10, 200));
    disk.close();
    expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(2);
    expect(readEntries(path)).toEqual([call(9, 200), call(10, 200)]);
  });

  it('is empty where no file is', () => {
    expect(readEntries(join(folder, 'none.jsonl'))).toEqual([]);
  });
});
