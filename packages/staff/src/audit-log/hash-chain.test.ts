import { NIL_ID } from '@switchyard/db';
import { type AuditKey, hashAuditEntry, openAuditKeys, sealAuditHead } from '@switchyard/db/audit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHAIN_START, type ChainedAuditEntry, type ChainHead, type ChainPoint, checkChain, checkChainEnd } from './hash-chain.ts';

const ring = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
const KEYS = openAuditKeys({ auditKeys: ring('a1', 1), encryptionKeys: ring('k1', 2) });
const KEY = KEYS.writer;

/** A valid chain, entry by entry. */
function chainOf(count: number, actor = 'staff:ada'): ChainedAuditEntry[] {
  const chain: ChainedAuditEntry[] = [];
  let previous: Uint8Array = CHAIN_START.hash;
  for (let position = 1; position <= count; position++) {
    const entry = {
      tenantId: NIL_ID,
      entryId: `e${position}`,
      position,
      actor,
      action: 'merchant.updated',
      objectType: 'merchant',
      objectId: 'm1',
      before: { name: `n${position - 1}` },
      after: { name: `n${position}` },
      createdAt: new Date(1_700_000_000_000 + position),
    };
    const hash = hashAuditEntry(entry, previous, KEY);
    chain.push({ ...entry, previous, hash, keyId: KEY.id });
    previous = hash;
  }
  return chain;
}

/** Verifies a chain in pages of a size. */
function check(entries: readonly ChainedAuditEntry[], head: ChainHead | null, kept: ChainPoint | null = null, page = 3) {
  let at = CHAIN_START;
  for (let from = 0; from < entries.length; from += page) {
    const state = checkChain(at, entries.slice(from, from + page), kept, KEYS);
    if (state.kind === 'broken') return state;
    at = state.to;
  }
  return checkChainEnd(at, head, kept, KEYS);
}

function headOf(chain: readonly ChainedAuditEntry[], key: AuditKey = KEY): ChainHead | null {
  const last = chain.at(-1);
  if (last === undefined) return null;
  const { position, hash } = last;
  return { tenantId: NIL_ID, position, hash, keyId: key.id, seal: sealAuditHead(NIL_ID, last, key) };
}

function must<Value>(value: Value | null): Value {
  if (value === null) throw new Error('the chain is empty');
  return value;
}

const place = fc.nat({ max: 7 });
const CHAIN = chainOf(8);
const HEAD = headOf(CHAIN);

describe('a chain', () => {
  test('verifies unchanged, for any length and page size', () => {
    fc.assert(
      fc.property(fc.nat({ max: 12 }), fc.integer({ min: 1, max: 5 }), (count, page) => {
        const chain = chainOf(count);
        expect(check(chain, headOf(chain), null, page)).toMatchObject({ kind: 'holds', to: { position: count } });
      }),
    );
  });

  test('detects an edit of any field of any entry, at that entry', () => {
    const edits: ((entry: ChainedAuditEntry) => ChainedAuditEntry)[] = [
      (entry) => ({ ...entry, actor: 'staff:eve' }),
      (entry) => ({ ...entry, action: 'merchant.created' }),
      (entry) => ({ ...entry, objectId: 'm2' }),
      (entry) => ({ ...entry, objectType: 'payment' }),
      (entry) => ({ ...entry, entryId: 'other' }),
      (entry) => ({ ...entry, before: null }),
      (entry) => ({ ...entry, after: { name: 'another' } }),
      (entry) => ({ ...entry, createdAt: new Date(entry.createdAt.getTime() + 1) }),
      (entry) => ({ ...entry, tenantId: '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11' }),
    ];
    fc.assert(
      fc.property(place, fc.constantFrom(...edits), (at, edit) => {
        const chain = CHAIN.map((entry, index) => (index === at ? edit(entry) : entry));
        expect(check(chain, HEAD)).toEqual({ kind: 'broken', at: at + 1, why: 'changed' });
      }),
    );
  });

  test('detects an edit with a recomputed hash, at the next entry', () => {
    fc.assert(
      fc.property(fc.nat({ max: 6 }), (at) => {
        const chain = CHAIN.map((entry, index) => {
          if (index !== at) return entry;
          const edited = { ...entry, actor: 'staff:eve' };
          return { ...edited, hash: hashAuditEntry(edited, entry.previous, KEY) };
        });
        expect(check(chain, HEAD)).toEqual({ kind: 'broken', at: at + 2, why: 'not_continued' });
      }),
    );
  });

  test('detects the end of another history behind an entry that is not its own', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), (at) => {
        // Both were written by the application: before a restore, and after it.
        const other = chainOf(8, 'staff:bola');
        const [next, ...rest] = other.slice(at);
        const chain = [...CHAIN.slice(0, at), { ...must(next ?? null), previous: must(CHAIN[at - 1] ?? null).hash }, ...rest];
        expect(check(chain, headOf(other))).toEqual({ kind: 'broken', at: at + 1, why: 'changed' });
      }),
    );
  });

  test('detects a removed entry, at its position', () => {
    fc.assert(
      fc.property(fc.nat({ max: 6 }), (at) => {
        const chain = CHAIN.filter((_, index) => index !== at);
        expect(check(chain, HEAD)).toEqual({ kind: 'broken', at: at + 1, why: 'missing' });
      }),
    );
  });

  test('detects reordered entries, even with matching positions', () => {
    fc.assert(
      fc.property(place, place, (one, two) => {
        fc.pre(one !== two);
        const moved = [...CHAIN];
        const first = CHAIN[one];
        const second = CHAIN[two];
        if (first === undefined || second === undefined) throw new Error('no such entry');
        moved[one] = second;
        moved[two] = first;
        expect(check(moved, HEAD).kind).toBe('broken');
        const fitted = moved.map((entry, index) => ({ ...entry, position: index + 1 }));
        expect(check(fitted, HEAD)).toMatchObject({ kind: 'broken', at: Math.min(one, two) + 1 });
      }),
    );
  });

  test('detects a truncated end, by the recorded head and by a kept one', () => {
    fc.assert(
      fc.property(fc.nat({ max: 7 }), (length) => {
        const cut = CHAIN.slice(0, length);
        expect(check(cut, HEAD)).toEqual({ kind: 'broken', at: length + 1, why: 'cut_off' });
        expect(check(cut, headOf(cut), HEAD)).toEqual({ kind: 'broken', at: length + 1, why: 'cut_off' });
      }),
    );
  });

  test('detects entries past the recorded head', () => {
    const head = headOf(CHAIN.slice(0, 5));
    expect(check(CHAIN, head)).toEqual({ kind: 'broken', at: 6, why: 'past_head' });
  });

  test('is detected as rewritten by a kept head', () => {
    const kept = CHAIN[3] ?? CHAIN_START;
    let previous: Uint8Array = CHAIN_START.hash;
    const rewritten = CHAIN.map((entry, index) => {
      const fields = { ...entry, ...(index === 1 && { actor: 'staff:eve' }), previous };
      const hash = hashAuditEntry(fields, previous, KEY);
      previous = hash;
      return { ...fields, hash };
    });
    expect(check(rewritten, headOf(rewritten))).toMatchObject({ kind: 'holds' });
    expect(check(rewritten, headOf(rewritten), kept)).toEqual({ kind: 'broken', at: 4, why: 'not_as_kept' });
    expect(check(CHAIN, HEAD, kept)).toMatchObject({ kind: 'holds' });
  });
});

/** Attacks of someone who can write to the database and has no key. */
describe('a chain, without its key,', () => {
  const guess = openAuditKeys({ auditKeys: ring('a1', 9), encryptionKeys: ring('k1', 9) }).writer;

  test('cannot be recomputed from any entry on', () => {
    fc.assert(
      fc.property(place, fc.constantFrom(guess.id, 'none'), (at, keyId) => {
        let previous: Uint8Array = CHAIN[at]?.previous ?? CHAIN_START.hash;
        const forged = CHAIN.map((entry, index) => {
          if (index < at) return entry;
          const fields = { ...entry, ...(index === at && { actor: 'staff:eve' }), previous, keyId };
          const hash = hashAuditEntry(fields, previous, { ...guess, id: keyId });
          previous = hash;
          return { ...fields, hash };
        });
        const why = keyId === guess.id ? 'changed' : 'unknown_key';
        expect(check(forged, headOf(forged, guess))).toEqual({ kind: 'broken', at: at + 1, why });
      }),
    );
  });

  test('cannot be truncated under a head that was made up', () => {
    const cut = CHAIN.slice(0, 5);
    expect(check(cut, headOf(cut, guess))).toEqual({ kind: 'broken', at: 5, why: 'head_forged' });
    expect(check(cut, headOf(cut, { ...guess, id: 'none' }))).toEqual({ kind: 'broken', at: 5, why: 'unknown_key' });
    expect(check(cut, { ...must(headOf(cut)), seal: must(HEAD).seal })).toMatchObject({ why: 'head_forged' });
  });

  test('is not verified: the entry is named', () => {
    const elsewhere = openAuditKeys({ auditKeys: '', encryptionKeys: ring('k1', 2) });
    expect(checkChain(CHAIN_START, CHAIN, null, elsewhere)).toEqual({ kind: 'broken', at: 1, why: 'unknown_key' });
  });
});
